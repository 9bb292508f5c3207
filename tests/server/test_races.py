"""Two servers on one database: the one whose write conflicts reloads the table and decides again."""

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import partial

import pytest
from databases import KINDS, empty_database
from guests import SECRET_BIDS, Guest, Server, until
from sqlalchemy import String, select

from courtly.engine.position import CommandRefusedError
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.schema import metadata


@pytest.fixture(scope="module", params=KINDS)
def house(request, tmp_path_factory):
    """Two servers, and the address of their database."""
    folder = tmp_path_factory.mktemp("house")
    more = {"COURTLY_DATABASE": empty_database(request.param, folder), "COURTLY_TABLES_PER_GUEST": "1000"}
    with ExitStack() as open_:
        yield [open_.enter_context(Server(folder / str(n), **more)) for n in range(2)], more["COURTLY_DATABASE"]


@pytest.fixture
def two(house):
    return house[0]


@pytest.fixture
def address(house):
    return house[1]


@pytest.fixture
def rounds(long):
    """How often each race is repeated."""
    return range(200 if long else 4)


def on(server: Server, somebody: Guest) -> Guest:
    """Return the same guest as a client of this server."""
    found = Guest(server, cookie=False)
    found.cookie = somebody.cookie
    return found


def kept(address, table):
    """Return what the database has of a table: its row, seats and journal."""
    engine = open_database(address)
    with engine.connect() as connection:
        row, seats, entries, _ = repository.load_table(connection, table)
    engine.dispose()
    return row, seats, entries


def at_once(*doing):
    """Run these functions concurrently and return their results."""
    with ThreadPoolExecutor(len(doing)) as threads:
        return [each.result() for each in [threads.submit(do) for do in doing]]


def test_one_guest_gets_a_seat(rounds, two):
    """One of two guests gets the seat, through either server, and both servers agree in the end."""
    one, other = two
    ada, ben, cleo = one.guest("Ada"), one.guest("Ben"), other.guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "open", "open", game="petition", options={})
        assert on(other, ada).table(table)["status"] == "waiting"  # load the table into the other server's memory
        answers = at_once(partial(ben.at, table, "sit", {"seat": 1}), partial(cleo.at, table, "sit", {"seat": 1}))
        assert sorted(answer.status for answer in answers) == [200, 409]
        assert next(answer.error for answer in answers if answer.status == 409) == "error-seat-taken"
        assert [guest.command(table, "leave").status for guest in (ben, cleo)].count(200) == 1
        assert (
            on(other, ada).command(table, "sit", {"seat": 2}).status == 200
        )  # with the state after the other's command
        assert ada.command(table, "seat", {"seat": 2, "kind": "open"}).error == "error-seat-taken"


def test_two_last_players_start_one_game(rounds, two, address):
    one, other = two
    ada, ben, cleo = one.guest("Ada"), one.guest("Ben"), other.guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "open", "open")
        on(other, ada).table(table)
        answers = at_once(partial(ben.at, table, "sit"), partial(cleo.at, table, "sit"))
        assert [answer.status for answer in answers] == [200, 200]
        row, seats, entries = kept(address, table)
        assert row.started_at and row.revision == 2 and {seat.name for seat in seats} == {"Ada", "Ben", "Cleo"}
        assert [entry.ply for entry in entries] == [*range(len(entries))]


def test_a_seat_link_is_used_once(rounds, two, address):
    one, other = two
    ada, ben, cleo = one.guest("Ada"), one.guest("Ben"), other.guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "local")
        path = ada.command(table, "ticket", {"seat": 1}).json["path"].replace("/j/", "/api/seat/")
        on(other, ada).table(table)
        answers = at_once(partial(ben.post, path), partial(cleo.post, path))
        assert sorted(answer.status for answer in answers) == [200, 404]
        _, seats, _ = kept(address, table)
        first = "Ben" if answers[0].status == 200 else "Cleo"
        assert seats[1].name == first and seats[1].kind == "person"


def test_simultaneous_secret_moves_both_count(rounds, two):
    one, other = two
    ada, ben = one.guest("Ada"), other.guest("Ben")
    for _ in rounds:
        table = ada.open("me", "open", options=SECRET_BIDS)
        assert on(one, ben).command(table, "sit").status == 200
        until(lambda table=table: ben.table(table)["status"] == "playing")  # the other server has just been notified
        views = [ada.view(table, 0), ben.view(table, 1)]
        moves = [view["legal"][0]["id"] for view in views]
        answers = at_once(
            partial(ada.play, table, 0, views[0]["seq"], moves[0]),
            partial(ben.play, table, 1, views[1]["seq"], moves[1]),
        )
        assert [answer.status for answer in answers] == [200, 200]


def test_one_key_is_carried_out_once(rounds, two):
    """The answer to a move is lost, and the client resends it to the other server."""
    one, other = two
    ada = one.guest("Ada")
    for _ in rounds:
        table = ada.open("me", "local")
        view = ada.view(table, 0)
        on(other, ada).view(table, 0)
        move = view["legal"][0]["id"]
        answers = at_once(*(partial(on(server, ada).play, table, 0, view["seq"], move, key="k") for server in two))
        assert [answer.status for answer in answers] == [200, 200]
        assert answers[0].json == answers[1].json


