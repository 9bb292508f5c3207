"""A database that refuses, a removed table or a worker that fails ends no timer, bot, notification or hint."""

import asyncio
import math
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from sqlalchemy import delete, update
from sqlalchemy.exc import OperationalError
from test_bot_driver import NEVER, FakeBots, bot_table, declare_ready

from courtly.bots.runtime.worker_pool import BotError, BotTimeoutError
from courtly.engine.match import Match
from courtly.engine.position import CommandRefusedError
from courtly.server import timekeeping
from courtly.server.actions import bot_driver, number_exchange_timers, seating
from courtly.server.actions.flag_timers import FlagTimers
from courtly.server.actions.number_exchange_timers import NumberExchangeTimers
from courtly.server.http.routes import notification_settings
from courtly.server.persistence.integrity_check import check_table
from courtly.server.persistence.repository import NotificationSetting, digest_of
from courtly.server.persistence.schema import JOURNAL, SEATS, TABLES
from courtly.server.schemas.requests import HintRequest, NewTable, PostChat, SetNotifications
from courtly.server.services import analysis_jobs, notification_delivery, turn_notifications
from courtly.server.services.analysis_jobs import AnalysisJobs
from courtly.server.services.hints import HintService
from courtly.server.services.notification_delivery import DeliveryError, NotificationDelivery, TurnMessage
from courtly.server.services.replay_cache import ReplayCache
from courtly.server.services.turn_notifications import TurnNotifications
from courtly.server.settings import Settings
from courtly.server.sync.peer_event_handlers import PeerEventHandlers
from courtly.server.tables import registry as tables_registry

REFUSED = OperationalError("SELECT 1", {}, Exception("the disk is full"))
REMOVED = CommandRefusedError("error-unknown-table")


def raise_in_turn(*outcomes):
    """Return a coroutine function that raises or returns these, one at each call, and the list of calls."""
    left, calls = [*outcomes], []

    async def call(*arguments, **_):
        calls.append(arguments)
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return call, calls


# --- the exchange of numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("outcomes", "retries"), [((REFUSED, None), 2), ((REMOVED,), 1)])
def test_an_exchange_ends_when_the_database_works_again(monkeypatch, caplog, outcomes, retries):
    end_exchange, calls = raise_in_turn(*outcomes)
    table = SimpleNamespace(
        status="waiting", seats=(), exchange_timer=None, is_removed=False, row=SimpleNamespace(id="t", dice_secret="s")
    )
    monkeypatch.setattr(number_exchange_timers.seating, "end_exchange", end_exchange)
    monkeypatch.setattr(number_exchange_timers, "STORAGE_RETRY_DELAY_S", 0)
    monkeypatch.setattr(number_exchange_timers.number_exchange, "NUMBER_TIMEOUT_S", 0)
    monkeypatch.setattr(number_exchange_timers.number_exchange, "is_open", lambda *_: len(calls) < 2)

    async def run():
        application = SimpleNamespace(tables=SimpleNamespace(by_id={"t": table}))
        timers = NumberExchangeTimers(application)
        while len(calls) < retries or timers._tasks:
            await asyncio.sleep(0.001)
        await timers.close()
        assert calls == [(application, table, "s")] * retries and table.exchange_timer is None

    asyncio.run(run())
    assert ("exchange of table t not ended: the database refused" in caplog.text) == (retries == 2)


# --- flags ------------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def flag_timers_of(**parts):
    """The flag timers of an application with these parts."""
    timers = FlagTimers(SimpleNamespace(peers=SimpleNamespace(has_peers=False, has_duty=True), **parts))
    try:
        yield timers
    finally:
        for task in timers._tasks:
            task.cancel()
        timekeeping.TIMEKEEPER.remove_observer(timers._note_gap)


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (REFUSED, "flag of table t delayed: the database refused: "),
        (REMOVED, ""),
        (SimpleNamespace(lock=asyncio.Lock(), clocks=None), ""),
    ],
)
def test_a_flag_that_cannot_be_checked_is_left_to_the_next_sweep(caplog, outcome, message):
    get, calls = raise_in_turn(outcome)

    async def run():
        async with flag_timers_of(tables=SimpleNamespace(by_id={}, get=get)) as timers:
            await timers._handle_flag("t")
            timers.application.peers.has_duty = False
            await timers._handle_flag("t")  # another process checks tables that no process has in memory

    asyncio.run(run())
    assert calls == [("t",)]
    assert message in caplog.text and bool(caplog.text) == bool(message)


