"""The tables in memory follow the database and the other processes, whatever happens meanwhile."""

import asyncio
import math
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from sqlalchemy import delete, update
from test_race_guards import run_at_table
from test_refusals import REFUSED, raise_in_turn

from courtly.engine.match import Match
from courtly.engine.position import CommandRefusedError
from courtly.server.actions.flag_timers import FlagTimers
from courtly.server.cluster import pg_notify
from courtly.server.cluster.single_process import SingleProcess
from courtly.server.errors import CommitUncertainError
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.repository import ChatMessage, NotificationSetting, RevisionConflictError
from courtly.server.persistence.schema import TABLES
from courtly.server.services.turn_notifications import TurnNotifications
from courtly.server.settings import Settings
from courtly.server.sync.peer_event_handlers import PeerEventHandlers
from courtly.server.sync.peer_sync import PeerSync
from courtly.server.tables import registry
from courtly.server.tables import table as tables
from courtly.server.tables.table import LiveTable, Subscriber

ADDRESS = "postgresql://nowhere.example/none"


@pytest.fixture
def at_table(tmp_path, monkeypatch):
    """Return a function that runs `await script(application, table)` at a running game of "ada" and a bot."""
    return lambda script: run_at_table(tmp_path, monkeypatch, script, "me", "bot")


async def delete_table(application, table):
    """Delete a table from the database, as another process does."""
    deletion = delete(TABLES).where(TABLES.c.id == table.row.id)
    await application.writer.do(lambda c: c.execute(deletion) and None)


# --- the registry -----------------------------------------------------------------------------------------------------


def test_a_table_that_another_process_has_deleted_is_forgotten(at_table):
    async def script(application, table):
        await delete_table(application, table)
        with pytest.raises(CommandRefusedError, match="error-unknown-table"):
            await application.tables.reload(table)
        assert table.is_removed and table.row.id not in application.tables.by_id

    at_table(script)


def test_a_table_is_reloaded_after_a_commit_whose_outcome_is_unknown(at_table):
    def work(connection):
        raise CommitUncertainError("the connection failed during COMMIT")

    async def script(application, table):
        application.tables.reload, reloads = raise_in_turn(None)
        application.publish_change = changes = Mock()
        with pytest.raises(CommitUncertainError):
            await application.tables.write(table, work)
        assert not reloads
        while not changes.called:
            await asyncio.sleep(0.001)
        assert reloads == [(table,)] and changes.call_args.args == (table.row.id,)

    at_table(script)


def test_a_table_that_cannot_be_cleaned_up_is_logged_and_tried_again(at_table, monkeypatch, caplog):
    monkeypatch.setattr(registry, "CLEANUP_INTERVAL_S", 0)

    async def script(application, table):
        application.tables._clean_up_table, calls = raise_in_turn(REFUSED, ZeroDivisionError(), *[None] * 9999)
        cleaning = asyncio.create_task(application.tables._clean_up())
        while len(calls) < 3:
            await asyncio.sleep(0.001)
        cleaning.cancel()
        assert calls[:3] == [(table,)] * 3
        assert f"table {table.row.id} is not cleaned up: " in caplog.text
        assert f"cleaning up table {table.row.id}\n" in caplog.text

    at_table(script)


def test_an_idle_match_drops_its_caches_and_a_finished_one_is_dropped(at_table, monkeypatch):
    monkeypatch.setattr(registry, "CLEANUP_INTERVAL_S", -1)

    async def script(application, table):
        monkeypatch.setattr(Match, "drop_caches", drop_caches := Mock())
        await application.tables._clean_up_table(table)
        assert drop_caches.call_count == 1 and table.row.id in application.tables.by_id, "it was used just now"
        table.row, table.last_used_at = replace(table.row, ended_at=1), -math.inf
        await application.tables._clean_up_table(table)
        assert table.row.id not in application.tables.by_id and not table.is_removed

    at_table(script)


def test_a_table_that_another_request_has_loaded_is_not_replaced(at_table):
    async def script(application, table):
        match = table.match
        assert await application.tables.load(table.row.id) is table and table.match is match

    at_table(script)


def test_games_in_memory_are_read_again_after_times_were_corrected(at_table):
    async def script(application, table):
        match, entries = table.match, [*table.match.entries]
        change = update(TABLES).where(TABLES.c.id == table.row.id).values(created_at=5)
        await application.writer.do(lambda c: c.execute(change) and None)
        timers = FlagTimers(application)
        await timers._reload_tables()
        assert table.row.created_at == 5 and table.match is not match and [*table.match.entries] == entries
        await timers.close()

    at_table(script)