def test_one_rematch_for_all(rounds, two):
    one, other = two
    ada = one.guest("Ada")
    for _ in rounds:
        table = ada.open("me", "random")
        while not (view := ada.view(table, 0))["over"]:
            if view["legal"]:
                ada.play(table, 0, view["seq"], view["legal"][0]["id"])
        answers = at_once(*(partial(on(server, ada).at, table, "rematch") for server in two))
        assert [answer.status for answer in answers] == [200, 200], [answer.json for answer in answers]
        assert answers[0].json["id"] == answers[1].json["id"] != table


def test_three_of_seven_guests_get_three_seats(rounds, two, address):
    """Through both servers; the others get the error that the game has started."""
    ada, people = two[0].guest("Ada"), [two[n % 2].guest(f"{n}") for n in range(7)]
    for _ in rounds:
        table = ada.open("me", "open", "open", "open", game="petition", options={})
        on(two[1], ada).table(table)
        answers = at_once(*(partial(guest.at, table, "sit") for guest in people))
        told = [answer.error for answer in answers]
        assert sorted(map(str, told)) == ["None"] * 3 + ["error-started"] * 4, told
        row, seats, entries = kept(address, table)
        sitting = {str(n) for n, error in enumerate(told) if error is None}
        assert row.started_at and {seat.name for seat in seats} == {"Ada", *sitting} and len(seats) == 4
        assert [entry.ply for entry in entries] == [*range(len(entries))]


def test_leaving_while_others_sit_down(rounds, two, address):
    """Either the game starts with her seat and a substitute plays it, or her seat is open and another guest is host."""
    ada, people = two[0].guest("Ada"), [two[n % 2].guest(f"{n}") for n in range(4)]
    for _ in rounds:
        table = ada.open("me", "open", "open", game="petition", options={})
        assert people[3].command(table, "sit").status == 200
        on(two[0], people[3]).table(table)
        left, *answers = at_once(partial(ada.at, table, "leave"), *(partial(p.at, table, "sit") for p in people[:3]))
        told = Counter(answer.error for answer in answers)
        row, seats, _ = kept(address, table)
        with_her = seats[0].name == "Ada"
        assert left.status == 200 and row.started_at and len({seat.guest_id for seat in seats}) == 3
        assert told == ({None: 1, "error-started": 2} if with_her else {None: 2, "error-started": 1})
        assert (seats[0].substitute_bot is not None, row.host == seats[1].guest_id) == (with_her, not with_her)


def test_a_table_is_removed_or_joined(rounds, two, address):
    """Its only guest leaves while two others sit down: either both find the table or neither does."""
    ada, ben, cleo = two[0].guest("Ada"), two[0].guest("Ben"), two[1].guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "open", "open", game="petition", options={})
        on(two[1], ada).table(table)
        left, *answers = at_once(
            partial(ada.at, table, "leave"), *(partial(who.at, table, "sit") for who in (ben, cleo))
        )
        told = {answer.error for answer in answers}
        assert left.status == 200 and told in ({None}, {"error-unknown-table"})
        engine = open_database(address)
        with engine.connect() as connection:
            found = repository.load_table(connection, table)
        engine.dispose()
        assert (found is not None) == (told == {None})
        if found:
            assert {"Ben", "Cleo"} <= {seat.name for seat in found[1]}


@pytest.mark.parametrize("house", KINDS[1:], indirect=True)  # on SQLite servers receive no notifications
def test_two_votes_at_once_bring_one_bot(rounds, two, address):
    """Each vote goes through another server, which learns of the other vote a moment later."""
    one, other = two
    ada, ben, cleo = one.guest("Ada"), other.guest("Ben"), one.guest("Cleo")
    table = ada.open("me", "open", "open", game="petition", options={})
    assert ben.command(table, "sit").status == cleo.command(table, "sit").status == 200

    def seen(who, what):
        return [seat[what] for seat in who.table(table)["seats"]]

    with ada.connect(table), ben.connect(table):
        for _ in rounds:
            for who in (ada, ben):
                until(lambda who=who: (seen(who, "here"), seen(who, "standin")) == ([True, True, False], [None] * 3))
            before, _, _ = kept(address, table)
            answers = at_once(*(partial(who.at, table, "standin", {"seat": 2}) for who in (ada, ben)))
            assert [answer.status for answer in answers] == [200, 200], [answer.json for answer in answers]
            for who in (ada, ben):
                until(lambda who=who: seen(who, "standin")[2])
            assert kept(address, table)[0].revision == before.revision + 1
            assert cleo.command(table, "back", {"seat": 2}).status == 200


# --- deleting a guest's data
# -------------------------------------------------------------------------------------------


