"""The version of the sources, recorded in generated files."""

import subprocess
from pathlib import Path


def source_commit() -> str:
    """Return the commit of the sources, with "-dirty" appended if a Python file differs from it; "" outside a git
    checkout."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + "-dirty" * bool(git("diff", "HEAD", "--name-only", "--", ":/*.py"))
    except OSError:
        return ""
