"""Two servers on one database: the one whose write conflicts reloads the table and decides again."""

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import partial

import pytest
from databases import KINDS, empty_database
from guests import SECRET_BIDS, Guest, Server, wait_until
from sqlalchemy import String, select

from courtly.engine.position import CommandRefusedError
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.schema import metadata


@pytest.fixture(scope="module", params=KINDS)
def servers_and_address(request, tmp_path_factory):
    """Two servers, and the address of their database."""
    folder = tmp_path_factory.mktemp("servers")
    settings = {"COURTLY_DATABASE": empty_database(request.param, folder), "COURTLY_TABLES_PER_GUEST": "1000"}
    with ExitStack() as exit_stack:
        yield (
            [exit_stack.enter_context(Server(folder / str(n), **settings)) for n in range(2)],
            settings["COURTLY_DATABASE"],
        )


@pytest.fixture
def servers(servers_and_address):
    return servers_and_address[0]


@pytest.fixture
def address(servers_and_address):
    return servers_and_address[1]


@pytest.fixture
def rounds(long):
    """How often each race is repeated."""
    return range(200 if long else 4)


def as_client_of(server: Server, guest: Guest) -> Guest:
    """Return the same guest as a client of this server."""
    client = Guest(server, cookie=False)
    client.cookie = guest.cookie
    return client


def load_table(address, table):
    """Return what the database has of a table: its row, seats and journal."""
    engine = open_database(address)
    with engine.connect() as connection:
        row, seats, entries, _ = repository.load_table(connection, table)
    engine.dispose()
    return row, seats, entries


def run_concurrently(*functions):
    """Run these functions concurrently and return their results."""
    with ThreadPoolExecutor(len(functions)) as threads:
        return [future.result() for future in [threads.submit(function) for function in functions]]


def test_one_guest_gets_a_seat(rounds, servers):
    """One of two guests gets the seat, through either server, and both servers agree in the end."""
    one, other = servers
    ada, ben, cleo = one.guest("Ada"), one.guest("Ben"), other.guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "open", "open", game="petition", options={})
        assert (
            as_client_of(other, ada).table(table)["status"] == "waiting"
        )  # load the table into the other server's memory
        responses = run_concurrently(
            partial(ben.command, table, "sit", {"seat": 1}), partial(cleo.command, table, "sit", {"seat": 1})
        )
        assert sorted(response.status for response in responses) == [200, 409]
        assert next(response.error for response in responses if response.status == 409) == "error-seat-taken"
        assert [guest.command(table, "leave").status for guest in (ben, cleo)].count(200) == 1
        assert (
            as_client_of(other, ada).command(table, "sit", {"seat": 2}).status == 200
        )  # with the state after the other's command
        assert ada.command(table, "seat", {"seat": 2, "kind": "open"}).error == "error-seat-taken"


def test_two_last_players_start_one_game(rounds, servers, address):
    one, other = servers
    ada, ben, cleo = one.guest("Ada"), one.guest("Ben"), other.guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "open", "open")
        as_client_of(other, ada).table(table)
        responses = run_concurrently(partial(ben.command, table, "sit"), partial(cleo.command, table, "sit"))
        assert [response.status for response in responses] == [200, 200]
        row, seats, entries = load_table(address, table)
        assert row.started_at and row.revision == 2 and {seat.name for seat in seats} == {"Ada", "Ben", "Cleo"}
        assert [entry.ply for entry in entries] == [*range(len(entries))]


def test_a_seat_link_is_used_once(rounds, servers, address):
    one, other = servers
    ada, ben, cleo = one.guest("Ada"), one.guest("Ben"), other.guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "local")
        path = ada.command(table, "seat-link", {"seat": 1}).json["path"].replace("/j/", "/api/seat-link/")
        as_client_of(other, ada).table(table)
        responses = run_concurrently(partial(ben.post, path), partial(cleo.post, path))
        assert sorted(response.status for response in responses) == [200, 404]
        _, seats, _ = load_table(address, table)
        first = "Ben" if responses[0].status == 200 else "Cleo"
        assert seats[1].name == first and seats[1].kind == "person"


def test_simultaneous_secret_moves_both_count(rounds, servers):
    one, other = servers
    ada, ben = one.guest("Ada"), other.guest("Ben")
    for _ in rounds:
        table = ada.open("me", "open", options=SECRET_BIDS)
        assert as_client_of(one, ben).command(table, "sit").status == 200
        # the other server has just been notified
        wait_until(lambda table=table: ben.table(table)["status"] == "playing")
        views = [ada.view(table, 0), ben.view(table, 1)]
        moves = [view["legal"][0]["id"] for view in views]
        responses = run_concurrently(
            partial(ada.play, table, 0, views[0]["seq"], moves[0]),
            partial(ben.play, table, 1, views[1]["seq"], moves[1]),
        )
        assert [response.status for response in responses] == [200, 200]


