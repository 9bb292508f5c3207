"""Work on a cluster gives the same result as on one core, even if a node ends."""

import os
import socket
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.lab.execution.ray_cluster import ClusterUnavailableError, RayExecutor, _run_on_node, hash_sources

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


class Ray:
    """The part of Ray that is used, for tasks that the test answers."""

    def __init__(self, cores: int = 3, error: str = ""):
        self.cores, self.error, self.cancelled = cores, error, []
        self.is_initialized = lambda: False

    def init(self, *_: object, **__: object) -> None:
        if self.error:
            raise ConnectionError(self.error)
        self.is_initialized = lambda: True

    def remote(self, **_: object) -> object:
        return lambda work: SimpleNamespace(remote=lambda *arguments: Reference())

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.cores} if self.cores else {}

    def cancel(self, reference: object, force: bool) -> None:
        self.cancelled.append(reference)


class Reference:
    def __init__(self) -> None:
        self.answer: Future[object] = Future()

    def future(self) -> Future[object]:
        return self.answer


@pytest.mark.parametrize(
    ("ray", "message"),
    [
        (Ray(error="first line\nno such host"), "ray://sun cannot be used: no such host"),
        (Ray(cores=0), "ray://sun has no CPUs"),
    ],
)
def test_a_cluster_that_cannot_be_used(ray: Ray, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(ClusterUnavailableError, match=message):
        RayExecutor("ray://sun", "sealed_bids", None)


def test_a_lost_batch_is_an_error_and_waiting_batches_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    executor = RayExecutor("ray", "sealed_bids", 2)
    assert executor.cores == 2 and RayExecutor("ray", "sealed_bids", None).cores == 3  # connected already
    done, failed, lost = (executor.submit(max, 3, 4) for _ in range(3))
    done_task, failed_task, lost_task = executor.waiting  # a set, so that the order is unknown
    for task, answer in ((done_task, 4), (failed_task, ValueError("rules"))):
        task.answer.set_result(answer)
    lost_task.answer.set_exception(RuntimeError("the node died\nmore"))
    outcomes = [future.exception() or future.result() for future in (done, failed, lost)]
    assert 4 in outcomes and {"rules", "the cluster lost a batch: the node died"} <= {str(o) for o in outcomes}
    assert not executor.waiting
    executor.submit(max, 3, 4)
    (waiting,) = executor.waiting
    executor.shutdown()
    assert ray.cancelled == [waiting] and not executor.waiting


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
