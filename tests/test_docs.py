"""The documentation is complete and correct: its pages, links and programs, and the site that Sphinx builds.

test_readme.py runs the programs of the README, and test_guide.py those of docs/a-whole-game.md.
"""

import ast
import builtins
import dataclasses
import os
import re
import subprocess
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import click
import pytest

from courtly.cli import main
from courtly.scaffold import TEMPLATE_FOLDER
from courtly.server.settings import Settings

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *PAGES]
FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.S | re.M)
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")
FILE = re.compile(r"`((?:courtly|tests|benchmarks|tools|examples|deploy|docs(?!/_build))/[\w./-]+)`")
FUNCTION_IN_FILE = re.compile(r"`([\w.#]+)`\s+in\s+`([\w./-]+\.(?:py|js))`")  # a function or class, and its file
README = (ROOT / "README.md").read_text(encoding="utf-8")
NEED_A_GRAPHICS_CARD = {"courtly.adapters.cuda", "courtly.adapters.cuda_vector"}
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
    "COURTLY_GAMES": "",
}
SPHINX_PACKAGES = ("sphinx", "myst_parser", "furo", "sphinx_copybutton")


SOURCE_SUFFIXES = {".py", ".js", ".mjs", ".css", ".html", ".ftl", ".toml", ".md", ".sh", ".c"}
HOME_FOLDER = re.compile(r"(?<![\w.])/(?:root|home|Users|work|tmp)/[\w.]")


def test_no_file_names_a_folder_of_one_machine():
    files = [*TEXTS, ROOT / "CHANGELOG.md", ROOT / "Makefile", ROOT / "pyproject.toml", *ROOT.glob("deploy/*")]
    for folder in ("courtly", "tests", "benchmarks", "tools", "examples"):
        files += [f for f in (ROOT / folder).rglob("*") if f.suffix in SOURCE_SUFFIXES and "vendor" not in f.parts]
    lines = {f: HOME_FOLDER.findall(f.read_text(encoding="utf-8")) for f in files if f.is_file()}
    assert len(lines) > 500 and {path_name(f): found for f, found in lines.items() if found} == {}


def path_name(path):
    return path.relative_to(ROOT).as_posix()


def read(path):
    return path.read_text(encoding="utf-8")


def blocks(path, language):
    return [code for lang, code in FENCE.findall(read(path)) if lang == language]


def prose(path):
    return FENCE.sub("", read(path))


PYTHON_BLOCKS = [
    pytest.param(path, code, id=f"{path_name(path)}-{n}")
    for path in TEXTS
    for n, code in enumerate(blocks(path, "python"), 1)
]


def undefined_names(code):
    """Return the names that a block uses but neither defines nor imports."""
    defined, used = set(dir(builtins)), set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            defined |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return used - defined


def imports(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def is_complete(path, code):
    """Return whether a block of a page is a complete program that runs on any machine."""
    used = {*imports(code)}
    if path.parent != DOCS or path.name == "a-whole-game.md":  # test_guide.py runs that page's files
        return False
    return bool(used) and not undefined_names(code) and not used & NEED_A_GRAPHICS_CARD


# --- programs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", TEXTS, ids=path_name)
def test_named_functions_are_in_the_named_files(path):
    sources = {}
    for file in (*ROOT.glob("courtly/**/*.py"), *ROOT.glob("courtly/web/**/*.js")):
        sources.setdefault(file.name, {})[path_name(file)] = file
    for function_path, file in FUNCTION_IN_FILE.findall(prose(path)):
        if function_path == "nothing":  # a value in every board.js
            continue
        matching_files = [
            source_file for full, source_file in sources.get(Path(file).name, {}).items() if full.endswith(file)
        ]
        assert len(matching_files) == 1, f"{path_name(path)}: {file} is {len(matching_files)} files"
        for word in function_path.split("."):
            definition = rf"\b(?:def|class) {word}\b" if file.endswith(".py") else rf"\bclass {word}\b|\s{word}\("
            assert re.search(definition, read(matching_files[0])), f"{path_name(path)}: {file} does not define {word}"


@pytest.mark.parametrize("path, code", PYTHON_BLOCKS)
def test_python_blocks_compile(path, code):
    compile(code, path_name(path), "exec")


@pytest.mark.parametrize("path, code", [block for block in PYTHON_BLOCKS if is_complete(*block.values)])
def test_complete_programs_run(path, code, tmp_path):
    for module in {module.partition(".")[0] for module in imports(code)}:
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed; {path_name(path)} says how to install it")
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    process = subprocess.run([sys.executable, program], env=ENVIRONMENT, capture_output=True, text=True, timeout=600)
    assert process.returncode == 0, process.stderr


# --- pages ------------------------------------------------------------------------------------------------------------


def toctree(path):
    """Return the pages that this one leads to, and theirs."""
    pages = []
    for _, entries in re.findall(r"^```(\{toctree\})\n(.*?)^```$", read(path), re.S | re.M):
        for entry in re.findall(r"^(?!:)(\S+)$", entries, re.M):
            page = (path.parent / f"{entry}.md").resolve()
            pages += [page, *toctree(page)]
    return pages


def test_each_page_is_in_the_table_of_contents_once():
    assert sorted([DOCS / "index.md", *toctree(DOCS / "index.md")]) == PAGES


def test_llms_txt_lists_each_page():
    listed = re.findall(r"^- \[[^]]+\]\((\S+)\): \S", read(DOCS / "llms.txt"), re.M)
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in PAGES)


