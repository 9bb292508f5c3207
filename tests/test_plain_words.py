"""The check of words finds each kind in each kind of file, and reads nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "plain_words.py"


def check(file):
    process = subprocess.run([sys.executable, TOOL, file], capture_output=True, text=True)
    return process.returncode, process.stdout.strip()


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", '"""Who asks first is served first."""\n'),
        (".py", "x = 1  # made anew\n"),
        (".py", 'raise ValueError("the player is told why")\n'),
        (".js", "/** Nobody reads this. */\n"),
        (".js", 'const x = "a"; // as it were\n'),
        (".css", "a { color: red } /* of so many */\n"),
        (".md", "# Title\n\nWhat the house does.\n"),
    ],
)
def test_each_kind_of_banned_word_is_found(tmp_path, suffix, text):
    file = tmp_path / f"sample{suffix}"
    file.write_text(text, "utf-8")
    code, output = check(file)
    assert code == 1 and output.startswith(f"{file}:") and len(output.splitlines()) == 1


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "NOBODY = -1  # NOBODY moves next\nanew = 1\n"),
        (".js", 'const told = "is told", url = "https://who.example/";\n'),
        (".md", "Say `nobody`:\n\n```text\nwho is told anew\n```\n"),
        (".md", "A player who leaves keeps the seat.\n"),
    ],
)
def test_names_code_and_relative_clauses_are_allowed(tmp_path, suffix, text):
    file = tmp_path / f"sample{suffix}"
    file.write_text(text, "utf-8")
    assert check(file) == (0, "")