def test_a_note_that_is_refused_is_stored_later(caplog):
    do, calls = raise_in_turn(REFUSED, 0)
    table = SimpleNamespace(row=SimpleNamespace(clock="3+2"), status="playing")

    async def run():
        writer, tables = SimpleNamespace(do=do), SimpleNamespace(by_id={"t": table})
        async with flag_timers_of(writer=writer, tables=tables) as timers:
            await timers._store_open_note()
            await timers._store_open_note()

    asyncio.run(run())
    assert len(calls) == 2 and caplog.text.count("open note not stored: the database refused") == 1


@pytest.mark.parametrize("lag_ms", [40, -7000])
def test_a_process_that_joins_others_adopts_their_time(monkeypatch, caplog, lag_ms):
    shifts = []
    monkeypatch.setattr(timekeeping, "TIMEKEEPER", Mock(shift=shifts.append))

    @asynccontextmanager
    async def claim_opening(_was_serving):
        yield False

    async def run():
        measure_lag, _ = raise_in_turn(lag_ms)
        do, _ = raise_in_turn(([], False))
        peers = SimpleNamespace(has_peers=False, claim_opening=claim_opening, measure_lag=measure_lag)
        application = SimpleNamespace(
            peers=peers, closures=[], writer=SimpleNamespace(do=do), tables=SimpleNamespace(by_id={})
        )
        timers = await FlagTimers.start(application)
        for task in timers._tasks:
            task.cancel()

    asyncio.run(run())
    assert shifts == ([lag_ms] if lag_ms == -7000 else [])
    assert ("adopting the time of the other processes: -7 s" in caplog.text) == bool(shifts)


# --- bots -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ((REFUSED, 1.0), "bots at table t: the database refused: "),
        ((REMOVED,), ""),
        ((ZeroDivisionError("rules"),), "bots at table t stop until the next move of a player"),
    ],
)
def test_bots_stop_or_try_again(monkeypatch, caplog, outcomes, message):
    decide, calls = raise_in_turn(*outcomes)
    pauses, pause_calls = raise_in_turn(None)
    monkeypatch.setattr(bot_driver, "_decide_together", decide)
    monkeypatch.setattr(bot_driver, "sleep", pauses)
    monkeypatch.setattr(bot_driver, "_pending_bot_seats", lambda table: [0] if len(calls) < 2 else [])
    application = SimpleNamespace(settings=SimpleNamespace(bot_pause=1.0))
    asyncio.run(bot_driver._decide_repeatedly(application, SimpleNamespace(row=SimpleNamespace(id="t"))))
    assert len(calls) == len(outcomes) and len(pause_calls) == (outcomes[0] is REFUSED)
    assert message in caplog.text and bool(caplog.text) == bool(message)


# --- damaged tables ---------------------------------------------------------------------------------------------------


def fail_to_replay(*_):
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (delete(SEATS), "the table has no seats"),
        (delete(JOURNAL).where(JOURNAL.c.ply > 2), "the journal ends in the middle of random events"),
        (update(TABLES).values(ended_at=5), "the table is marked as over, but the journal does not end the game"),
        (None, "the table cannot be read: ZeroDivisionError"),
    ],
)
def test_damage_of_a_table_is_found(tmp_path, monkeypatch, change, problem):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):

            async def find():
                return await application.writer.do(lambda c: check_table(c, table.row.id))

            assert await find() is None
            if change is None:
                monkeypatch.setattr(Match, "replay", fail_to_replay)
            else:
                await application.writer.do(lambda c: c.execute(change) and None)
            assert (await find()).problem == problem

    asyncio.run(run())