@pytest.mark.parametrize("path", TEXTS, ids=path_name)
def test_links_and_files_exist(path):
    links = {link.partition("#")[0] for link in LINK.findall(prose(path)) if not re.match(r"[a-z]+:", link)} - {""}
    broken = [link for link in links if not (path.parent / link).exists()]
    roots = [ROOT, TEMPLATE_FOLDER] if path.name == "a-whole-game.md" else [ROOT]  # shows its own package
    files = [file for file in FILE.findall(prose(path)) if not any((root / file).exists() for root in roots)]
    assert broken + files == [], "broken links or missing files"


def imported_packages(package):
    """Return the packages of Courtly that this one's modules import, each with an importing module."""
    importers = {}
    for path in (ROOT / "courtly" / package).rglob("*.py"):
        for module in imports(read(path)):
            parts = module.split(".")
            if parts[0] == "courtly" and len(parts) > 1 and (ROOT / "courtly" / parts[1]).is_dir():
                importers[parts[1]] = path_name(path)
    return {other: path for other, path in importers.items() if other != package}


def test_the_table_of_packages_matches_the_imports():
    rows = re.findall(r"^\| `courtly/(\w+)(?:/\*)?` \| [^|]+ \| ([^|]+) \|$", read(DOCS / "architecture.md"), re.M)
    allowed = {package: set(others.replace("nothing", "").replace(",", " ").split()) for package, others in rows}
    packages = {path.parent.name for path in (ROOT / "courtly").glob("*/__init__.py")} | {"games"}
    assert allowed.keys() == packages
    broken = {
        (package, other): path
        for package in allowed
        for other, path in imported_packages(package).items()
        if other not in allowed[package]
    }
    assert broken == {}


def test_pages_have_a_limited_length():
    assert len(README.splitlines()) <= 150
    records = [path for path in (DOCS / "decisions").iterdir() if path.name != "index.md"]
    assert [path.name for path in records if len(read(path).splitlines()) > 40] == []
    for path in records:
        assert re.findall(r"^## (.*)$", read(path), re.M) == ["Context", "Decision", "Consequences"], path.name


def test_each_setting_is_listed_with_its_default():
    listed = dict(re.findall(r"^\| `COURTLY_(\w+)` \| ([^|]*?) *\|", read(DOCS / "settings.md"), re.M))
    fields = {field.name.upper(): field.default for field in dataclasses.fields(Settings) if field.name != "data"}
    assert listed.keys() == fields.keys()
    for setting, default in fields.items():
        if not isinstance(default, str):
            assert float(listed[setting]) == default, setting


def test_each_command_is_listed():
    def commands(command, command_line):
        if isinstance(command, click.Group):
            for word in command.list_commands(None):
                yield from commands(command.get_command(None, word), f"{command_line} {word}")
        else:
            yield command_line

    text = read(DOCS / "command-line.md")
    assert [
        command_line
        for command_line in commands(main, "courtly")
        if not re.search(rf"^\| `{command_line}\b", text, re.M)
    ] == []


def test_plain_docstrings_become_restructuredtext():
    source = spec_from_file_location("docstrings", DOCS / "docstrings.py")
    docstrings = module_from_spec(source)
    source.loader.exec_module(docstrings)
    markdown = """Return `x`s, *all* of them, with pass_.

    print(x)

Args:
    x: A number, `int` | None.

- one that
goes on
- two

| a | b |
|---|---|
| 1 | `2` |
"""
    assert docstrings.convert_lines(markdown.splitlines()) == [
        *("Return ``x``\\ s, \\*all\\* of them, with pass\\_.", "", "::", "", "    print(x)", ""),
        *("Args:", "    x: A number, ``int`` \\| None.", ""),
        *("- one that", "  goes on", "- two", ""),
        *(".. list-table::", "   :header-rows: 1", "", "   * - a", "     - b", "   * - 1", "     - ``2``", ""),
    ]


@pytest.mark.skipif(
    not all(map(find_spec, SPHINX_PACKAGES)), reason="Sphinx is not installed: pip install 'courtly[docs]'"
)
def test_the_site_is_built_without_warnings(tmp_path):
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(tmp_path)]
    process = subprocess.run(build, env=ENVIRONMENT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert "reference/engine.html" in (tmp_path / "llms.txt").read_text(encoding="utf-8")
