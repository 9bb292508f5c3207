"""Houses in which hours are short."""

BEGIN = 1_700_000_000_000
# What a server runs before: since the time SINCE everything takes 1/FAST of its time.
QUICK = f"""
import os, time; from types import SimpleNamespace; from courtly.server import flags, tables
fast = float(os.environ["FAST"])
since = lambda: (time.time() - float(os.environ["SINCE"])) * fast + {BEGIN // 1000}
tables.time = SimpleNamespace(time_ns=lambda: int(since() * 10**9), monotonic=time.monotonic)
later, flags.later = flags.later, lambda seconds, call: later(seconds / fast, call)
"""
