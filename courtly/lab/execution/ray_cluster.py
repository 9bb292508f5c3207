"""Execution of batches on a Ray cluster: `--on ray` starts one on this machine, `--on ray://host:port` joins one.

Courtly must be installed on every node; a node with other sources reports an error instead of playing. A batch contains
its seeds, so if a node fails, another one plays the batch again with the same result.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import socket
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import courtly
from courtly.engine.errors import CourtlyError
from courtly.engine.game import find_game

LOCAL_ADDRESS = "ray"
DEFAULT_PORT = 10001  # of Ray's client server
CONNECT_TIMEOUT_S = 10.0
MAX_CONNECT_TRIES = 3
MAX_BATCH_RETRIES = 5  # for a batch whose node failed
OBJECT_STORE_BYTES = 512 << 20  # memory for results in transit, for a cluster on this machine
# Environment variables that are forwarded to nodes, so that they find the games.
FORWARDED_VARIABLES = ("COURTLY_GAMES", "COURTLY_WORKSHOP", "COURTLY_NATIVE")

chosen_address: str | None = None  # the address given by --on; None to work in this process


class ClusterUnavailableError(CourtlyError, ValueError):
    """There is no usable cluster. The message says why in one line."""


def choose_cluster(address: str | None) -> None:
    """Set the cluster for all later work; None to work locally. Raises ClusterUnavailableError if Ray is not installed
    or no cluster answers."""
    global chosen_address
    chosen_address = None
    if address and not find_spec("ray"):
        raise ClusterUnavailableError('ray is not installed: pip install "courtly[cluster]"')
    if address and address != LOCAL_ADDRESS:
        if not _parse_address(address)[0]:
            raise ClusterUnavailableError(
                f"{address!r} is not a cluster address: use {LOCAL_ADDRESS} for this machine, or ray://host:port"
            )
        try:
            socket.create_connection(_parse_address(address), CONNECT_TIMEOUT_S).close()
        except OSError as error:
            raise ClusterUnavailableError(f"no cluster answers at {address}: {error.strerror or error}") from None
    chosen_address = address


def _parse_address(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    try:
        return parts.hostname or "" if parts.scheme == "ray" else "", parts.port or DEFAULT_PORT
    except ValueError:
        return "", 0


def _connect(address: str, cores: int | None) -> Any:
    """Return the ray module, connected to this cluster for the rest of the process."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    if ray.is_initialized():
        return ray
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == LOCAL_ADDRESS:
        ray.init(num_cpus=cores, include_dashboard=False, object_store_memory=OBJECT_STORE_BYTES, **quiet)
        return ray
    for left in reversed(range(MAX_CONNECT_TRIES)):
        try:
            ray.init(address, **quiet)
            break
        except (OSError, RuntimeError, ValueError) as error:  # the client server may not be ready yet
            if not left:
                raise ClusterUnavailableError(
                    f"{address} cannot be used: {str(error).strip().splitlines()[-1]}"
                ) from None
    return ray


@cache
def hash_sources(game: str) -> str:
    """Return a hash of everything that determines a game's results, which must be the same on every node.

    Call it before this process switches to other components.
    """
    digest = hashlib.sha256()
    package_folder = Path(courtly.__file__).parent
    folder = find_game(game).folder
    files = [file for part in ("engine", "bots", "lab") for file in sorted((package_folder / part).rglob("*.py"))]
    for file in [*files, *sorted(folder.glob("*.py")), *sorted(folder.glob("*.json")), *sorted(folder.glob("*.toml"))]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(json.dumps(find_game(game).components, sort_keys=True).encode())
    return digest.hexdigest()


def _run_on_node(environment: dict[str, str], expected: str, game: str, work: Callable[..., Any], *args: Any) -> Any:
    """Run on a node: return the work's result, or the exception that it raised."""
    os.environ.update(environment)
    try:
        if hash_sources(game) != expected:
            return ClusterUnavailableError(
                f"the node {platform.node()} has another version of courtly or {game}: install the one of this machine"
            )
        return work(*args)
    except Exception as error:
        return error


def make_executor(game: str, cores: int | None) -> RayExecutor | None:
    """Return an executor on the chosen cluster, or None if no cluster was chosen. Raises ClusterUnavailableError if it
    cannot be used."""
    return RayExecutor(chosen_address, game, cores) if chosen_address else None


class RayExecutor(Executor):
    """An executor whose processes run on all nodes and play one game."""

    def __init__(self, address: str, game: str, cores: int | None):
        """Connect to the cluster.

        Args:
            address: "ray" or ray://host:port.
            game: The game's id.
            cores: Largest number of batches at a time. Default: all cores of the cluster.

        Raises:
            ClusterUnavailableError: The cluster cannot be used or has no CPUs.
        """
        self.ray = _connect(address, cores)
        self.task = self.ray.remote(num_cpus=1, max_retries=MAX_BATCH_RETRIES)(_run_on_node)
        self.game, self.sources = game, hash_sources(game)
        self.environment = {name: os.environ[name] for name in FORWARDED_VARIABLES if name in os.environ}
        cluster_cores = int(self.ray.cluster_resources().get("CPU", 0))
        if not cluster_cores:
            raise ClusterUnavailableError(f"{address} has no CPUs")
        self.cores = min(cluster_cores, cores or cluster_cores)
        self.waiting: set[Any] = set()

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a function. The future raises what the function raises, or ClusterUnavailableError if the cluster
        loses the task."""
        reference = self.task.remote(self.environment, self.sources, self.game, work, *args)
        self.waiting.add(reference)
        future: Future[Any] = Future()

        def set_result(answer: Future[Any]) -> None:
            self.waiting.discard(reference)
            try:
                outcome = answer.result()
            except BaseException as error:  # raised by the cluster, not by the work
                cause = str(error).strip().partition("\n")[0] or type(error).__name__
                outcome = ClusterUnavailableError(f"the cluster lost a batch: {cause}")
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

        reference.future().add_done_callback(set_result)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel all waiting tasks."""
        for reference in tuple(self.waiting):
            self.ray.cancel(reference, force=True)
        self.waiting.clear()
