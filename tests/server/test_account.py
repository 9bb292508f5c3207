"""A guest's identity, games and results."""

import json
import sqlite3
import time

import pytest
from guests import Guest, Server, until
from websockets.exceptions import ConnectionClosed


def finished(ada, ben=None):
    """Play a game of Ada against Ben or a bot to its end."""
    table = ada.open("me", "open" if ben else "random")
    if ben:
        assert ben.at(table, "sit").status == 200
    players = [(ada, 0), *([(ben, 1)] if ben else [])]
    while not ada.view(table, 0)["over"]:
        for guest, seat in players:
            view = guest.view(table, seat)
            if view["legal"]:
                guest.play(table, seat, view["seq"], view["legal"][0]["id"])
    return table


def mine(guest, after=None):
    answer = guest.get(f"/api/me/games?after={after}" if after else "/api/me/games")
    assert answer.status == 200, answer.json
    return answer.json


def test_what_became_of_my_games(server, ada, ben):
    with_ben, alone = finished(ada, ben), finished(ada)
    told = mine(ada)
    assert [over["table"] for over in told["finished"]] == [alone, with_ben] and told["running"] == []
    scores = ada.view(with_ben, 0)["scores"]
    for over in told["finished"]:
        assert [seat["you"] for seat in over["seats"]] == [True, False]
        assert min(seat["place"] for seat in over["seats"]) == 1
    places = [seat["place"] for seat in told["finished"][1]["seats"]]
    assert places == [1 + sum(other > own for other in scores) for own in scores]
    assert [(tally["people"], tally["played"]) for tally in told["tallies"]] == [(False, 1), (True, 1)]
    assert told["tallies"][1]["won"] == (places[0] == 1)
    assert [over["table"] for over in mine(ben)["finished"]] == [with_ben]
    assert ada.table(with_ben)["id"] in json.dumps(told) and ada.get("/api/me").json["id"] not in json.dumps(told)


def test_running_games_name_the_pending_seats(server, ada, ben):
    table = ada.open("me", "open")
    waiting = mine(ada)["running"]
    assert [(one["table"]["id"], one["pending"], one["due"]) for one in waiting] == [(table, [], False)]
    ben.at(table, "sit")
    (one,) = mine(ada)["running"]
    assert one["pending"] == ada.view(table, 0)["pending"] and one["due"]
    assert ada.get("/api/tables").json["due"] == [table]
    ada.at(table, "leave")
    assert not mine(ada)["running"][0]["due"] and ada.get("/api/tables").json["due"] == []
    stranger = server.guest()
    assert mine(stranger) == {**mine(stranger), "running": [], "finished": [], "tallies": []}


def test_a_player_who_left_before_the_end_is_not_counted(server, ada, ben):
    table = ada.open("me", "open")
    ben.at(table, "sit")
    ada.at(table, "leave")
    ben.at(table, "leave")
    with ada.line(table) as line:
        line.view_where(lambda view: view["over"])
    told = mine(ada)
    assert [over["table"] for over in told["finished"]] == [table] and told["tallies"] == []


def test_games_that_ended_before_results_were_stored_are_listed(server, ada):
    table = finished(ada)
    with sqlite3.connect(server.data / "courtly.db") as database:
        database.execute("delete from result")
    told = mine(ada)
    assert told["finished"][0]["table"] == table and told["finished"][0]["seats"][0]["place"]
    assert told["tallies"][0]["played"] == 1


def test_games_of_other_rules_do_not_hide_others(server, ada):
    tables = [finished(ada) for _ in range(22)]
    with sqlite3.connect(server.data / "courtly.db") as database:
        database.execute("delete from result")
        for table in tables[1:]:
            database.execute("update game_table set version = 99 where id = ?", (table,))
    assert [tally["played"] for tally in mine(ada)["tallies"]] == [1]


def test_exports_are_rate_limited(server):
    eager = server.guest("Eve")
    assert [eager.get("/api/me/export").status for _ in range(4)] == [200, 200, 200, 429]