def test_a_table_is_stored_once(at_table):
    async def script(application, table):
        with pytest.raises(RevisionConflictError):
            await application.writer.do(lambda c: repository.insert_table(c, table.row, table.seats, ()))

    at_table(script)


def fail(*_, **__):
    raise ZeroDivisionError


@pytest.mark.parametrize(("is_installed", "error_id"), [(False, "error-unknown-game"), (True, "error-rules")])
def test_a_game_that_is_not_installed_or_fails_is_a_problem_of_its_table(at_table, monkeypatch, is_installed, error_id):
    async def script(_, table):
        copy = LiveTable(table.row if is_installed else replace(table.row, game="nowhere"), table.seats)
        monkeypatch.setattr(Match, "iter_replay", fail)
        await copy.restore([*table.match.entries])
        assert copy.match is None and copy.problem.id == error_id

    at_table(script)


def test_a_match_that_fails_at_its_start_does_not_begin(at_table, monkeypatch):
    async def script(application, table):
        monkeypatch.setattr(tables, "Match", fail)
        with pytest.raises(CommandRefusedError, match="error-rules"):
            table.make_match(table.seats, 1)

    at_table(script)


# --- events of other processes ----------------------------------------------------------------------------------------


def watch_turns(application):
    """Let Ada have notifications of her turn. Returns the function that is called instead of sending them."""
    application.turn_notifications.settings["ada"] = NotificationSetting("ada", email="ada@home.example")
    application.turn_notifications.notify_due = Mock()
    return application.turn_notifications.notify_due


def test_a_game_of_a_guest_with_notifications_is_loaded_after_a_move_elsewhere(at_table):
    async def script(application, table):
        entries, notify_due = [*table.match.entries], watch_turns(application)
        table.match = None
        await PeerEventHandlers(application)._handle_moves("process", table.row.id, [[len(entries), 0, 1, 1, 1, 0]])
        assert [*table.match.entries] == entries and notify_due.call_args.args == (table,)

    at_table(script)


def test_an_unknown_game_of_a_guest_with_notifications_is_loaded(at_table):
    async def script(application, table):
        entries, notify_due = [*table.match.entries], watch_turns(application)
        application.tables.drop(table)
        await PeerEventHandlers(application)._refresh([table.row.id])
        loaded = application.tables.by_id[table.row.id]
        assert loaded is not table and [*loaded.match.entries] == entries
        assert notify_due.call_args.args == (loaded,)

    at_table(script)


def test_an_idle_game_that_another_process_has_changed_is_unloaded(at_table):
    async def script(application, table):
        change = update(TABLES).where(TABLES.c.id == table.row.id).values(chat_muted=1)
        await application.writer.do(lambda c: c.execute(change) and None)
        table.last_used_at = -math.inf
        await PeerEventHandlers(application)._refresh([table.row.id])
        assert table.match is None and table.row.chat_muted
        assert (await application.tables.get(table.row.id)).match.entries

    at_table(script)


def test_a_missed_sign_out_ends_the_connections(at_table):
    async def script(application, _):
        end = Mock()
        await application.guests.load_name("ada")
        epoch = await application.writer.do(lambda c: player_history.start_session_epoch(c, "ada"))
        with application.guests.register_connection("ada", end):
            await PeerEventHandlers(application)._refresh_all()
        assert application.guests.epochs["ada"] == epoch and end.called

    at_table(script)


def test_what_another_process_reports_is_gone_when_it_ends(at_table):
    working = {"state": "working", "judged": 1, "total": 2, "ahead": 0}

    async def script(application, table):
        handlers, t = PeerEventHandlers(application), table.row.id
        await handlers._handle_presence("process", t, ["ben", ""])
        await handlers._handle_limits("process", {"commands": {"192.0.2.1": 3}, "newer": {}}, {"192.0.2.1": 9})
        await handlers._handle_review("process", t, working)
        assert table.connected_guests() == {"ben", ""} and table.has_clients
        assert application.socket_limit.peer_counts == {"process": {"192.0.2.1": 9}}
        assert table.review == working and handlers.reviewing_processes == {t: "process"}
        handlers.handle_process_end("another")
        assert table.has_clients and table.review == working
        handlers.handle_process_end("process")
        assert not table.has_clients and not application.socket_limit.peer_counts
        assert table.review is None and not table.has_review and not handlers.reviewing_processes
        await handlers._handle_review("process", t, None, made=True)
        assert table.has_review and not handlers.reviewing_processes

    at_table(script)


