"""Checks of a release find what is missing; the matrix finds the Pythons."""

import importlib
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
TRACKED = {"courtly/__init__.py", "courtly/web/core/icons.js"}
COMPILED = "courtly/bots/shipped/petition-0123"


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module


@pytest.fixture
def check(tool):
    pytest.importorskip("cyclonedx", reason='cyclonedx is not installed: pip install "courtly[release]"')
    return tool("release_check")


def write_wheel(folder, names, licence="MIT"):
    wheel = folder / "courtly-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in names:
            archive.writestr(name, "// CC BY 3.0")
        archive.writestr("courtly-0.1.0.dist-info/METADATA", f"License-Expression: {licence}\n")
    return wheel


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Changes\n\n## [0.1.0] - 2026-11-28\n\n## [0.0.9] - 2026-01-01\n", None),
        ("# Changes\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-28\n", r"found \[Unreleased\]"),
        ("# Changes\n\n## [0.1.0]\n", r"expected ## \[0.1.0\] - YEAR-MONTH-DAY"),
    ],
)
def test_the_changelog_begins_with_the_version_and_a_date(check, text, found):
    if found is None:
        assert check.check_changelog(text, "0.1.0") == "[0.1.0] - 2026-11-28"
        return
    with pytest.raises(check.ReleaseError, match=found):
        check.check_changelog(text, "0.1.0")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ({*TRACKED, COMPILED}, None),
        ({COMPILED, "courtly/__init__.py"}, "lacks courtly/web/core/icons.js"),
        ({*TRACKED, COMPILED, "courtly/notes.txt"}, "has courtly/notes.txt, which git does not know"),
        ({*TRACKED}, "expected 1 games compiled for browsers, found 0"),
    ],
)
def test_the_wheel_has_the_tracked_files_and_the_compiled_games(check, tmp_path, names, found):
    wheel = write_wheel(tmp_path, names)
    if found is None:
        assert check.check_contents(wheel, TRACKED, 1).startswith("3 files")
        return
    with pytest.raises(check.ReleaseError, match=found):
        check.check_contents(wheel, TRACKED, 1)


def test_a_wheel_that_is_too_large_is_refused(check, tmp_path, monkeypatch):
    monkeypatch.setattr(check, "MAX_WHEEL_BYTES", 100)
    with pytest.raises(check.ReleaseError, match="expected at most 100 bytes"):
        check.check_contents(write_wheel(tmp_path, {*TRACKED, COMPILED}), TRACKED, 1)


def test_every_vendored_package_has_its_licence_in_the_wheel(check, tool, tmp_path):
    sbom = tool("sbom")
    files = {file for packages in sbom.VENDORED.values() for file in packages.values() if file}
    licences = {
        f"courtly-0.1.0.dist-info/licenses/{file}" for file in ("LICENSE", *(f"courtly/web/{f}" for f in files))
    }
    assert all((ROOT / "courtly" / "web" / file).exists() for file in files)
    assert "5 licence files" not in check.check_licences(write_wheel(tmp_path, licences | TRACKED, sbom.read_licence()))
    with pytest.raises(check.ReleaseError, match="lacks .*LICENSE-lit.txt"):
        names = {name for name in licences if "lit.txt" not in name}
        check.check_licences(write_wheel(tmp_path, names, sbom.read_licence()))
    with pytest.raises(check.ReleaseError, match="`license` lacks .*OFL-1.1"):
        check.check_licences(write_wheel(tmp_path, licences, "MIT"))


def test_every_vendored_library_and_font_is_in_the_bill_of_materials(check, tool, tmp_path):
    """A file of courtly/web/vendor or courtly/web/fonts that no package accounts for would be shipped unnamed."""
    sbom = tool("sbom")
    files = {file for packages in sbom.VENDORED.values() for file in packages.values() if file}
    shipped = {
        f"{folder}/{path.name}"
        for folder in ("vendor", "fonts")
        for path in (ROOT / "courtly" / "web" / folder).glob("LICENSE*")
    }
    assert files == shipped
    wheel, made = write_wheel(tmp_path, TRACKED), datetime(2026, 11, 28, tzinfo=UTC)
    texts = {sbom.make_sbom(wheel, "0.1.0", made) for _ in range(2)}
    assert len(texts) == 1
    names = {component["purl"] for component in json.loads(texts.pop())["components"]}
    assert any(name.startswith("pkg:npm/lit@") for name in names)
    assert any(name.startswith("pkg:pypi/sqlalchemy@") for name in names)


def test_the_metadata_of_a_wheel_are_those_that_are_proved(check):
    """The matrix tests each Python that the classifiers name and that is installed; the page says which were."""
    page = (ROOT / "docs" / "releasing.md").read_text("utf-8")
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    for line in text.splitlines():
        if '"Programming Language :: Python :: 3.' in line:
            version = line.split(":: ")[-1].strip('",')
            assert f"| {version} |" in page, version
    assert "Operating System :: OS Independent" not in text


def test_an_uncommitted_change_or_an_existing_tag_stops_a_release(check, monkeypatch):
    answers = {"--list": "", "--points-at": "", "--short": "abc\n", "--porcelain": ""}
    monkeypatch.setattr(check.release, "git", lambda _, option, *__: answers[option])
    assert check.check_tree() == f"abc becomes v{check.read_version()}"
    answers["--list"] = answers["--points-at"] = f"v{check.read_version()}\n"
    assert check.check_tree()
    answers["--points-at"] = "v0.0.9\n"
    with pytest.raises(check.ReleaseError, match="the tag v.* names another commit"):
        check.check_tree()
    answers["--porcelain"] = " M README.md\n"
    with pytest.raises(check.ReleaseError, match="uncommitted changes:\nM README.md"):
        check.check_tree()


def test_the_matrix_takes_one_program_of_each_allowed_python(tool):
    def row(version, path, implementation="cpython", variant="default"):
        major, minor, patch = map(int, version.split("."))
        parts = {"major": major, "minor": minor, "patch": patch}
        return {
            "version": version,
            "version_parts": parts,
            "path": path,
            "implementation": implementation,
            "variant": variant,
        }

    matrix = tool("matrix")
    listed = [
        row("3.13.0", "/c"),
        row("3.10.1", "/too old"),
        row("3.11.2", "/a"),
        row("3.11.9", "/b"),
        row("3.12.1", "/pypy", "pypy"),
        row("3.14.0", "/t", variant="freethreaded"),
    ]
    pythons = matrix.choose_pythons(listed, SpecifierSet(">=3.11"))
    assert [*pythons.items()] == [("3.11", "/b"), ("3.13", "/c")]
    names = [environment.name for environment in matrix.plan_environments(pythons)]
    assert names == ["Python 3.11, oldest packages", "Python 3.11, newest packages", "Python 3.13, newest packages"]


def test_the_suites_of_the_matrix_exist(tool):
    matrix = tool("matrix")
    assert all((ROOT / path).exists() for tests in matrix.SUITES.values() for path in tests)
    assert {"uvicorn>=0.52.1,<0.55", "websockets>=15"} <= set(matrix.list_user_requirements())
    assert not any(text.startswith("courtly") for text in matrix.list_test_tools())
