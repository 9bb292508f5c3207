"""What /metrics counts, for Prometheus: sums over all tables and all people, with no name, id, game or seat in them.
Requests, commits and bots' choices are counted whatever they are about, secret choices too: docs/running.md says so.
Of several processes behind one socket each keeps its numbers in a folder, and whichever is asked adds them up."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

# the folder, in the environment of each process from its start
MULTIPROCESS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
SAMPLE_INTERVAL_S = 2.0  # seconds between looks at what is not counted where it happens
LATENCY_BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)  # seconds

MOVES = Counter(
    "courtly_moves",
    "Commands about play that spectators can notice: moves made together, or taken back; no secret choice.",
)
COMMIT_SECONDS = Histogram(
    "courtly_commit_seconds", "A group of writes, from its begin to the disk.", buckets=LATENCY_BUCKETS_S
)
COMMIT_JOBS = Histogram(
    "courtly_commit_jobs", "Jobs that were committed together.", buckets=(1, 2, 5, 10, 20, 50, 100, 256)
)
REQUESTS = Counter("courtly_requests", "Requests answered, by the first digit of the status.", ["status"])
REQUEST_SECONDS = Histogram(
    "courtly_request_seconds", "From a request to the end of its answer.", buckets=LATENCY_BUCKETS_S
)
BOT_SECONDS = Histogram(
    "courtly_bot_seconds", "A bot's choice, its wait for a free process with it.", buckets=LATENCY_BUCKETS_S
)
SOCKETS = Gauge("courtly_sockets", "Open sockets.", multiprocess_mode="livesum")
TABLES = Gauge("courtly_tables", "Tables in memory.", ["status"], multiprocess_mode="livemax")
WAITING_WRITES = Gauge(
    "courtly_writes_waiting", "Jobs that wait for the thread that writes.", multiprocess_mode="livesum"
)
LONGEST_SEND_QUEUE = Gauge(
    "courtly_outbox_longest", "Messages that wait for the slowest reader.", multiprocess_mode="livemax"
)


def observe_request(status: int, took: float) -> None:
    REQUESTS.labels(f"{status // 100}xx").inc()
    REQUEST_SECONDS.observe(took)


def exposition() -> bytes:
    """As Prometheus reads it."""
    folder = os.environ.get(MULTIPROCESS_FOLDER_VARIABLE)
    if folder is None:
        return generate_latest(REGISTRY)
    for process in {int(file.stem.rpartition("_")[2]) for file in Path(folder).glob("gauge_live*.db")}:
        with suppress(PermissionError):  # it is alive, and another's
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                mark_process_dead(process)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)