def kept_of(address, *texts):
    """Return the tables and columns of the database that contain one of these texts."""
    engine = open_database(address)
    with engine.connect() as connection:
        found = {
            (table.name, column.name)
            for table in metadata.sorted_tables
            for column in table.columns
            if isinstance(column.type, String)
            and connection.execute(select(column).where(column.in_(texts)).limit(1)).first()
        }
    engine.dispose()
    return found


def test_a_guest_writes_nothing_after_the_data_were_deleted(long, two, address):
    """Whatever requests both servers execute at the same time."""
    one, other = two
    ben = one.guest("Ben")
    for _ in range(25 if long else 4):
        ada = one.guest("Addie")  # a name that no other guest has
        me, here, there = ada.get("/api/me").json["id"], on(one, ada), on(other, ada)
        free, bids = ben.open("me", "open", "open"), ada.open("me", "local")
        there.table(free)
        view = there.view(bids, 0)
        answers = at_once(
            partial(ada.ask, "DELETE", "/api/me"),
            partial(there.at, free, "sit"),
            partial(there.ask, "PUT", "/api/me", {"name": "Addie"}),
            partial(there.at, free, "talk", {"text": "Hello"}),
            partial(there.play, bids, 0, view["seq"], view["legal"][0]["id"]),
            partial(there.post, "/api/tables", {"game": "petition", "players": 2, "seats": [{"kind": "me"}, BOT]}),
            partial(here.post, "/api/me/carry"),
        )
        assert answers[0].status == 200
        assert kept_of(address, me, "Addie") == set()
        assert here.get("/api/me/games").error == "error-no-cookie"
        assert there.request("PUT", "/api/me", {"name": "Addie"}).error == "error-no-cookie"
        assert kept_of(address, me, "Addie") == set()


def test_an_exclusive_job_has_its_own_transaction(tmp_path):
    """A deletion locks a database table, and before that its transaction must hold no lock that others wait for."""

    async def main():
        writer, waited_for = GroupCommitWriter(open_database(f"sqlite:///{tmp_path / 'courtly.db'}")), threading.Event()
        jobs = [asyncio.create_task(writer.do(lambda c: waited_for.wait()))]
        await asyncio.sleep(0.1)
        for n in range(5):
            jobs.append(asyncio.create_task(writer.do(lambda c: c.get_transaction(), alone=n == 2)))
        await asyncio.sleep(0)
        waited_for.set()
        _, *found = await asyncio.gather(*jobs)
        assert [found.index(one) for one in found] == [0, 0, 2, 3, 3]
        writer.close()

    asyncio.run(main())


BOT = {"kind": "bot", "bot": "random"}
WRITES = {
    "a name": lambda c, table: repository.save_name(c, "ada", "Ada"),
    "a seat": lambda c, table: repository.save_seats(c, table, 0, [repository.Seat(1, "person", "ada", "Ada")]),
    "a saying": lambda c, table: repository.save_chat_message(
        c, table, repository.ChatMessage(1, "ada", None, "Ada", None, "Hello")
    ),
    "a move": lambda c, table: repository.append_entries(
        c, [repository.JournalAppend(table, [], repository.Submission("ada", "key", "", 1))]
    ),
    "a notification setting": lambda c, table: repository.save_notification_setting(
        c, repository.NotificationSetting("ada", webhook_url="https://example.com")
    ),
    "a notice": lambda c, table: repository.open_notification(c, table, "ada"),
    "a link": lambda c, table: player_history.open_identity_link(c, "ada"),
    "signing out": lambda c, table: player_history.start_session_epoch(c, "ada"),
    "a table": lambda c, table: repository.insert_table(
        c,
        repository.TableRow("another", "sealed_bids", 1, 2, {}, False, "ada", "00" * 32, 1),
        [repository.Seat(0, "open")],
        [],
    ),
}


@pytest.mark.parametrize("what", WRITES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", ["write", "deletion"])
def test_writes_during_a_deletion_are_deleted_too(tmp_path, kind, what, first):
    """Of two transactions, the first one is still open when the other begins."""
    address = empty_database(kind, tmp_path)
    engine = open_database(address)
    row = repository.TableRow("table", "sealed_bids", 1, 2, {}, False, "ben", "00" * 32, 1)
    with engine.begin() as connection:
        repository.insert_table(
            connection, row, [repository.Seat(0, "person", "ben", "Ben"), repository.Seat(1, "open")], []
        )

    def write(connection):
        WRITES[what](connection, "table")

    def forget(connection):
        player_history.delete_guest(connection, "ada")

    begun = threading.Event()

    def second():
        begun.wait()
        with engine.begin() as connection:
            (forget if first == "write" else write)(connection)

    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(second)
        with engine.begin() as connection:
            (write if first == "write" else forget)(connection)
            begun.set()
            wait([waiting], timeout=0.2)  # it waits for this transaction; otherwise it would finish sooner
        if first == "write":
            waiting.result()
        else:
            with pytest.raises(CommandRefusedError, match="error-no-cookie"):
                waiting.result()
    engine.dispose()
    assert kept_of(address, "ada", "Ada") == set()