def test_messages_and_closures_of_another_process(at_table):
    sent = {"sent_at": 1, "guest_id": "ada", "seat": 0, "name": "Ada", "canned_message": None, "text": "hello"}

    async def script(application, table):
        handlers, t = PeerEventHandlers(application), table.row.id
        table.add_subscriber(Subscriber("ada", SimpleNamespace(put=lambda text: None), {}))
        application.chat.publish, application.chat.send_newest = Mock(), Mock()
        await handlers._handle_chat_message("process", t, sent)
        assert application.chat.publish.call_args.args == (table, ChatMessage(**sent))
        assert not application.chat.send_newest.called
        await handlers._handle_chat_message("process", t)  # too long for a notification: the database has it
        assert application.chat.send_newest.call_args.args == (table, *table.subscribers)
        application.reload_closures, calls = raise_in_turn(None)
        await handlers._handle_closed("process")
        assert calls == [()]

    at_table(script)


def test_a_single_process_is_alone():
    process = SingleProcess()
    assert process.is_connected and process.has_duty and not process.has_peers
    assert process.guests_elsewhere("t") == {} and not process.is_reviewing("t")
    assert asyncio.run(process.measure_lag()) == 0


# --- a process among others -------------------------------------------------------------------------------------------


def test_the_lag_of_a_process_is_measured_by_the_first_heartbeat(at_table, monkeypatch):
    monkeypatch.setattr(pg_notify, "PEER_TIMEOUT_S", 0.01)

    async def script(application, _):
        peers = PeerSync(application, ADDRESS)
        assert await peers.measure_lag() == 0, "no other process has told its time"
        peers.handle_peer_time(0)
        assert await peers.measure_lag() < -1_000_000_000

    at_table(script)


def test_a_process_that_may_have_missed_events_reads_all_tables_again(at_table):
    async def script(application, table):
        peers = PeerSync(application, ADDRESS)
        await delete_table(application, table)
        peers.handle_possible_loss()
        await asyncio.gather(*peers._events._tasks)
        assert table.is_removed and not application.tables.by_id

    at_table(script)


def test_a_review_by_another_process_is_known(at_table):
    async def script(application, table):
        peers, t = PeerSync(application, ADDRESS), table.row.id
        assert not peers.is_reviewing(t)
        peers.handle_notification("process", "review", {"t": t, "state": {"state": "working", "judged": 0}})
        await asyncio.gather(*peers._events._tasks)
        assert peers.is_reviewing(t)

    at_table(script)


def test_a_new_process_learns_of_clients_and_votes(at_table):
    async def script(application, table):
        peers, t = PeerSync(application, ADDRESS), table.row.id
        table.add_subscriber(Subscriber("ada", SimpleNamespace(put=lambda text: None), {}))
        table.votes[1] = {"ada"}
        peers.publish = Mock()
        peers.send_local_state()
        presence, vote = peers.publish.call_args_list
        assert presence.args == ("here",) and presence.kwargs["t"] == t and presence.kwargs["g"] == ["ada", ""]
        assert vote.args == ("vote",) and vote.kwargs == {"t": t, "s": 1, "g": "ada"}

    at_table(script)


# --- turn notifications -----------------------------------------------------------------------------------------------


def test_nothing_is_activated_without_a_channel(tmp_path):
    do, calls = raise_in_turn()
    service = TurnNotifications(SimpleNamespace(settings=Settings(tmp_path), writer=SimpleNamespace(do=do)))

    async def run():
        assert not service.delivery.channels
        await service.activate()
        await service.load_settings()
        await service.close()

    asyncio.run(run())
    assert not calls and not service.settings


def test_texts_of_a_game_that_is_not_installed_any_more():
    texts = TurnNotifications._texts(NotificationSetting("ada"), "nowhere")
    assert texts.format("notification-confirm") == TurnNotifications._texts(NotificationSetting("ada")).format(
        "notification-confirm"
    )


def test_messages_that_are_being_sent_are_cancelled(tmp_path):
    """When the guest looks at the table, and when another process sends messages from now on."""
    deletions = []

    async def do(work):
        deletions.append(work)

    service = TurnNotifications(SimpleNamespace(settings=Settings(tmp_path), writer=SimpleNamespace(do=do)))
    table = SimpleNamespace(row=SimpleNamespace(id="t"))

    async def run():
        for stop in (lambda: service.withdraw(table, "ada"), service.deactivate):
            service._notified["t"] = {"ada"}
            sending = service._tasks["t", "ada"] = asyncio.create_task(asyncio.sleep(600))
            stop()
            await asyncio.wait([sending], timeout=5)
            assert sending.cancelled() and not service._notified
        await service.close()

    asyncio.run(run())
    assert len(deletions) == 1, "another process needs what is stored"