def test_one_key_is_carried_out_once(rounds, servers):
    """The answer to a move is lost, and the client resends it to the other server."""
    one, other = servers
    ada = one.guest("Ada")
    for _ in rounds:
        table = ada.open("me", "local")
        view = ada.view(table, 0)
        as_client_of(other, ada).view(table, 0)
        move = view["legal"][0]["id"]
        responses = run_concurrently(
            *(partial(as_client_of(server, ada).play, table, 0, view["seq"], move, key="k") for server in servers)
        )
        assert [response.status for response in responses] == [200, 200]
        assert responses[0].json == responses[1].json


def test_all_players_get_the_same_rematch(rounds, servers):
    one, other = servers
    ada = one.guest("Ada")
    for _ in rounds:
        table = ada.open("me", "random")
        while not (view := ada.view(table, 0))["over"]:
            if view["legal"]:
                ada.play(table, 0, view["seq"], view["legal"][0]["id"])
        responses = run_concurrently(
            *(partial(as_client_of(server, ada).command, table, "rematch") for server in servers)
        )
        assert [response.status for response in responses] == [200, 200], [response.json for response in responses]
        assert responses[0].json["id"] == responses[1].json["id"] != table


def test_three_of_seven_guests_get_three_seats(rounds, servers, address):
    """Through both servers; the others get the error that the game has started."""
    ada, guests = servers[0].guest("Ada"), [servers[n % 2].guest(f"{n}") for n in range(7)]
    for _ in rounds:
        table = ada.open("me", "open", "open", "open", game="petition", options={})
        as_client_of(servers[1], ada).table(table)
        responses = run_concurrently(*(partial(guest.command, table, "sit") for guest in guests))
        errors = [response.error for response in responses]
        assert sorted(map(str, errors)) == ["None"] * 3 + ["error-started"] * 4, errors
        row, seats, entries = load_table(address, table)
        seated_names = {str(n) for n, error in enumerate(errors) if error is None}
        assert row.started_at and {seat.name for seat in seats} == {"Ada", *seated_names} and len(seats) == 4
        assert [entry.ply for entry in entries] == [*range(len(entries))]


def test_a_host_leaves_while_others_sit_down(rounds, servers, address):
    """Either the game starts with her seat and a substitute plays it, or her seat is open and another guest is host."""
    ada, guests = servers[0].guest("Ada"), [servers[n % 2].guest(f"{n}") for n in range(4)]
    for _ in rounds:
        table = ada.open("me", "open", "open", game="petition", options={})
        assert guests[3].command(table, "sit").status == 200
        as_client_of(servers[0], guests[3]).table(table)
        leave_response, *responses = run_concurrently(
            partial(ada.command, table, "leave"), *(partial(p.command, table, "sit") for p in guests[:3])
        )
        error_counts = Counter(response.error for response in responses)
        row, seats, _ = load_table(address, table)
        ada_has_a_seat = seats[0].name == "Ada"
        assert leave_response.status == 200 and row.started_at and len({seat.guest_id for seat in seats}) == 3
        assert error_counts == ({None: 1, "error-started": 2} if ada_has_a_seat else {None: 2, "error-started": 1})
        assert (seats[0].substitute_bot is not None, row.host == seats[1].guest_id) == (
            ada_has_a_seat,
            not ada_has_a_seat,
        )


def test_a_table_is_removed_or_joined_and_never_both(rounds, servers, address):
    """Its only guest leaves while two others sit down: either both find the table or neither does."""
    ada, ben, cleo = servers[0].guest("Ada"), servers[0].guest("Ben"), servers[1].guest("Cleo")
    for _ in rounds:
        table = ada.open("me", "open", "open", game="petition", options={})
        as_client_of(servers[1], ada).table(table)
        leave_response, *responses = run_concurrently(
            partial(ada.command, table, "leave"), *(partial(guest.command, table, "sit") for guest in (ben, cleo))
        )
        errors = {response.error for response in responses}
        assert leave_response.status == 200 and errors in ({None}, {"error-unknown-table"})
        engine = open_database(address)
        with engine.connect() as connection:
            stored_table = repository.load_table(connection, table)
        engine.dispose()
        assert (stored_table is not None) == (errors == {None})
        if stored_table:
            assert {"Ben", "Cleo"} <= {seat.name for seat in stored_table[1]}


@pytest.mark.parametrize("servers_and_address", KINDS[1:], indirect=True)  # on SQLite servers receive no notifications
def test_two_votes_at_once_bring_one_bot(rounds, servers, address):
    """Each vote goes through another server, which learns of the other vote a moment later."""
    one, other = servers
    ada, ben, cleo = one.guest("Ada"), other.guest("Ben"), one.guest("Cleo")
    table = ada.open("me", "open", "open", game="petition", options={})
    assert ben.command(table, "sit").status == cleo.command(table, "sit").status == 200

    def seat_values(guest, field):
        return [seat[field] for seat in guest.table(table)["seats"]]

    with ada.connect(table), ben.connect(table):
        for _ in rounds:
            for guest in (ada, ben):
                wait_until(
                    lambda guest=guest: (
                        (seat_values(guest, "connected"), seat_values(guest, "substitute"))
                        == ([True, True, False], [None] * 3)
                    )
                )
            row_before, _, _ = load_table(address, table)
            responses = run_concurrently(
                *(partial(guest.command, table, "substitute", {"seat": 2}) for guest in (ada, ben))
            )
            assert [response.status for response in responses] == [200, 200], [response.json for response in responses]
            for guest in (ada, ben):
                wait_until(lambda guest=guest: seat_values(guest, "substitute")[2])
            assert load_table(address, table)[0].revision == row_before.revision + 1
            assert cleo.command(table, "take-seat-back", {"seat": 2}).status == 200


