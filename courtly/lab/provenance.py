"""Playing many games: simulation and measurement."""

import subprocess
from pathlib import Path


def source_commit() -> str:
    """Which sources these are, for what is made by them; what was changed since in a module makes it "…-dirty". Empty
    if nobody keeps them."""

    def git(*asked: str) -> str:
        asking = ["git", "-C", str(Path(__file__).parent), *asked]
        return subprocess.run(asking, capture_output=True, text=True, check=False).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + "-dirty" * bool(git("diff", "HEAD", "--name-only", "--", ":/*.py"))
    except OSError:
        return ""
