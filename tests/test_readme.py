"""The programs in the README run to their end."""

import re
import textwrap
from pathlib import Path

import pytest

import courtly
from courtly.engine import position

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.S) + [
    textwrap.dedent("\n".join(re.findall(r"^ {4}.*", words, re.M))) for words in (courtly.__doc__, position.__doc__)
]
IMPORTS = """
from courtly.engine.rng import make_generator
from courtly.engine.game import find_game
from courtly.engine.position import Position
"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_of_the_readme_run(program, capsys):
    exec(compile(IMPORTS + program, "shown", "exec"), {})
    assert capsys.readouterr().out.startswith("["), "the program prints the scores"
