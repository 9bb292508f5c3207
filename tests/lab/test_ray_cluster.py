"""Work on a cluster gives the same result as on one core, even if a node ends."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.lab.execution.ray_cluster import ClusterUnavailableError, _run_on_node, hash_sources

ROOT = Path(__file__).parents[2]
LEVEE = {"COURTLY_GAMES": "levee", "PYTHONPATH": f"{ROOT / 'examples' / 'levee'}{os.pathsep}{ROOT}"}


def free_port() -> int:
    with socket.socket() as bound_socket:
        bound_socket.bind(("127.0.0.1", 0))
        port: int = bound_socket.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("sun", "'sun' is not a cluster address: use ray for this machine, or ray://host:port"),
        ("ray://", "'ray://' is not a cluster address"),
        ("ray://host:port", "'ray://host:port' is not a cluster address"),
        ("ray://127.0.0.1:FREE", "no cluster answers at ray://127.0.0.1:"),
    ],
)
def test_an_unreachable_cluster_gives_a_one_line_error(address: str, message: str, tmp_path: Path) -> None:
    out = tmp_path / "games"
    cluster_address = address.replace("FREE", str(free_port()))
    result = CliRunner().invoke(main, ["lab", "play", "sealed_bids", "--on", cluster_address, "--out", str(out)])
    assert result.exit_code == 1 and result.stderr.startswith(f"Error: {message}") and result.stderr.count("\n") == 1
    assert not out.exists()


def test_without_ray_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    monkeypatch.setattr("courtly.lab.execution.ray_cluster.find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["lab", "play", "sealed_bids", "--on", "ray", "--out", str(tmp_path)])
    assert result.stderr == 'Error: ray is not installed: pip install "courtly[cluster]"\n'


def test_a_node_with_other_sources_is_rejected() -> None:
    assert _run_on_node({}, hash_sources("sealed_bids"), "sealed_bids", max, 3, 4) == 4
    rejection = _run_on_node({}, "other", "sealed_bids", max, 3, 4)
    assert isinstance(rejection, ClusterUnavailableError) and "has another version of courtly" in str(rejection)
    assert isinstance(_run_on_node({}, hash_sources("sealed_bids"), "sealed_bids", int, "x"), ValueError)


def command(out: Path, *words: str) -> list[str]:
    arguments = ["levee", "--bots", "squire", "--games", "400", "--decisions", "--out", str(out), *words]
    return [sys.executable, "-m", "courtly", "lab", "play", *arguments]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_killed_node_loses_no_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ray.cluster_utils import Cluster

    for name, value in LEVEE.items():
        monkeypatch.setenv(name, value)  # nodes inherit it
    port, node_settings = free_port(), {"num_cpus": 1, "object_store_memory": 100 << 20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={**node_settings, "ray_client_server_port": port})
    try:
        second_node = cluster.add_node(**node_settings)
        cluster_command = command(tmp_path / "cluster", "--on", f"ray://127.0.0.1:{port}")
        process = subprocess.Popen(cluster_command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        subprocess.run(command(tmp_path / "here", "--cores", "1"), check=True, capture_output=True, timeout=300)
        while not list(tmp_path.glob("cluster/games/*.parquet")):
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        cluster.remove_node(second_node, allow_graceful=False)
        _, stderr = process.communicate(timeout=300)
        assert process.returncode == 0, stderr
    finally:
        cluster.shutdown()
    assert contents(tmp_path / "cluster") == contents(tmp_path / "here")
