"""Builds a release.

    python tools/release.py FOLDER [CACHE]    write the source archive and the wheel of this working tree to a folder;
                                              CACHE is a folder with compiled games, by default the user's

Both carry the games compiled for browsers, which need llvmlite here. The wheel is built from the source archive alone.
Only files that git knows are built, at the time of the last commit, so the same commit gives the same bytes.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
COMPILE = "from courtly.bots import browser_files as files; files.write_shipped_files(files.SHIPPED_FOLDER)"


def build(folder: Path, cache: Path | None = None) -> list[Path]:
    """Write the source archive and the wheel to a folder, and return their paths.

    Args:
        folder: The folder, which is created.
        cache: The folder with compiled games; None for the user's.

    Raises:
        subprocess.CalledProcessError: A step has failed; it has printed why.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"SOURCE_DATE_EPOCH": git("log", "-1", "--format=%ct").strip()}
    environment.pop("COURTLY_GAMES", None)
    if cache:
        environment["COURTLY_CACHE"] = str(cache)
    with TemporaryDirectory() as temporary:
        tree = Path(temporary) / "tree"
        copy_tree(tree)
        compiling = environment | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run([sys.executable, "-c", COMPILE], cwd=tree, env=compiling, check=True)
        archive = run_hatchling("sdist", tree, folder, environment)
        with tarfile.open(archive) as content:
            content.extractall(Path(temporary), filter="data")
        unpacked = Path(temporary) / archive.name.removesuffix(".tar.gz")
        return [archive, run_hatchling("wheel", unpacked, folder, environment)]


def copy_tree(target: Path) -> None:
    """Copy the files of the working tree that git knows."""
    for name in git("ls-files", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def run_hatchling(kind: str, tree: Path, folder: Path, environment: dict[str, str]) -> Path:
    """Build a source archive ("sdist") or a "wheel" of a tree, and return its path."""
    with TemporaryDirectory(dir=folder) as temporary:
        command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", temporary]
        subprocess.run(
            command, cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        [built] = Path(temporary).iterdir()
        return built.replace(folder / built.name)


def git(*arguments: str) -> str:
    """Return the output of a git command in the working tree."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for path in build(*map(Path, sys.argv[1:])):
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