# --- notifications ----------------------------------------------------------------------------------------------------


def test_a_topic_of_ntfy_is_in_the_message(tmp_path, monkeypatch):
    delivery = NotificationDelivery(Settings(tmp_path, address="https://games.example"))
    send, calls = raise_in_turn(None)
    monkeypatch.setattr(delivery.webhooks, "send", send)
    setting = NotificationSetting("ada", webhook_url="https://ntfy.example/ada-turns", webhook_format="ntfy")
    notice = TurnMessage("Petition", "t", "It is your turn", "", "https://games.example/t", "")
    asyncio.run(delivery.send_to_webhook(setting, notice))
    body = {"topic": "ada-turns", "message": "It is your turn", "click": "https://games.example/t"}
    assert calls == [("https://ntfy.example/", body, None, ())]


@pytest.mark.parametrize(("failure", "message"), [(None, "no answer within 0.01 s"), (OSError("refused"), "refused")])
def test_a_mail_server_that_refuses_or_does_not_answer(tmp_path, monkeypatch, failure, message):
    aiosmtplib = pytest.importorskip("aiosmtplib", reason='aiosmtplib is missing: pip install "courtly[notices]"')
    settings = Settings(tmp_path, address="https://games.example", mail="smtp://localhost", mail_from="a@games.example")
    monkeypatch.setattr(notification_delivery, "MAIL_TIMEOUT_S", 0.01)

    async def send(*_, **__):
        if failure:
            raise failure
        await asyncio.sleep(600)

    monkeypatch.setattr(aiosmtplib, "send", send)
    setting = NotificationSetting("ada", email="ada@home.example")
    notice = TurnMessage("Petition", "t", "It is your turn", "It is your turn", "https://games.example/t", "")
    with pytest.raises(DeliveryError, match=message):
        asyncio.run(NotificationDelivery(settings).send_mail(setting, notice))


# --- replays, hints and chat ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "error_id"),
    [(BotTimeoutError("it did not answer within 10 s"), "error-too-large"), (BotError("no memory"), "error-server")],
)
def test_a_record_that_cannot_be_replayed_is_refused(tmp_path, failure, error_id):
    async def run():
        cache = ReplayCache(Settings(tmp_path))
        cache._worker.ask, _ = raise_in_turn(failure)
        with pytest.raises(CommandRefusedError, match=error_id):
            await cache.replay_record("{}", "ada", "127.0.0.1", "all")
        cache.request_limit.take = lambda *_: False
        with pytest.raises(CommandRefusedError, match="error-too-fast"):
            await cache.replay_record("{}", "ada", "127.0.0.1", "all")

    asyncio.run(run())


def test_the_squire_gives_a_hint_if_the_search_fails(tmp_path, monkeypatch, caplog):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            view = table.require_match().view(0)
            move = view["legal"][-1]
            hints = HintService(application.bots, application.settings)
            hints.workers.ask, _ = raise_in_turn(BotError("no memory"))
            application.bots.ask, calls = raise_in_turn({"move": move["id"]})
            advice = await hints._make_advice("sealed_bids", "ada", "127.0.0.1", view, True)
            assert [hint["move"] for hint in advice["hints"]] == [move] and calls[0][0] == "simple-move"

    asyncio.run(run())
    assert "search of sealed_bids failed for a hint, using the squire's move: no memory" in caplog.text


def test_chat_is_refused_at_a_removed_table_and_beyond_the_limit(tmp_path, monkeypatch, caplog):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            chat, post = application.chat, PostChat(text="hello")
            chat.read, _ = raise_in_turn(REFUSED)
            await chat._send_newest(table, SimpleNamespace(guest="ada"))  # the client asks again when it reconnects
            chat.rate_limit.take = lambda *_: False
            with pytest.raises(CommandRefusedError, match="error-too-fast"):
                await chat.post(table, "ada", post, "127.0.0.1")
            table.is_removed = True
            with pytest.raises(CommandRefusedError, match="error-unknown-table"):
                await chat.post(table, "ada", post, "127.0.0.1")

    asyncio.run(run())
    assert "not read: the database refused" in caplog.text


