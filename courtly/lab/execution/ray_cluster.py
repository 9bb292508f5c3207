"""Pieces of work on a Ray cluster: `--on ray` starts one on this machine, `--on ray://host:port` joins one.

Courtly is installed on every node; a node whose sources are others is told, not used. A piece carries its seeds, so a
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
from courtly.engine.game import find_game

LOCAL = "ray"
PORT = 10001  # where Ray's clients are answered, unless an address says otherwise
PATIENCE = 10.0  # seconds in which a cluster must answer
TRIES = 3  # to be let in
AGAIN = 5  # times that a piece is played again whose node ended
STORE = 512 << 20  # bytes for results on their way, on this machine
# What of the environment goes to nodes, so that they find the games.
CARRIED = ("COURTLY_GAMES", "COURTLY_WORKSHOP", "COURTLY_NATIVE")

chosen: str | None = None  # what --on says; None: work is done here


class NoCluster(ValueError):
    """There is none, or not one that can be used: says why in a line."""


def choose(address: str | None) -> None:
    """Where work is done from now on. NoCluster if nobody answers there."""
    global chosen
    chosen = None
    if address and not find_spec("ray"):
        raise NoCluster('there is no ray: pip install "courtly[cluster]"')
    if address and address != LOCAL:
        if not _at(address)[0]:
            raise NoCluster(f"{address!r} is no cluster: {LOCAL} is one on this machine, ray://host:port another")
        try:
            socket.create_connection(_at(address), PATIENCE).close()
        except OSError as wrong:
            raise NoCluster(f"no cluster answers at {address}: {wrong.strerror or wrong}") from None
    chosen = address


def _at(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    try:
        return parts.hostname or "" if parts.scheme == "ray" else "", parts.port or PORT
    except ValueError:
        return "", 0


def _joined(address: str, cores: int | None) -> Any:
    """Ray, connected to this cluster as long as this process runs."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # its makers are told nothing
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    if ray.is_initialized():
        return ray
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == LOCAL:
        ray.init(num_cpus=cores, include_dashboard=False, object_store_memory=STORE, **quiet)
        return ray
    for left in reversed(range(TRIES)):
        try:
            ray.init(address, **quiet)
            break
        except (OSError, RuntimeError, ValueError) as wrong:  # what answers clients does not always begin at once
            if not left:
                raise NoCluster(f"{address} cannot be used: {str(wrong).strip().splitlines()[-1]}") from None
    return ray


@cache
def sources(game: str) -> str:
    """A name for all that decides what a game gives: the same on every node, or pieces would not fit. Asked before this
    process plays with other components."""
    found = hashlib.sha256()
    home = Path(courtly.__file__).parent
    folder = find_game(game).folder
    files = [file for part in ("engine", "bots", "lab") for file in sorted((home / part).rglob("*.py"))]
    for file in [*files, *sorted(folder.glob("*.py")), *sorted(folder.glob("*.json")), *sorted(folder.glob("*.toml"))]:
        found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    found.update(json.dumps(find_game(game).components, sort_keys=True).encode())
    return found.hexdigest()


def _done(carried: dict[str, str], expected: str, game: str, work: Callable[..., Any], *args: Any) -> Any:
    """On a node: what work gives, or what is wrong."""
    os.environ.update(carried)
    try:
        if sources(game) != expected:
            return NoCluster(f"the node {platform.node()} has another courtly, or another {game}: install what is here")
        return work(*args)
    except Exception as wrong:
        return wrong


def crew(game: str, cores: int | None) -> Cluster | None:
    """The workers of the cluster, if one was chosen. NoCluster says in a line why there is none."""
    return Cluster(chosen, game, cores) if chosen else None


class Cluster(Executor):
    """Processes on all nodes, that work on one game."""

    def __init__(self, address: str, game: str, cores: int | None):
        """NoCluster says in a line why there is none."""
        self.ray = _joined(address, cores)
        self.task = self.ray.remote(num_cpus=1, max_retries=AGAIN)(_done)
        self.game, self.sources = game, sources(game)
        self.carried = {name: os.environ[name] for name in CARRIED if name in os.environ}
        there = int(self.ray.cluster_resources().get("CPU", 0))
        if not there:
            raise NoCluster(f"{address} has no node that works")
        self.cores = min(there, cores or there)
        self.waiting: set[Any] = set()

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Its result raises what the work raises, NoCluster if nobody can do it."""
        asked = self.task.remote(self.carried, self.sources, self.game, work, *args)
        self.waiting.add(asked)
        told: Future[Any] = Future()

        def tell(answer: Future[Any]) -> None:
            self.waiting.discard(asked)
            try:
                found = answer.result()
            except BaseException as wrong:  # the cluster's, not the work's
                said = str(wrong).strip().partition("\n")[0] or type(wrong).__name__
                found = NoCluster(f"the cluster gave up a piece of work: {said}")
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
