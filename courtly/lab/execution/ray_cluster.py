"""Batches of work on a Ray cluster: `--on ray` starts one on this machine, `--on ray://host:port` joins one.

Courtly is installed on every node; a node whose sources are others is told, not used. A batch carries its seeds, so a
node that ends takes nothing with it: what it was playing is played again by another, with the same outcome.
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
DEFAULT_PORT = 10001  # where Ray's clients are answered, unless an address says otherwise
CONNECT_TIMEOUT_S = 10.0  # seconds in which a cluster must answer
MAX_CONNECT_TRIES = 3  # to be let in
MAX_BATCH_RETRIES = 5  # times that a batch is played again whose node ended
OBJECT_STORE_BYTES = 512 << 20  # bytes for results on their way, on this machine
# What of the environment goes to nodes, so that they find the games.
FORWARDED_VARIABLES = ("COURTLY_GAMES", "COURTLY_WORKSHOP", "COURTLY_NATIVE")

chosen_address: str | None = None  # what --on says; None: work is done here


class ClusterUnavailableError(CourtlyError, ValueError):
    """There is none, or not one that can be used: says why in a line."""


def choose_cluster(address: str | None) -> None:
    """Where work is done from now on. ClusterUnavailableError if nobody answers there."""
    global chosen_address
    chosen_address = None
    if address and not find_spec("ray"):
        raise ClusterUnavailableError('there is no ray: pip install "courtly[cluster]"')
    if address and address != LOCAL_ADDRESS:
        if not _parse_address(address)[0]:
            raise ClusterUnavailableError(
                f"{address!r} is no cluster: {LOCAL_ADDRESS} is one on this machine, ray://host:port another"
            )
        try:
            socket.create_connection(_parse_address(address), CONNECT_TIMEOUT_S).close()
        except OSError as wrong:
            raise ClusterUnavailableError(f"no cluster answers at {address}: {wrong.strerror or wrong}") from None
    chosen_address = address


def _parse_address(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    try:
        return parts.hostname or "" if parts.scheme == "ray" else "", parts.port or DEFAULT_PORT
    except ValueError:
        return "", 0


def _connect(address: str, cores: int | None) -> Any:
    """Ray, connected to this cluster as long as this process runs."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # its makers are told nothing
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
        except (OSError, RuntimeError, ValueError) as wrong:  # what answers clients does not always begin at once
            if not left:
                raise ClusterUnavailableError(
                    f"{address} cannot be used: {str(wrong).strip().splitlines()[-1]}"
                ) from None
    return ray


@cache
def hash_sources(game: str) -> str:
    """A name for all that decides what a game gives: the same on every node, or batches would not fit. Asked before
    this process plays with other components."""
    found = hashlib.sha256()
    home = Path(courtly.__file__).parent
    folder = find_game(game).folder
    files = [file for part in ("engine", "bots", "lab") for file in sorted((home / part).rglob("*.py"))]
    for file in [*files, *sorted(folder.glob("*.py")), *sorted(folder.glob("*.json")), *sorted(folder.glob("*.toml"))]:
        found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    found.update(json.dumps(find_game(game).components, sort_keys=True).encode())
    return found.hexdigest()


def _run_on_node(carried: dict[str, str], expected: str, game: str, work: Callable[..., Any], *args: Any) -> Any:
    """On a node: what work gives, or what is wrong."""
    os.environ.update(carried)
    try:
        if hash_sources(game) != expected:
            return ClusterUnavailableError(
                f"the node {platform.node()} has another courtly, or another {game}: install what is here"
            )
        return work(*args)
    except Exception as wrong:
        return wrong


def make_executor(game: str, cores: int | None) -> RayExecutor | None:
    """The workers of the cluster, if one was chosen. ClusterUnavailableError says in a line why there is none."""
    return RayExecutor(chosen_address, game, cores) if chosen_address else None


class RayExecutor(Executor):
    """Processes on all nodes, that work on one game."""

    def __init__(self, address: str, game: str, cores: int | None):
        """ClusterUnavailableError says in a line why there is none."""
        self.ray = _connect(address, cores)
        self.task = self.ray.remote(num_cpus=1, max_retries=MAX_BATCH_RETRIES)(_run_on_node)
        self.game, self.sources = game, hash_sources(game)
        self.carried = {name: os.environ[name] for name in FORWARDED_VARIABLES if name in os.environ}
        there = int(self.ray.cluster_resources().get("CPU", 0))
        if not there:
            raise ClusterUnavailableError(f"{address} has no node that works")
        self.cores = min(there, cores or there)
        self.waiting: set[Any] = set()

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Its result raises what the work raises, ClusterUnavailableError if nobody can do it."""
        asked = self.task.remote(self.carried, self.sources, self.game, work, *args)
        self.waiting.add(asked)
        told: Future[Any] = Future()

        def tell(answer: Future[Any]) -> None:
            self.waiting.discard(asked)
            try:
                found = answer.result()
            except BaseException as wrong:  # the cluster's, not the work's
                said = str(wrong).strip().partition("\n")[0] or type(wrong).__name__
                found = ClusterUnavailableError(f"the cluster gave up a piece of work: {said}")
            if isinstance(found, Exception):
                told.set_exception(found)
            else:
                told.set_result(found)

        asked.future().add_done_callback(tell)
        return told

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for asked in tuple(self.waiting):
            self.ray.cancel(asked, force=True)
        self.waiting.clear()