def test_ten_thousand_games_are_listed_page_by_page(server, ada):
    table = finished(ada)
    with sqlite3.connect(server.data / "courtly.db") as database:
        for name in ("game_table", "seat", "result"):
            columns = [column[1] for column in database.execute(f"pragma table_info({name})")]
            key = "id" if name == "game_table" else "table_id"
            new = ", ".join(
                "'m' || n" if column == key else "ended - n / 2" if column == "ended" else f'"{column}"'
                for column in columns
            )
            database.execute(
                f"""with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000)
                insert into {name} ({", ".join(f'"{column}"' for column in columns)})
                select {new} from {name}, numbers where {key} = ?""",
                (table,),
            )
    told = mine(ada)
    assert told["tallies"][0]["played"] == 10_001 and len(told["finished"]) == 50
    seen = [over["table"] for over in told["finished"]]
    for _ in range(3):
        told = mine(ada, told["after"])
        seen += [over["table"] for over in told["finished"]]
    assert len(set(seen)) == 200
    assert ada.get("/api/me/games?after=yesterday").error == "error-malformed"
    kept = [json.loads(line) for line in ada.get("/api/me/export").body.decode().splitlines()[1:]]
    assert len({line["table"] for line in kept}) == 10_001 and all(line["seats"] == [0] for line in kept)


def test_an_identity_link_works_once_in_another_browser(server, ada, ben):
    table = ada.open("me", "random")
    path = ada.post("/api/me/carry").json["path"]
    ticket = path.removeprefix("/g/")
    other = server.guest()
    own = other.open("me", "random")
    told = other.get(f"/api/carry/{ticket}").json
    assert told == {"name": "Ada", "games": 1, "yours": 1, "you": False}
    assert mine(other)["running"][0]["table"]["id"] == own  # reading has no effect
    assert ada.get(f"/api/carry/{ticket}").json["you"]
    second = ada.post("/api/me/carry").json["path"].removeprefix("/g/")
    assert other.post(f"/api/carry/{ticket}").json["name"] == "Ada"
    assert [one["table"]["id"] for one in mine(other)["running"]] == [table]
    assert other.view(table, 0)["legal"] is not None and ada.view(table, 0)["seat"] == 0
    for used in (ticket, second):  # the first attempt created both
        assert ben.post(f"/api/carry/{used}").error == "error-link-used"
    third = ada.post("/api/me/carry").json["path"].removeprefix("/g/")
    assert ada.ask("DELETE", "/api/me").status == 200
    for dead in (ticket, second, third):
        assert ben.get(f"/api/carry/{dead}").error == ben.post(f"/api/carry/{dead}").error == "error-link-used"
    for former in (ada, other):  # the identity that the other browser had before is gone, too
        assert former.ask("PUT", "/api/me", {"name": "Cleo"}).error == "error-no-cookie"
    assert ben.post("/api/carry/false").error == "error-link-false"
    assert mine(ben)["running"] == []


def test_an_export_has_all_data_of_a_guest(server, ada, ben):
    table = finished(ada, ben)
    running = ada.open("me", "random")
    answer = ada.get("/api/me/export")
    lines = [json.loads(line) for line in answer.body.decode().splitlines()]
    assert "attachment" in answer.headers["content-disposition"] and lines[0]["name"] == "Ada"
    games = {line["table"]: line for line in lines[1:] if "moves" in line}
    assert {*games} == {table, running} and games[table]["seats"] == [0] and games[table]["ended"]
    assert games[table]["moves"] and {move["seat"] for move in games[table]["moves"]} == {0}
    assert "Ben" not in answer.body.decode()


