"""Permissions are checked again before a request for hints is answered, since a player may have disagreed or given the
seat away meanwhile.
"""

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from courtly.engine.position import CommandRefusedError
from courtly.server.schemas.requests import HintRequest
from courtly.server.services.hints import HintService


class FakeTable(SimpleNamespace):
    """A table with a running match and a request for hints in progress."""

    def require_own_seat(self, guest, seat):
        if guest != self.guest:
            raise CommandRefusedError("error-not-yours")
        return self.seat


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"help": "off"}, "error-no-help"),
        ({"guest": "ben"}, "error-not-yours"),
        ({"seat": SimpleNamespace(substitute_bot="squire")}, "error-substitute"),
        ({}, None),
    ],
)
def test_changes_during_the_search_count(change, error):
    async def main():
        search_result = asyncio.get_running_loop().create_future()
        match = SimpleNamespace(over=False, seq=lambda seat: 3, view=lambda seat: {"legal": [1, 2]})
        table = FakeTable(
            help="on",
            guest="ada",
            seat=SimpleNamespace(substitute_bot=None),
            advice={(0, True): (3, search_result)},
            require_match=lambda: match,
            guard_rules=nullcontext,
            row=SimpleNamespace(game="puppet"),
        )
        hints = HintService.__new__(HintService)
        request = asyncio.create_task(hints.advise(table, "ada", HintRequest(seat=0, seq=3), "10.0.0.1"))
        await asyncio.sleep(0)
        vars(table).update(change)
        search_result.set_result({"wins": [500, 500]})
        if error is None:
            assert (await request)["wins"] == [500, 500]
            return
        with pytest.raises(CommandRefusedError) as refusal:
            await request
        assert refusal.value.id == error

    asyncio.run(main())
