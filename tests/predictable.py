"""Makes what is dealt at the tables of a server follow from a seed, so that a test plays the same game every time.

Only tests can do this: `install` replaces functions of the running process. The seed of a table is in the header
`courtly-secret` of the request that opens it. A player who knows the seed knows every card.
"""

from collections import Counter
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path

from courtly.server.actions import seating
from courtly.server.http.middleware.request_log import RequestLog
from courtly.server.security.signed_tokens import random_table_id

SEED_HEADER = "courtly-secret"
# A program for the start of a server process.
INSTALL = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import predictable; predictable.install()"
seed = ContextVar[str | None]("seed", default=None)
_draw_table, table_counts = seating.draw_table, Counter()  # seed -> tables opened with it


def draw_table():
    """Return id and secret of a new table, from the seed of this request if it has one."""
    name = seed.get()
    if name is None:
        return _draw_table()
    table_counts[name] += 1
    secret = sha256(f"{name} {table_counts[name]}".encode()).digest()
    return random_table_id(sha256(secret).digest()), secret.hex()


def install(replace=setattr):
    """Take seeds from headers from now on, and leave out the players' numbers, which would change the dice."""
    open_table, sit, rematch, call = seating.open_table, seating.sit, seating.rematch, RequestLog.__call__

    async def open_without_number(application, guest, request):
        return await open_table(application, guest, request.model_copy(update={"nonce": None, "pledge": None}))

    async def sit_without_number(application, table, guest, wanted, nonce, colour=None, pledge=None):
        await sit(application, table, guest, wanted, "", colour)

    async def give_no_number(application, table, guest, seat, pledge, nonce):
        table.require_own_seat(guest, seat)

    async def rematch_without_number(application, table, guest, pledge=None):
        return await rematch(application, table, guest)

    async def call_with_seed(self, scope, receive, send):
        headers = dict(scope.get("headers", ()))
        seed.set(headers[SEED_HEADER.encode()].decode() if SEED_HEADER.encode() in headers else None)
        await call(self, scope, receive, send)

    replace(seating, "draw_table", draw_table)
    replace(seating, "open_table", open_without_number)
    replace(seating, "sit", sit_without_number)
    replace(seating, "give_number", give_no_number)
    replace(seating, "rematch", rematch_without_number)
    replace(RequestLog, "__call__", call_with_seed)