def test_a_deleted_guest_leaves_no_name_behind(server, ada, ben):
    table, waiting = finished(ada, ben), ada.open("me", "open")
    running = ada.open("me", "open")
    ben.at(running, "sit")
    me = ada.get("/api/me").json["id"]
    assert ada.ask("DELETE", "/api/me").status == 200
    assert ben.get(f"/api/tables/{waiting}").error == "error-unknown-table"
    until(lambda: ben.table(running)["seats"][0]["standin"])
    for left in (table, running):
        seats = ben.table(left)["seats"]
        assert [seat["name"] for seat in seats] == ["", "Ben"] and not seats[0]["here"]
    assert mine(ben)["finished"][0]["seats"][0]["name"] == ""
    assert ada.get("/api/me/games").error == "error-no-cookie"
    assert ada.get("/api/me").json["id"] != me and mine(ada)["finished"] == []
    with sqlite3.connect(server.data / "courtly.db") as database:
        dump = "\n".join(database.iterdump())
    assert [line for line in dump.splitlines() if me in line] == []


def test_secret_choices_do_not_show_in_a_guests_lists(server, ada, ben):
    table = ada.open("me", "open")
    ben.at(table, "sit")
    before = mine(ada)["running"][0]["since"]
    view = ben.view(table, 1)
    until(lambda: time.time_ns() // 1_000_000 > before)
    ben.play(table, 1, view["seq"], view["legal"][0]["id"])
    assert ben.view(table, 1)["seq"] > view["seq"]
    assert mine(ada)["running"][0]["since"] == before
    view = ada.view(table, 0)
    ada.play(table, 0, view["seq"], view["legal"][0]["id"])
    *_, line = ada.get("/api/me/export").body.decode().splitlines()
    assert json.loads(line)["moves"] and all(move["ply"] is None for move in json.loads(line)["moves"])


def test_a_rematch_does_not_wait_for_a_deleted_guest(server, ada, ben):
    table = finished(ada, ben)
    assert ben.ask("DELETE", "/api/me").status == 200
    again = ada.at(table, "rematch").json
    assert [seat["kind"] for seat in again["seats"]] == ["person", "bot"]


def test_a_deleted_guest_leaves_tables_that_are_not_in_memory(tmp_path):
    with Server(tmp_path, COURTLY_TABLES="1", COURTLY_TABLES_PER_GUEST="9") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.at(table, "sit")
        ben.open("me", "open")  # evicts the first table from memory
        assert ada.ask("DELETE", "/api/me").status == 200
        assert ben.table(table)["seats"][0]["standin"]


def test_tables_that_are_not_in_memory_are_listed(tmp_path):
    with Server(tmp_path, COURTLY_TABLES="1", COURTLY_TABLES_PER_GUEST="9") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.at(table, "sit")
        other = ben.open("me", "open")  # evicts the first table from memory
        (one,) = mine(ada)["running"]
        assert one["table"]["id"] == table and one["due"] and one["pending"] == ada.view(table, 0)["pending"]
        assert {one["table"]["id"] for one in mine(ben)["running"]} == {table, other}
        cleo = server.guest("Cleo")
        cleo.open("me", "open")
        assert ada.get("/api/tables").json["due"] == [table]
        ticket = ben.post("/api/me/carry").json["path"].removeprefix("/g/")
        cleo.open("me", "open")
        assert ada.get(f"/api/carry/{ticket}").json == {"name": "Ben", "games": 2, "yours": 1, "you": False}


@pytest.mark.parametrize("signed_out", [False, True])
def test_a_cookie_from_before_the_deletion_is_never_accepted_again(tmp_path, signed_out):
    with Server(tmp_path) as server:
        ada, stolen = server.guest("Ada"), Guest(server, cookie=False)
        stolen.cookie = ada.cookie
        table = server.guest().open("me", "open")
        if signed_out:
            assert ada.post("/api/me/sign-out").status == 200
            assert ada.ask("DELETE", "/api/me").status == 200
        else:
            with stolen.line(table) as line, pytest.raises(ConnectionClosed):
                assert ada.ask("DELETE", "/api/me").status == 200
                for _ in range(20):  # messages, more than exist
                    line.hear()
        assert stolen.get("/api/me/games").error == "error-no-cookie"
    with Server(tmp_path) as server:
        stolen.server = server
        assert stolen.ask("PUT", "/api/me", {"name": "Ada"}).error == "error-no-cookie"
