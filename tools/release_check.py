"""Rehearses a release, checks it, and publishes nothing (`make release-check`).

    python tools/release_check.py [FOLDER]    leave the files of the release in a folder (dist/)

The commit is tagged in a clone, and the release is built there and here; both must be equal to the byte.
"""

import email
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import release
from sbom import VENDORED, list_vendored, make_sbom

ROOT = Path(__file__).parents[1]
MAX_WHEEL_BYTES = 8_000_000
HEADING = re.compile(r"^## \[([^]]+)\](?: - (\d{4}-\d\d-\d\d))?$", re.M)
ATTRIBUTION = b"CC BY 3.0"


class ReleaseError(Exception):
    """The commit cannot be released. The message says why."""


def read_version() -> str:
    [version] = re.findall(r'^__version__ = "(.+)"$', (ROOT / "courtly" / "__init__.py").read_text("utf-8"), re.M)
    return version


def check_tree() -> str:
    """All is committed, and the version's tag does not exist, or names this commit (in a workflow that it started)."""
    if changed := release.git("status", "--porcelain").strip():
        raise ReleaseError(f"uncommitted changes:\n{changed}")
    tag = f"v{read_version()}"
    if release.git("tag", "--list", tag).strip() and tag not in release.git("tag", "--points-at", "HEAD").split():
        raise ReleaseError(f"the tag {tag} names another commit: raise __version__ in courtly/__init__.py")
    return f"{release.git('rev-parse', '--short', 'HEAD').strip()} becomes {tag}"


def check_changelog(text: str, version: str) -> str:
    """The newest heading of the changelog is the version, with a date."""
    name, date = HEADING.findall(text)[0]
    if (name, bool(date)) != (version, True):
        raise ReleaseError(f"CHANGELOG.md: expected ## [{version}] - YEAR-MONTH-DAY first, found [{name}] {date}")
    return f"[{version}] - {date}"


def build_twice(folder: Path) -> tuple[list[Path], str]:
    """Build here, and in a clone that has the tag, each with an empty cache. Returns the files of the first."""
    tag = f"v{read_version()}"
    with tempfile.TemporaryDirectory() as temporary:
        here = release.build(folder, Path(temporary) / "cache")
        clone, again = Path(temporary) / "clone", Path(temporary) / "again"
        release.git("clone", "--quiet", "--no-local", str(ROOT), str(clone))
        identity = ("-c", "user.name=release-check", "-c", "user.email=release-check@localhost")
        release.git("-C", str(clone), *identity, "tag", "--annotate", "--force", tag, "--message", f"Courtly {tag}")
        release.git("-C", str(clone), "checkout", "--quiet", tag)
        subprocess.run([sys.executable, clone / "tools" / "release.py", again, again / "cache"], check=True)
        for file in here:
            if file.read_bytes() != (again / file.name).read_bytes():
                raise ReleaseError(f"{file.name} differs between two builds")
    return here, f"{', '.join(file.name for file in here)}: equal to the byte"


def check_metadata(files: list[Path]) -> str:
    """The package index accepts the metadata, and shows the description."""
    process = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True
    )
    if process.returncode:
        raise ReleaseError(process.stdout + process.stderr)
    return "accepted by twine --strict"


def check_contents(wheel: Path, tracked: set[str], games: int) -> str:
    """The wheel has every file of the package, its games compiled for browsers, its metadata, and nothing else."""
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.split("/")[0].endswith(".dist-info")}
    compiled = {name for name in names if name.startswith("courtly/bots/shipped/")}
    if missing := tracked - names:
        raise ReleaseError(f"{wheel.name} lacks {', '.join(sorted(missing))}")
    if extra := names - tracked - compiled:
        raise ReleaseError(f"{wheel.name} has {', '.join(sorted(extra))}, which git does not know")
    if len(compiled) != games:
        raise ReleaseError(f"{wheel.name}: expected {games} games compiled for browsers, found {len(compiled)}")
    if wheel.stat().st_size > MAX_WHEEL_BYTES:
        raise ReleaseError(f"{wheel.name}: expected at most {MAX_WHEEL_BYTES} bytes, found {wheel.stat().st_size}")
    return f"{len(names)} files, {wheel.stat().st_size / 1e6:.2f} MB"


def check_licences(wheel: Path) -> str:
    """The wheel has the licence of everything vendored, and the metadata names each."""
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        [folder] = {name.split("/")[0] for name in names if name.split("/")[0].endswith(".dist-info")}
        metadata = email.message_from_bytes(archive.read(f"{folder}/METADATA"))
        stated = set(re.split(r" AND ", metadata["License-Expression"]))
        files = [file for packages in VENDORED.values() for file in packages.values() if file]
        wanted = {f"{folder}/licenses/{file}" for file in ("LICENSE", *(f"courtly/web/{file}" for file in files))}
        if missing := wanted - names:
            raise ReleaseError(f"{wheel.name} lacks {', '.join(sorted(missing))}")
        if unstated := {package.licence for package in list_vendored()} - stated:
            raise ReleaseError(f"pyproject.toml: `license` lacks {', '.join(sorted(unstated))}")
        icons = [name for name in names if name.endswith("/icons.js")]
        if unnamed := [name for name in icons if ATTRIBUTION not in archive.read(name)[:500]]:
            raise ReleaseError(f"{', '.join(unnamed)}: the authors of the icons are not named")
    return (
        f"{len(wanted)} licence files, {len(icons)} lists of icons with their authors; {' AND '.join(sorted(stated))}"
    )


def write_sbom(wheel: Path) -> str:
    """Write the bill of materials beside the wheel."""
    made = datetime.fromtimestamp(int(release.git("log", "-1", "--format=%ct")), UTC)
    text = make_sbom(wheel, read_version(), made)
    out = wheel.with_name(f"courtly-{read_version()}.cdx.json")
    out.write_text(text, "utf-8")
    packages = text.count('"purl"') - 1
    return f"{out.name}: CycloneDX 1.6, {packages} packages"


def main() -> None:
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "dist"

    def show(title: str, check: Callable[[], str]) -> None:
        print(f"{title}: {check()}", flush=True)

    try:
        show("commit", check_tree)
        show("changelog", lambda: check_changelog((ROOT / "CHANGELOG.md").read_text("utf-8"), read_version()))
        files, outcome = build_twice(folder)
        show("reproducible", lambda: outcome)
        wheel = files[-1]
        tracked = set(release.git("ls-files", "-z", "courtly").split("\0")) - {""}
        games = len([name for name in tracked if name.endswith("/game.toml") and "/games/" in name])
        show("metadata", lambda: check_metadata(files))
        show("contents", lambda: check_contents(wheel, tracked, games))
        show("licences", lambda: check_licences(wheel))
        show("materials", lambda: write_sbom(wheel))
    except ReleaseError as error:
        sys.exit(f"not ready for a release: {error}")
    for file in sorted(folder.iterdir()):
        print(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}")


if __name__ == "__main__":
    main()
