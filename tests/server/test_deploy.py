"""The files in deploy/ and docs/running.md match the program. test_behind.py runs Caddy and nginx."""

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
SAID = (ROOT / "docs" / "running.md").read_text()
NOT_OURS = {"COURTLY_PASSWORD", "COURTLY_NAME", "COURTLY_SERVERS"}  # settings of compose.yaml and Caddyfile themselves


def test_units_are_what_systemd_understands(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed: apt install systemd")
    names = []
    for unit in DEPLOY.glob("courtly*.*"):
        text = unit.read_text().replace("/opt/courtly/bin/courtly", shutil.which("true"))
        names.append(tmp_path / unit.name.replace("@", "@8001"))
        names[-1].write_text(text)
    assert len(names) == 4
    ended = subprocess.run(["systemd-analyze", "verify", *names], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("file", [ROOT / "docs" / "running.md", *DEPLOY.iterdir()], ids=lambda file: file.name)
def test_variables_in_deploy_are_settings(file):
    known = {f"COURTLY_{field.name.upper()}" for field in fields(Settings)} | NOT_OURS
    assert set(re.findall(r"COURTLY_[A-Z_]+", file.read_text())) <= known


def test_every_file_and_command_in_the_docs_exists():
    for name in re.findall(r"`(?:cp )?(deploy/[\w@.-]+)", SAID):
        assert (ROOT / name).exists(), name
    for words in re.findall(r"(?:^|[`/])courtly (\w+)([^`\n#]*)", SAID, re.MULTILINE):
        options = {option for made in main.commands[words[0]].params for option in made.opts}
        assert set(re.findall(r"--\w+", words[1])) <= options, words
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for text in (SAID, (DEPLOY / "Containerfile").read_text()):
        (asked,) = re.findall(r"'(?:/src|\.)\[([\w,]+)\]'", text)
        assert set(asked.split(",")) <= extras.keys()


def test_build_outputs_are_not_copied_into_the_container():
    left_out = (ROOT / ".dockerignore").read_text().split()
    ours = (ROOT / ".gitignore").read_text().split()
    assert {".git", *(name.strip("/") for name in ours)} <= {name.removeprefix("**/") for name in left_out}


def test_the_containers_use_the_tested_caddyfile():
    """It blocks internal paths; see test_behind.py."""
    text = (DEPLOY / "compose.yaml").read_text()
    assert "./Caddyfile:/etc/caddy/Caddyfile" in text and "caddy reverse-proxy" not in text
    for name in re.findall(r"\{\$(COURTLY_\w+):", (DEPLOY / "Caddyfile").read_text()):
        assert f"{name}: " in text


def test_every_documented_metric_exists():
    told = set(re.findall(r"^# HELP (\w+)", metrics.exposition().decode(), re.MULTILINE))
    told |= {f"{name}_bucket" for name in told}
    watched = set(re.findall(r"\b(?:courtly|process)_[a-z_]+", SAID))
    assert {"courtly_commit_seconds_bucket", "courtly_sockets"} <= watched <= told
