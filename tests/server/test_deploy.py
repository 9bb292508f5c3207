"""What lies in deploy/ and is said in docs/running.md fits the program. Caddy and nginx are tried in test_behind.py."""

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
NOT_OURS = {"COURTLY_PASSWORD", "COURTLY_NAME", "COURTLY_SERVERS"}  # of compose.yaml and Caddyfile themselves


def test_units_are_what_systemd_understands(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("there is no systemd-analyze on this machine: apt install systemd")
    names = []
    for unit in DEPLOY.glob("courtly*.*"):
        text = unit.read_text().replace("/opt/courtly/bin/courtly", shutil.which("true"))
        names.append(tmp_path / unit.name.replace("@", "@8001"))
        names[-1].write_text(text)
    assert len(names) == 4
    ended = subprocess.run(["systemd-analyze", "verify", *names], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("file", [ROOT / "docs" / "running.md", *DEPLOY.iterdir()], ids=lambda file: file.name)
def test_what_is_set_there_can_be_set(file):
    known = {f"COURTLY_{field.name.upper()}" for field in fields(Settings)} | NOT_OURS
    assert set(re.findall(r"COURTLY_[A-Z_]+", file.read_text())) <= known


def test_every_file_and_command_that_is_named_is_there():
    for name in re.findall(r"`(?:cp )?(deploy/[\w@.-]+)", SAID):
        assert (ROOT / name).exists(), name
    for words in re.findall(r"(?:^|[`/])courtly (\w+)([^`\n#]*)", SAID, re.MULTILINE):
        options = {option for made in main.commands[words[0]].params for option in made.opts}
        assert set(re.findall(r"--\w+", words[1])) <= options, words
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for text in (SAID, (DEPLOY / "Containerfile").read_text()):
        (asked,) = re.findall(r"'(?:/src|\.)\[([\w,]+)\]'", text)
        assert set(asked.split(",")) <= extras.keys()


def test_what_is_built_here_does_not_go_into_the_container():
    left_out = (ROOT / ".dockerignore").read_text().split()
    ours = (ROOT / ".gitignore").read_text().split()
    assert {".git", *(name.strip("/") for name in ours)} <= {name.removeprefix("**/") for name in left_out}


def test_the_proxy_of_the_containers_is_the_one_that_is_tried():
    """Which keeps from the world what is not for it; see test_behind.py."""
    text = (DEPLOY / "compose.yaml").read_text()
    assert "./Caddyfile:/etc/caddy/Caddyfile" in text and "caddy reverse-proxy" not in text
    for name in re.findall(r"\{\$(COURTLY_\w+):", (DEPLOY / "Caddyfile").read_text()):
        assert f"{name}: " in text


def test_every_figure_that_is_to_be_watched_is_told():
    told = set(re.findall(r"^# HELP (\w+)", metrics.exposition().decode(), re.MULTILINE))
    told |= {f"{name}_bucket" for name in told}
    watched = set(re.findall(r"\b(?:courtly|process)_[a-z_]+", SAID))
    assert {"courtly_commit_seconds_bucket", "courtly_sockets"} <= watched <= told