# --- notifications that cannot be sent or stored ----------------------------------------------------------------------


@pytest.fixture
def notifications(tmp_path, monkeypatch):
    """Turn notifications for Ada, whose turn it is, with a database that answers by `answers`, and no pauses."""
    answers = []

    async def do(_work):
        answer = answers.pop(0) if answers else None
        if isinstance(answer, Exception):
            raise answer
        return answer

    service = TurnNotifications(
        SimpleNamespace(settings=Settings(tmp_path, address="https://games.example"), writer=SimpleNamespace(do=do))
    )
    service.settings["ada"] = NotificationSetting("ada", email="ada@home.example")
    service.due, service.answers = {"ada"}, answers
    monkeypatch.setattr(service, "_due_guests", lambda *_: service.due)
    monkeypatch.setattr(service, "_make_message", lambda *_: "message")
    monkeypatch.setattr(turn_notifications, "sleep", lambda _: asyncio.sleep(0))
    return service


NOTIFIED_TABLE = SimpleNamespace(row=SimpleNamespace(id="t"))


def test_a_mail_is_tried_again_and_given_up(notifications, caplog):
    tries = len(turn_notifications.RETRY_DELAYS_S)
    for failures in (2, tries):
        outcomes = [DeliveryError("no answer within 10 s")] * failures + [None]
        notifications.delivery.send_mail, calls = raise_in_turn(*outcomes)
        assert asyncio.run(notifications._deliver_mail(NOTIFIED_TABLE, "ada"))
        assert len(calls) == min(failures + 1, tries)
    assert caplog.text.count("table t: mail given up: no answer within 10 s") == 1
    notifications.due = set()
    assert not asyncio.run(notifications._deliver_mail(NOTIFIED_TABLE, "ada")), "it is not her turn any more"


@pytest.mark.parametrize(
    ("is_due", "answers", "is_forgotten", "message"),
    [
        (False, [None], True, ""),
        (True, [False, REFUSED], False, "notification of table t: the database refused: "),
        (True, [REMOVED], True, ""),
    ],
)
def test_a_notification_that_is_not_needed_or_cannot_be_stored(
    notifications, caplog, is_due, answers, is_forgotten, message
):
    notifications.due = {"ada"} if is_due else set()
    notifications._notified["t"] = {"ada"}
    notifications.answers.extend(answers)
    asyncio.run(notifications._notify(NOTIFIED_TABLE, "ada"))
    assert ("t" not in notifications._notified) == is_forgotten
    assert message in caplog.text and bool(caplog.text) == bool(message)


def test_settings_whose_channel_does_not_answer_are_refused(notifications):
    notifications.delivery.send_to_webhook, _ = raise_in_turn(DeliveryError("answered 404", 404))
    setting = NotificationSetting("ben", webhook_url="https://hooks.example/")
    with pytest.raises(CommandRefusedError, match="error-webhook") as refused:
        asyncio.run(notifications.test_and_store(setting, False))
    assert refused.value.args_ == {"why": "silent", "status": 404} and "ben" not in notifications.settings


def test_stored_notifications_are_not_sent_again(notifications):
    async def run():
        notifications.answers.append([("t", "ada")])
        await notifications.activate()
        assert notifications._notified == {"t": {"ada"}}
        await notifications.close()

    asyncio.run(run())


def test_a_notification_that_cannot_be_deleted_is_logged(notifications, caplog):
    notifications.answers.append(REFUSED)
    asyncio.run(notifications._delete_stored({("t", "ada")}))
    assert "notifications not deleted: the database refused" in caplog.text


# --- idle tables ------------------------------------------------------------------------------------------------------


