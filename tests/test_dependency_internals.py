"""The private interfaces of dependencies that the code uses. Each such package has an upper bound in pyproject.toml,
below its next release that may change them, and each name is looked up here: a failing test says what a new release
breaks.
"""

import ast
import importlib
import inspect
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
INTERNALS = {  # package: the private or undocumented names that the code uses
    "uvicorn": [
        "uvicorn.protocols.http.h11_impl.H11Protocol.shutdown",
        "uvicorn.protocols.http.h11_impl.H11Protocol.data_received",
        "uvicorn.protocols.http.h11_impl.H11Protocol.handle_websocket_upgrade",
        "uvicorn.protocols.http.h11_impl.H11Protocol.on_response_complete",
        "uvicorn.protocols.websockets.websockets_sansio_impl.WebSocketsSansIOProtocol.shutdown",
        "uvicorn.protocols.websockets.websockets_sansio_impl.WebSocketsSansIOProtocol.stop_keepalive",
        "uvicorn.supervisors.multiprocess.Process.is_alive",
        "uvicorn.supervisors.Multiprocess.run",
    ]
}
OWN_MODULES = {"courtly", "__future__"}


def requirements():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for text in [*project["dependencies"], *(r for extra in project["optional-dependencies"].values() for r in extra)]:
        requirement = Requirement(text)
        if requirement.name != "courtly":
            yield requirement


@pytest.mark.parametrize("package", INTERNALS)
def test_the_range_of_a_package_ends_before_the_next_release_that_may_change_it(package):
    bounds = [requirement for requirement in requirements() if requirement.name == package]
    assert bounds
    for bound in bounds:
        upper = [spec for spec in bound.specifier if spec.operator in ("<", "==", "<=")]
        assert upper, f"{bound} has no upper bound"
        major, minor = Version(upper[0].version).release[:2]
        assert upper[0].operator == "==" or f"{major}.{minor + 1}" not in bound.specifier
        assert f"{major + 1}" not in bound.specifier


@pytest.mark.parametrize(("package", "name"), [(package, name) for package in INTERNALS for name in INTERNALS[package]])
def test_each_private_name_exists_in_the_installed_version(package, name):
    installed_version = version(package)
    module, _, attributes = name, "", []
    while True:
        try:
            value = importlib.import_module(module)
            break
        except ModuleNotFoundError:
            module, _, last = module.rpartition(".")
            attributes.insert(0, last)
    for part in attributes:
        assert hasattr(value, part), f"{package} {installed_version} has no {name} any more: see where the code uses it"
        value = getattr(value, part)


def test_uvicorn_supports_the_hang_detection():
    """An older uvicorn silently ignores the setting."""
    import uvicorn

    assert "timeout_worker_healthcheck" in inspect.signature(uvicorn.Config).parameters


def private_imports(text):
    """Yield the private names that a file imports from a package other than this one, with the package's name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            package, *inner = node.module.split(".")
            names = [*inner, *(alias.name for alias in node.names)]
            if package not in OWN_MODULES and any(re.match(r"_(?!_)", name) for name in names):
                yield package, ".".join([node.module, *(alias.name for alias in node.names)])


def test_no_other_private_name_is_imported():
    assert [*private_imports("from psycopg.errors import _WaitTimeout")] == [("psycopg", "psycopg.errors._WaitTimeout")]
    known = {name for names in INTERNALS.values() for name in names}
    imported = {
        name
        for file in (ROOT / "courtly").rglob("*.py")
        for _, name in private_imports(file.read_text(encoding="utf-8"))
    }
    assert imported <= known