# --- deleting a guest's data
# -------------------------------------------------------------------------------------------


def columns_containing(address, *texts):
    """Return the tables and columns of the database that contain one of these texts."""
    engine = open_database(address)
    with engine.connect() as connection:
        columns = {
            (table.name, column.name)
            for table in metadata.sorted_tables
            for column in table.columns
            if isinstance(column.type, String)
            and connection.execute(select(column).where(column.in_(texts)).limit(1)).first()
        }
    engine.dispose()
    return columns


def test_a_guest_writes_nothing_after_the_data_were_deleted(long, servers, address):
    """Whatever requests both servers execute at the same time."""
    one, other = servers
    ben = one.guest("Ben")
    for _ in range(25 if long else 4):
        ada = one.guest("Addie")  # a name that no other guest has
        ada_id, ada_at_one, ada_at_other = (
            ada.get("/api/me").json["id"],
            as_client_of(one, ada),
            as_client_of(other, ada),
        )
        open_table, own_table = ben.open("me", "open", "open"), ada.open("me", "local")
        ada_at_other.table(open_table)
        view = ada_at_other.view(own_table, 0)
        responses = run_concurrently(
            partial(ada.request, "DELETE", "/api/me"),
            partial(ada_at_other.command, open_table, "sit"),
            partial(ada_at_other.request, "PUT", "/api/me", {"name": "Addie"}),
            partial(ada_at_other.command, open_table, "chat", {"text": "Hello"}),
            partial(ada_at_other.play, own_table, 0, view["seq"], view["legal"][0]["id"]),
            partial(
                ada_at_other.post, "/api/tables", {"game": "petition", "players": 2, "seats": [{"kind": "me"}, BOT]}
            ),
            partial(ada_at_one.post, "/api/me/identity-link"),
        )
        assert responses[0].status == 200
        assert columns_containing(address, ada_id, "Addie") == set()
        assert ada_at_one.get("/api/me/games").error == "error-no-cookie"
        assert ada_at_other.request("PUT", "/api/me", {"name": "Addie"}).error == "error-no-cookie"
        assert columns_containing(address, ada_id, "Addie") == set()


def test_an_exclusive_job_has_its_own_transaction(tmp_path):
    """A deletion locks a database table, and before that its transaction must hold no lock that others wait for."""

    async def main():
        writer, release = GroupCommitWriter(open_database(f"sqlite:///{tmp_path / 'courtly.db'}")), threading.Event()
        jobs = [asyncio.create_task(writer.do(lambda c: release.wait()))]
        await asyncio.sleep(0.1)
        for n in range(5):
            jobs.append(asyncio.create_task(writer.do(lambda c: c.get_transaction(), is_alone=n == 2)))
        await asyncio.sleep(0)
        release.set()
        _, *transactions = await asyncio.gather(*jobs)
        assert [transactions.index(transaction) for transaction in transactions] == [0, 0, 2, 3, 3]
        writer.close()

    asyncio.run(main())


BOT = {"kind": "bot", "bot": "random"}
WRITES_OF_A_GUEST = {
    "a name": lambda c, table: repository.save_name(c, "ada", "Ada"),
    "a seat": lambda c, table: repository.save_seats(c, table, 0, [repository.Seat(1, "person", "ada", "Ada")]),
    "a chat message": lambda c, table: repository.save_chat_message(
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


@pytest.mark.parametrize("written", WRITES_OF_A_GUEST)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", ["write", "deletion"])
def test_writes_during_a_deletion_are_deleted_too(tmp_path, kind, written, first):
    """Of two transactions, the first one is still open when the other begins."""
    address = empty_database(kind, tmp_path)
    engine = open_database(address)
    row = repository.TableRow("table", "sealed_bids", 1, 2, {}, False, "ben", "00" * 32, 1)
    with engine.begin() as connection:
        repository.insert_table(
            connection, row, [repository.Seat(0, "person", "ben", "Ben"), repository.Seat(1, "open")], []
        )

    def write(connection):
        WRITES_OF_A_GUEST[written](connection, "table")

    def delete(connection):
        player_history.delete_guest(connection, "ada")

    first_began = threading.Event()

    def run_second():
        first_began.wait()
        with engine.begin() as connection:
            (delete if first == "write" else write)(connection)

    with ThreadPoolExecutor(1) as thread:
        second_job = thread.submit(run_second)
        with engine.begin() as connection:
            (write if first == "write" else delete)(connection)
            first_began.set()
            wait([second_job], timeout=0.2)  # it waits for this transaction; otherwise it would finish sooner
        if first == "write":
            second_job.result()
        else:
            with pytest.raises(CommandRefusedError, match="error-no-cookie"):
                second_job.result()
    engine.dispose()
    assert columns_containing(address, "ada", "Ada") == set()