def test_idle_tables_are_unloaded_and_unfilled_ones_deleted(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, _, _):
            registry, seats = application.tables, [{"kind": "me"}, {"kind": "open"}]
            request = NewTable(game="sealed_bids", players=2, options={"looks": 0}, seats=seats)
            table = await seating.open_table(application, "ben", request)
            await registry._clean_up_table(table)
            assert table.row.id in registry.by_id, "it is new"
            table.last_used_at = -math.inf
            await registry._clean_up_table(table)
            assert table.row.id in registry.by_id, "guests may still come"
            table.row = replace(table.row, created_at=0)
            await registry._clean_up_table(table)
            assert table.is_removed and table.row.id not in registry.by_id
            with pytest.raises(CommandRefusedError, match="error-unknown-table"):
                await registry.get(table.row.id)

    asyncio.run(run())


def test_an_idle_game_is_loaded_again_from_its_journal(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            entries = [*table.match.entries]
            table.bot_task.cancel()
            await asyncio.wait([table.bot_task])
            table.last_used_at = -math.inf
            await application.tables._clean_up_table(table)
            assert table.match is None
            assert [*(await application.tables.get(table.row.id)).match.entries] == entries

    asyncio.run(run())


def test_a_table_in_use_is_not_dropped_for_another(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            registry = application.tables
            monkeypatch.setattr(registry, "_settings", replace(application.settings, tables=1))
            with pytest.raises(CommandRefusedError, match="error-too-many-tables"):
                registry.evict_idle()
            table.bot_task.cancel()
            await asyncio.wait([table.bot_task])
            registry.evict_idle()
            assert not registry.by_id

    asyncio.run(run())


def test_a_commit_that_is_uncertain_is_resolved_when_the_database_answers(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            monkeypatch.setattr(tables_registry, "STORAGE_RETRY_DELAY_S", 0)
            for outcomes in ((REFUSED, None), (REMOVED,)):
                application.tables.reload, calls = raise_in_turn(*outcomes)
                await application.tables._resolve(table)
                assert len(calls) == len(outcomes)

    asyncio.run(run())


# --- events of other processes, and late commands ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (REMOVED, ""),
        (REFUSED, "handling an event of another process failed: the database refused: "),
        (ZeroDivisionError("rules"), "handling an event of another process failed\n"),
    ],
)
def test_an_event_of_another_process_that_cannot_be_handled_affects_no_other(
    tmp_path, monkeypatch, caplog, outcome, message
):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, _, _):
            handlers, (handle, calls) = PeerEventHandlers(application), raise_in_turn(outcome, None)
            for _ in range(2):
                handlers.start_task(handle())
            await asyncio.gather(*handlers._tasks)
            assert len(calls) == 2

    asyncio.run(run())
    assert message in caplog.text and bool(caplog.text) == bool(message)


