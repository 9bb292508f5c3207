"""What happens while a coroutine waits. Each test makes it happen at that moment."""

import asyncio
from types import SimpleNamespace

import pytest
from sqlalchemy import delete
from test_bot_driver import LOOKS, NEVER, FakeBots, bot_table, declare_ready
from test_refusals import raise_in_turn

from courtly.engine.position import CommandRefusedError
from courtly.server.actions import bot_decision, number_exchange_timers, seating
from courtly.server.actions.bot_decision import BotDecision
from courtly.server.actions.number_exchange_timers import NumberExchangeTimers
from courtly.server.assets import versions
from courtly.server.assets.asset import Asset
from courtly.server.assets.versions import AssetVersions
from courtly.server.cluster.advisory_locks import AdvisoryLocks
from courtly.server.http import responses
from courtly.server.http.responses import while_connected
from courtly.server.http.routes import account
from courtly.server.persistence.repository import RevisionConflictError
from courtly.server.persistence.schema import ASSET_FILES
from courtly.server.schemas.requests import NewTable
from courtly.server.tables.table import Subscriber
from courtly.session import number_exchange


def run_at_table(tmp_path, monkeypatch, script, *kinds, bots=None, **options):
    """Run `await script(application, table)` at a table at which "ada" sits, with bots that never decide."""

    async def run():
        fake_bots = bots or FakeBots(dict.fromkeys(range(len(kinds)), NEVER))
        async with bot_table(tmp_path, monkeypatch, fake_bots, *kinds, **options) as (application, table, _):
            if table.bot_task:
                table.bot_task.cancel()
                await asyncio.wait([table.bot_task])
            await script(application, table)

    asyncio.run(run())


# --- bots -------------------------------------------------------------------------------------------------------------


def test_a_bot_whose_turn_is_over_makes_no_move(tmp_path, monkeypatch):
    bots = FakeBots({1: NEVER})

    async def script(application, table):
        await declare_ready(application, table)  # a bot decides for Ada, who is ready
        requests, entries = dict(bots.requests), [*table.match.entries]
        decision = BotDecision(application, table, 0, 1.0, False)
        await decision.think_task
        assert await decision.reveal() == await decision._move_at_random() == 0
        assert bots.requests == requests and [*table.match.entries] == entries

    run_at_table(tmp_path, monkeypatch, script, "me", "bot", bots=bots)


def test_a_bot_that_is_stopped_while_it_thinks_makes_no_hidden_move(tmp_path, monkeypatch):
    bots = FakeBots({0: 5, 1: 5})
    choose = bots.choose

    async def script(application, table):
        async def choose_and_stop(*arguments):
            decision.stop()
            return await choose(*arguments)

        bots.choose, entries = choose_and_stop, [*table.match.entries]
        decision = BotDecision(application, table, 1, 1.0, False)
        await decision.think_task
        assert [*table.match.entries] == entries and bots.requests[1] > 0

    run_at_table(tmp_path, monkeypatch, script, "me", "bot", bots=bots)


def test_a_bot_in_a_hurry_that_finds_no_visible_move_ends_after_its_hidden_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_decision, "MAX_HIDDEN_MOVES", 1)

    async def script(application, table):
        count = len(table.match.entries)
        decision = BotDecision(application, table, 1, 1.0, False)
        decision.think_task.cancel()
        assert await decision._move_at_random() == 0  # only choices, which are hidden, are legal
        assert [entry.seat for entry in [*table.match.entries][count:]] == [1]

    run_at_table(tmp_path, monkeypatch, script, "me", "bot")


# --- seats ------------------------------------------------------------------------------------------------------------


def test_an_exchange_that_ends_while_the_server_stops_is_cancelled(monkeypatch):
    started, cancelled = asyncio.Event(), []

    async def end_exchange(*_):
        started.set()
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    monkeypatch.setattr(number_exchange_timers.seating, "end_exchange", end_exchange)
    monkeypatch.setattr(number_exchange_timers.number_exchange, "NUMBER_TIMEOUT_S", 0)
    monkeypatch.setattr(number_exchange_timers.number_exchange, "is_open", lambda *_: True)
    row = SimpleNamespace(id="t", dice_secret="s")
    table = SimpleNamespace(status="waiting", seats=(), exchange_timer=None, is_removed=False, row=row)

    async def run():
        timers = NumberExchangeTimers(SimpleNamespace(tables=SimpleNamespace(by_id={"t": table})))
        await started.wait()
        await timers.close()
        assert cancelled and table.exchange_timer is None

    asyncio.run(run())


def test_a_table_whose_only_guest_owes_a_number_is_removed(tmp_path, monkeypatch):
    """The guest has two seats and has sent the number of one."""

    async def script(application, _):
        seats, number = [{"kind": "me"}, {"kind": "open"}], "00" * 32
        pledge = number_exchange.fingerprint(number)
        request = NewTable(game="sealed_bids", players=2, options=LOOKS, seats=seats, pledge=pledge)
        table = await seating.open_table(application, "ada", request)
        await seating.sit(application, table, "ada", 1, "", pledge=pledge)
        await seating.give_number(application, table, "ada", 0, None, number)
        await seating.end_exchange(application, table, "another secret")
        assert not table.is_removed
        await seating.end_exchange(application, table, table.row.dice_secret)
        assert table.is_removed and table.row.id not in application.tables.by_id

    run_at_table(tmp_path, monkeypatch, script, "me", "bot")


