"""The files in deploy/ and docs/running.md match the program. test_reverse_proxies.py runs Caddy and nginx."""

import re
import shutil
import subprocess
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from courtly.cli import main
from courtly.server.observability import metrics
from courtly.server.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
MAX_EXPOSURE = 20  # tenths
RUNNING_PAGE = (ROOT / "docs" / "running.md").read_text()
DEPLOYMENT_SETTINGS = {
    "COURTLY_PASSWORD",
    "COURTLY_NAME",
    "COURTLY_SERVERS",
}  # settings of compose.yaml and Caddyfile themselves


@pytest.fixture
def units(tmp_path):
    """The units, with a program that exists on this machine."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed: apt install systemd")
    names = []
    for unit in DEPLOY.glob("courtly*.*"):
        text = unit.read_text().replace("/opt/courtly/bin/courtly", shutil.which("true"))
        names.append(tmp_path / unit.name.replace("@", "@8001"))
        names[-1].write_text(text)
    assert len(names) == 4
    return names


def test_units_are_what_systemd_understands(units):
    process = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")


def test_services_may_do_little_beside_serving(units):
    """Systemd rates what a process could do to the machine; 10 is everything."""
    services = [name for name in units if name.suffix == ".service"]
    assert len(services) == 3
    for service in services:
        rate = ["systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", "--no-pager", service]
        process = subprocess.run(rate, capture_output=True, text=True)
        assert process.returncode == 0, process.stdout


def test_both_health_checks_of_the_container_are_the_same():
    (check,) = re.findall(
        r'^HEALTHCHECK .* CMD \["python", "-c", (".*")\]$', (DEPLOY / "Containerfile").read_text(), re.M
    )
    assert check in (DEPLOY / "compose.yaml").read_text()


@pytest.mark.parametrize("file", [ROOT / "docs" / "running.md", *DEPLOY.iterdir()], ids=lambda file: file.name)
def test_variables_in_deploy_are_settings(file):
    known = {f"COURTLY_{field.name.upper()}" for field in fields(Settings)} | DEPLOYMENT_SETTINGS
    assert set(re.findall(r"COURTLY_[A-Z_]+", file.read_text())) <= known


def test_every_file_and_command_in_the_docs_exists():
    for name in re.findall(r"`(?:cp )?(deploy/[\w@.-]+)", RUNNING_PAGE):
        assert (ROOT / name).exists(), name
    for command_line in re.findall(r"(?:^|[`/])courtly (\w+)([^`\n#]*)", RUNNING_PAGE, re.MULTILINE):
        options = {option for parameter in main.commands[command_line[0]].params for option in parameter.opts}
        assert set(re.findall(r"--\w+", command_line[1])) <= options, command_line
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for text in (RUNNING_PAGE, (DEPLOY / "Containerfile").read_text()):
        (required_extras,) = re.findall(r"'(?:/src|\.)\[([\w,]+)\]'", text)
        assert set(required_extras.split(",")) <= extras.keys()


def test_build_outputs_are_not_copied_into_the_container():
    ignored_by_docker = (ROOT / ".dockerignore").read_text().split()
    ignored_by_git = (ROOT / ".gitignore").read_text().split()
    assert {".git", *(name.strip("/") for name in ignored_by_git)} <= {
        name.removeprefix("**/") for name in ignored_by_docker
    }


def test_the_containers_use_the_tested_caddyfile():
    """It blocks internal paths; see test_reverse_proxies.py."""
    text = (DEPLOY / "compose.yaml").read_text()
    assert "./Caddyfile:/etc/caddy/Caddyfile" in text and "caddy reverse-proxy" not in text
    for name in re.findall(r"\{\$(COURTLY_\w+):", (DEPLOY / "Caddyfile").read_text()):
        assert f"{name}: " in text


def test_every_documented_metric_exists():
    exported = set(re.findall(r"^# HELP (\w+)", metrics.exposition().decode(), re.MULTILINE))
    exported |= {f"{name}_bucket" for name in exported}
    documented = set(re.findall(r"\b(?:courtly|process)_[a-z_]+", RUNNING_PAGE))
    assert {"courtly_commit_seconds_bucket", "courtly_sockets"} <= documented <= exported