def test_entries_that_do_not_fit_are_read_from_the_database(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            application.tables.reload, calls = raise_in_turn(None)
            monkeypatch.setattr(PeerEventHandlers, "_is_followed", lambda *_: True)
            count, seat = len(table.match.entries), 0
            entry = [count, seat, 99, 1, 1, 0]  # no such move
            await PeerEventHandlers(application)._handle_moves("process", table.row.id, [entry])
            assert calls == [(table,)]

    asyncio.run(run())


def test_late_commands_find_a_removed_table_or_nothing_to_do(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            revision = table.row.revision
            await seating.end_exchange(application, table, table.row.dice_secret)  # the game has begun
            assert table.row.revision == revision and not table.is_removed
            table.is_removed = True
            with pytest.raises(CommandRefusedError, match="error-unknown-table"):
                await seating.set_chat_muted(application, table, "ada", True)

    asyncio.run(run())


def test_hints_after_the_end_and_out_of_turn_are_refused(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, table, _):
            hints, request = application.hints, HintRequest(seat=0, seq=table.match.seq(0))
            monkeypatch.setattr(hints, "_require_consent", lambda *_: None)
            await declare_ready(application, table)
            with pytest.raises(CommandRefusedError, match="error-stale"):
                await hints.advise(table, "ada", request, "10.0.0.1")
            request = HintRequest(seat=0, seq=table.match.seq(0))
            with pytest.raises(CommandRefusedError, match="error-not-your-turn"):
                await hints.advise(table, "ada", request, "10.0.0.1")
            table.match.state.pending = 0
            with pytest.raises(CommandRefusedError, match="error-over"):
                await hints.advise(table, "ada", request, "10.0.0.1")

    asyncio.run(run())


def test_a_deletion_that_another_process_made_ends_the_connections(tmp_path, monkeypatch):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, _, _):
            ends, guests = Mock(), application.guests
            with guests.register_connection("ada", ends.ada), guests.register_connection("ben", ends.ben):
                guests.note_deletions({digest_of("ada")})
                guests.note_deletions({digest_of("ada")})
            assert ends.ada.call_count == 1 and not ends.ben.called

    asyncio.run(run())


@pytest.mark.parametrize(("email", "error_id"), [("nobody", "error-mail"), ("ada@home.example", "error-too-fast")])
def test_mail_addresses_are_checked_and_limited(tmp_path, monkeypatch, email, error_id):
    async def run():
        async with bot_table(tmp_path, monkeypatch, FakeBots({1: NEVER}), "me", "bot") as (application, _, _):
            application.turn_notifications.delivery.channels = ("email",)
            application.mail_limit.take = lambda _: False
            request, body = SimpleNamespace(client=None), SetNotifications(language="en", email=email)
            with pytest.raises(CommandRefusedError) as refused:
                await notification_settings.change_settings(body, request, application, "ada")
            assert refused.value.id == error_id and "ada" not in application.turn_notifications.settings

    asyncio.run(run())


# --- reviews ----------------------------------------------------------------------------------------------------------


def test_a_review_that_cannot_be_stored_has_failed(caplog):
    do, _ = raise_in_turn(REFUSED)
    context = SimpleNamespace(writer=SimpleNamespace(do=do), peers=Mock())
    table = Mock(row=SimpleNamespace(id="t"))
    asyncio.run(AnalysisJobs(context)._review(table, True))
    assert table.review["state"] == "failed" and not table.has_review
    assert "review of table t not stored: the database refused" in caplog.text


def test_a_review_whose_process_reports_an_error_has_failed(monkeypatch):
    program = "import json; print(json.dumps({'judged': 1, 'total': 2})); print(json.dumps({'error': 'too large'}))"
    monkeypatch.setattr(analysis_jobs, "WORKER_COMMAND", [sys.executable, "-c", program])
    table = Mock(row=SimpleNamespace(id="t"), review=None)

    async def run():
        jobs = AnalysisJobs(SimpleNamespace(peers=Mock()))
        with pytest.raises(ValueError, match="too large"):
            await jobs._run_review_process(table, {"record": "x" * 10**7})  # the process ends before it has read this

    asyncio.run(run())
    assert table.review["judged"] == 1 and table.publish_table.called


def test_unfinished_reviews_of_a_guest_are_limited(monkeypatch):
    monkeypatch.setattr(analysis_jobs, "MAX_WAITING_PER_GUEST", 1)
    monkeypatch.setattr(analysis_jobs.loader, "is_available", lambda: True)

    async def run():
        jobs = AnalysisJobs(SimpleNamespace(settings=SimpleNamespace(people_per_address=9)))
        jobs._work = lambda *_: asyncio.sleep(600)
        tables = [Mock(row=SimpleNamespace(id=name), review=None, has_review=False) for name in "ab"]
        jobs.request(tables[0], "ada", "10.0.0.1")
        with pytest.raises(CommandRefusedError, match="error-too-fast"):
            jobs.request(tables[1], "ada", "10.0.0.1")
        jobs.request(tables[1], "ben", "10.0.0.1")
        assert all(table.review["state"] == "working" for table in tables)
        await jobs.close()

    asyncio.run(run())