async def open_with_ben(application):
    """Return a new table of Ada, who is connected, and of Ben, who is not and has no grace."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = await seating.open_table(
        application, "ada", NewTable(game="sealed_bids", players=2, options=LOOKS, seats=seats)
    )
    table.grace = 0
    table.add_subscriber(Subscriber("ada", SimpleNamespace(put=lambda text: None), {}))
    return table


def test_votes_before_the_start_and_for_a_seat_with_a_substitute_are_refused(tmp_path, monkeypatch):
    async def script(application, _):
        table = await open_with_ben(application)
        with pytest.raises(CommandRefusedError, match="error-not-started"):
            await seating.vote_substitute(application, table, "ada", 1)
        await seating.sit(application, table, "ben", None, "")
        await seating.vote_substitute(application, table, "ada", 1)
        assert table.seats[1].substitute_bot
        with pytest.raises(CommandRefusedError, match="error-substitute"):
            await seating.vote_substitute(application, table, "ada", 1)

    run_at_table(tmp_path, monkeypatch, script, "me", "bot")


@pytest.mark.parametrize(("is_same_vote", "tries"), [(True, 1), (False, 2)])
def test_a_vote_that_another_process_counts_first(tmp_path, monkeypatch, is_same_vote, tries):
    """The other process has either counted the same vote or changed something else."""

    async def script(application, _):
        table = await open_with_ben(application)
        await seating.sit(application, table, "ben", None, "")
        write, calls = application.tables.write, []

        async def write_after_another_process(*arguments):
            calls.append(arguments)
            if len(calls) == 1:
                if is_same_vote:
                    await write(*arguments)
                    await application.tables.reload(table)
                raise RevisionConflictError(table.row.id)
            await write(*arguments)

        application.tables.write = write_after_another_process
        await seating.vote_substitute(application, table, "ada", 1)
        assert len(calls) == tries and table.seats[1].substitute_bot

    run_at_table(tmp_path, monkeypatch, script, "me", "bot")


def test_one_of_two_browsers_uses_an_identity_link(tmp_path, monkeypatch):
    """Both read that the link is unused before either uses it."""

    async def script(application, _):
        await application.guests.load_name("ada")
        link = await account.make_identity_link(application, "ada")
        ticket, request = link["path"].rpartition("/")[2], SimpleNamespace(url=SimpleNamespace(scheme="https"))
        outcomes = await asyncio.gather(
            *(
                account.use_identity_link(
                    ticket, request, SimpleNamespace(set_cookie=lambda *_, **__: None), application, None
                )
                for _ in range(2)
            ),
            return_exceptions=True,
        )
        [refused] = [outcome for outcome in outcomes if isinstance(outcome, CommandRefusedError)]
        [signed_in] = [outcome for outcome in outcomes if isinstance(outcome, dict)]
        assert refused.id == "error-link-used" and signed_in["id"] == "ada"

    run_at_table(tmp_path, monkeypatch, script, "me", "bot")


# --- requests ---------------------------------------------------------------------------------------------------------


def test_the_work_for_a_client_that_disconnects_is_cancelled(monkeypatch):
    monkeypatch.setattr(responses, "DISCONNECT_POLL_S", 0.001)
    is_disconnected, calls = raise_in_turn(False, True)
    ended = []

    async def work():
        try:
            await asyncio.sleep(600)
        finally:
            ended.append(True)

    async def run():
        assert await while_connected(SimpleNamespace(is_disconnected=is_disconnected), work()) is None
        await asyncio.sleep(0)
        assert ended and len(calls) == 2

    asyncio.run(run())


def test_files_of_another_version_are_cached_and_may_be_deleted_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "MAX_CACHED_ASSETS", 1)
    edition = "a" * 16
    files = {path: Asset("text/javascript", path.encode(), None) for path in ("one.js", "two.js", "three.js")}

    async def script(application, _):
        shared = SimpleNamespace(engine=SimpleNamespace(dialect=SimpleNamespace(name="postgresql")))
        shared.do, reads = raise_in_turn(None)
        assets = AssetVersions(shared, SimpleNamespace(dev=False, hash="b" * 16))
        assets.close()

        def save(connection):
            versions._claim_version(connection, edition, 1)
            for path, asset in files.items():
                versions._save(connection, edition, path, asset)

        async def read(work):
            reads.append(work)
            return await application.writer.do(work)

        await application.writer.do(save)
        shared.do = read
        assert await assets.find(edition, "one.js") == files["one.js"]
        deletion = delete(ASSET_FILES).where(ASSET_FILES.c.path == "two.js")
        await application.writer.do(lambda c: c.execute(deletion) and None)
        assert await assets.find(edition, "two.js") is None
        assert await assets.find(edition, "three.js") == files["three.js"]
        count = len(reads)
        assert await assets.find(edition, "three.js") == files["three.js"] and len(reads) == count
        assert await assets.find(edition, "one.js") == files["one.js"] and len(reads) == count + 1

    run_at_table(tmp_path, monkeypatch, script, "me", "bot")


def test_locks_are_not_acquired_after_the_end(monkeypatch):
    async def run():
        locks = AdvisoryLocks("postgresql://nowhere.example/none")
        await locks.close()
        assert not await locks.acquire("anything")

    asyncio.run(run())
