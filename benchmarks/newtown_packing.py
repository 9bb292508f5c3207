"""Measures the packing tables of The King's New Town: seconds to compute them, and milliseconds to load them with all
other tables.

python benchmarks/newtown_packing.py
"""

from __future__ import annotations

import importlib
import json
import statistics
import time

import click

from courtly.games.newtown import packing, table


@click.command()
def main() -> None:
    started = time.perf_counter()
    computed = packing.tables()
    duration_s = time.perf_counter() - started
    assert computed == json.loads(packing.FILE.read_text("utf-8")), "packing.json differs from the result of the solver"
    loads = []
    for _ in range(50):
        started = time.perf_counter()
        importlib.reload(table)
        loads.append(1000 * (time.perf_counter() - started))
    click.echo(
        f"{len(computed)} targets: computed in {duration_s:.1f} s, "
        f"loaded in {statistics.median(loads):.2f} ms (median of {len(loads)})"
    )


if __name__ == "__main__":
    main()
