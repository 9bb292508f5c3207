"""Metrics for Prometheus, served at /metrics.

All metrics are sums over all tables and guests; none contains a name, an id, a game or a seat. Requests, commits and
bots' choices include secret choices, as docs/running.md says. With several workers, each keeps its numbers in a folder,
and the worker that answers /metrics adds them up.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

# environment variable with the folder; prometheus_client reads it when it is imported
MULTIPROCESS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
SAMPLE_INTERVAL_S = 2.0  # seconds between updates of the gauges
LATENCY_BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)  # seconds

MOVES = Counter(
    "courtly_moves",
    "Commands that spectators can notice (moves made together, or an undo); secret choices are not counted.",
)
COMMIT_SECONDS = Histogram(
    "courtly_commit_seconds", "Duration of a group commit, from its begin to the disk.", buckets=LATENCY_BUCKETS_S
)
COMMIT_JOBS = Histogram("courtly_commit_jobs", "Jobs in one group commit.", buckets=(1, 2, 5, 10, 20, 50, 100, 256))
REQUESTS = Counter("courtly_requests", "Requests answered, by the first digit of the status.", ["status"])
REQUEST_SECONDS = Histogram(
    "courtly_request_seconds", "Time from a request to the end of its response.", buckets=LATENCY_BUCKETS_S
)
BOT_SECONDS = Histogram(
    "courtly_bot_seconds", "Duration of a bot's choice, with its wait for a free process.", buckets=LATENCY_BUCKETS_S
)
SOCKETS = Gauge("courtly_sockets", "Open WebSockets.", multiprocess_mode="livesum")
TABLES = Gauge("courtly_tables", "Tables in memory.", ["status"], multiprocess_mode="livemax")
WAITING_WRITES = Gauge("courtly_writes_waiting", "Jobs that wait for the database thread.", multiprocess_mode="livesum")
LONGEST_SEND_QUEUE = Gauge(
    "courtly_outbox_longest", "Messages in the longest queue of a client.", multiprocess_mode="livemax"
)


def observe_request(status: int, duration_s: float) -> None:
    """Count a request with the status of its response and its duration in seconds."""
    REQUESTS.labels(f"{status // 100}xx").inc()
    REQUEST_SECONDS.observe(duration_s)


def exposition() -> bytes:
    """Return all metrics in the text format of Prometheus."""
    folder = os.environ.get(MULTIPROCESS_FOLDER_VARIABLE)
    if folder is None:
        return generate_latest(REGISTRY)
    for process in {int(file.stem.rpartition("_")[2]) for file in Path(folder).glob("gauge_live*.db")}:
        with suppress(PermissionError):  # the process is alive and belongs to another user
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                mark_process_dead(process)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)
