"""A guest's identity, games and results."""

import json
import sqlite3
import time

import pytest
from guests import Guest, Server, wait_until
from websockets.exceptions import ConnectionClosed


def play_game(ada, ben=None):
    """Play a game of Ada against Ben or a bot to its end."""
    table = ada.open("me", "open" if ben else "random")
    if ben:
        assert ben.command(table, "sit").status == 200
    players = [(ada, 0), *([(ben, 1)] if ben else [])]
    while not ada.view(table, 0)["over"]:
        for guest, seat in players:
            view = guest.view(table, seat)
            if view["legal"]:
                guest.play(table, seat, view["seq"], view["legal"][0]["id"])
    return table


def own_games(guest, after=None):
    response = guest.get(f"/api/me/games?after={after}" if after else "/api/me/games")
    assert response.status == 200, response.json
    return response.json


def test_a_guest_gets_a_list_of_own_games_with_places_and_tallies(server, ada, ben):
    game_with_ben, game_with_bot = play_game(ada, ben), play_game(ada)
    games = own_games(ada)
    assert [game["table"] for game in games["finished"]] == [game_with_bot, game_with_ben] and games["running"] == []
    scores = ada.view(game_with_ben, 0)["scores"]
    for game in games["finished"]:
        assert [seat["you"] for seat in game["seats"]] == [True, False]
        assert min(seat["place"] for seat in game["seats"]) == 1
    places = [seat["place"] for seat in games["finished"][1]["seats"]]
    assert places == [1 + sum(other > own for other in scores) for own in scores]
    assert [(tally["people"], tally["played"]) for tally in games["tallies"]] == [(False, 1), (True, 1)]
    assert games["tallies"][1]["won"] == (places[0] == 1)
    assert [game["table"] for game in own_games(ben)["finished"]] == [game_with_ben]
    assert ada.table(game_with_ben)["id"] in json.dumps(games) and ada.get("/api/me").json["id"] not in json.dumps(
        games
    )


def test_running_games_name_the_pending_seats(server, ada, ben):
    table = ada.open("me", "open")
    running_games = own_games(ada)["running"]
    assert [(one["table"]["id"], one["pending"], one["due"]) for one in running_games] == [(table, [], False)]
    ben.command(table, "sit")
    (one,) = own_games(ada)["running"]
    assert one["pending"] == ada.view(table, 0)["pending"] and one["due"]
    assert ada.get("/api/tables").json["due"] == [table]
    ada.command(table, "leave")
    assert not own_games(ada)["running"][0]["due"] and ada.get("/api/tables").json["due"] == []
    stranger = server.guest()
    assert own_games(stranger) == {**own_games(stranger), "running": [], "finished": [], "tallies": []}


def test_a_player_who_left_before_the_end_is_not_counted(server, ada, ben):
    table = ada.open("me", "open")
    ben.command(table, "sit")
    ada.command(table, "leave")
    ben.command(table, "leave")
    with ada.connect(table) as connection:
        connection.view_where(lambda view: view["over"])
    games = own_games(ada)
    assert [game["table"] for game in games["finished"]] == [table] and games["tallies"] == []


def test_games_that_ended_before_results_were_stored_are_listed(server, ada):
    table = play_game(ada)
    with sqlite3.connect(server.data / "courtly.db") as database:
        database.execute("delete from result")
    games = own_games(ada)
    assert games["finished"][0]["table"] == table and games["finished"][0]["seats"][0]["place"]
    assert games["tallies"][0]["played"] == 1


def test_games_of_other_rules_do_not_hide_others(server, ada):
    tables = [play_game(ada) for _ in range(22)]
    with sqlite3.connect(server.data / "courtly.db") as database:
        database.execute("delete from result")
        for table in tables[1:]:
            database.execute("update game_table set version = 99 where id = ?", (table,))
    assert [tally["played"] for tally in own_games(ada)["tallies"]] == [1]


def test_exports_are_rate_limited(server):
    eager = server.guest("Eve")
    assert [eager.get("/api/me/export").status for _ in range(4)] == [200, 200, 200, 429]


def test_ten_thousand_games_are_listed_page_by_page(server, ada):
    table = play_game(ada)
    with sqlite3.connect(server.data / "courtly.db") as database:
        for name in ("game_table", "seat", "result"):
            columns = [column[1] for column in database.execute(f"pragma table_info({name})")]
            key = "id" if name == "game_table" else "table_id"
            values = ", ".join(
                "'m' || n" if column == key else "ended - n / 2" if column == "ended" else f'"{column}"'
                for column in columns
            )
            database.execute(
                f"""with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000)
                insert into {name} ({", ".join(f'"{column}"' for column in columns)})
                select {values} from {name}, numbers where {key} = ?""",
                (table,),
            )
    page = own_games(ada)
    assert page["tallies"][0]["played"] == 10_001 and len(page["finished"]) == 50
    seen = [game["table"] for game in page["finished"]]
    for _ in range(3):
        page = own_games(ada, page["after"])
        seen += [game["table"] for game in page["finished"]]
    assert len(set(seen)) == 200
    assert ada.get("/api/me/games?after=yesterday").error == "error-malformed"
    exported_games = [json.loads(line) for line in ada.get("/api/me/export").body.decode().splitlines()[1:]]
    assert len({line["table"] for line in exported_games}) == 10_001 and all(
        line["seats"] == [0] for line in exported_games
    )


def test_an_identity_link_works_once_in_another_browser(server, ada, ben):
    table = ada.open("me", "random")
    path = ada.post("/api/me/identity-link").json["path"]
    ticket = path.removeprefix("/g/")
    other = server.guest()
    own = other.open("me", "random")
    link_content = other.get(f"/api/identity-link/{ticket}").json
    assert link_content == {"name": "Ada", "games": 1, "games_left_behind": 1, "you": False}
    assert own_games(other)["running"][0]["table"]["id"] == own  # reading has no effect
    assert ada.get(f"/api/identity-link/{ticket}").json["you"]
    second = ada.post("/api/me/identity-link").json["path"].removeprefix("/g/")
    assert other.post(f"/api/identity-link/{ticket}").json["name"] == "Ada"
    assert [one["table"]["id"] for one in own_games(other)["running"]] == [table]
    assert other.view(table, 0)["legal"] is not None and ada.view(table, 0)["seat"] == 0
    for used_ticket in (ticket, second):  # the first attempt created both
        assert ben.post(f"/api/identity-link/{used_ticket}").error == "error-link-used"
    third = ada.post("/api/me/identity-link").json["path"].removeprefix("/g/")
    assert ada.request("DELETE", "/api/me").status == 200
    for dead_ticket in (ticket, second, third):
        assert (
            ben.get(f"/api/identity-link/{dead_ticket}").error
            == ben.post(f"/api/identity-link/{dead_ticket}").error
            == "error-link-used"
        )
    for guest in (ada, other):  # the identity that the other browser had before is gone, too
        assert guest.request("PUT", "/api/me", {"name": "Cleo"}).error == "error-no-cookie"
    assert ben.post("/api/identity-link/false").error == "error-link-false"
    assert own_games(ben)["running"] == []


def test_an_export_has_all_data_of_a_guest(server, ada, ben):
    table = play_game(ada, ben)
    running = ada.open("me", "random")
    response = ada.get("/api/me/export")
    lines = [json.loads(line) for line in response.body.decode().splitlines()]
    assert "attachment" in response.headers["content-disposition"] and lines[0]["name"] == "Ada"
    games = {line["table"]: line for line in lines[1:] if "moves" in line}
    assert {*games} == {table, running} and games[table]["seats"] == [0] and games[table]["ended_at"]
    assert games[table]["moves"] and {move["seat"] for move in games[table]["moves"]} == {0}
    assert "Ben" not in response.body.decode()


def test_a_deleted_guest_leaves_no_name_behind(server, ada, ben):
    table, waiting = play_game(ada, ben), ada.open("me", "open")
    running = ada.open("me", "open")
    ben.command(running, "sit")
    me = ada.get("/api/me").json["id"]
    assert ada.request("DELETE", "/api/me").status == 200
    assert ben.get(f"/api/tables/{waiting}").error == "error-unknown-table"
    wait_until(lambda: ben.table(running)["seats"][0]["substitute"])
    for remaining_table in (table, running):
        seats = ben.table(remaining_table)["seats"]
        assert [seat["name"] for seat in seats] == ["", "Ben"] and not seats[0]["connected"]
    assert own_games(ben)["finished"][0]["seats"][0]["name"] == ""
    assert ada.get("/api/me/games").error == "error-no-cookie"
    assert ada.get("/api/me").json["id"] != me and own_games(ada)["finished"] == []
    with sqlite3.connect(server.data / "courtly.db") as database:
        dump = "\n".join(database.iterdump())
    assert [line for line in dump.splitlines() if me in line] == []


def test_secret_choices_do_not_show_in_a_guests_lists(server, ada, ben):
    table = ada.open("me", "open")
    ben.command(table, "sit")
    before = own_games(ada)["running"][0]["waiting_since"]
    view = ben.view(table, 1)
    wait_until(lambda: time.time_ns() // 1_000_000 > before)
    ben.play(table, 1, view["seq"], view["legal"][0]["id"])
    assert ben.view(table, 1)["seq"] > view["seq"]
    assert own_games(ada)["running"][0]["waiting_since"] == before
    view = ada.view(table, 0)
    ada.play(table, 0, view["seq"], view["legal"][0]["id"])
    *_, line = ada.get("/api/me/export").body.decode().splitlines()
    assert json.loads(line)["moves"] and all(move["ply"] is None for move in json.loads(line)["moves"])


def test_a_rematch_does_not_wait_for_a_deleted_guest(server, ada, ben):
    table = play_game(ada, ben)
    assert ben.request("DELETE", "/api/me").status == 200
    rematch = ada.command(table, "rematch").json
    assert [seat["kind"] for seat in rematch["seats"]] == ["person", "bot"]


def test_a_deleted_guest_leaves_tables_that_are_not_in_memory(tmp_path):
    with Server(tmp_path, COURTLY_TABLES="1", COURTLY_TABLES_PER_GUEST="9") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.command(table, "sit")
        ben.open("me", "open")  # evicts the first table from memory
        assert ada.request("DELETE", "/api/me").status == 200
        assert ben.table(table)["seats"][0]["substitute"]


def test_tables_that_are_not_in_memory_are_listed(tmp_path):
    with Server(tmp_path, COURTLY_TABLES="1", COURTLY_TABLES_PER_GUEST="9") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.command(table, "sit")
        other = ben.open("me", "open")  # evicts the first table from memory
        (one,) = own_games(ada)["running"]
        assert one["table"]["id"] == table and one["due"] and one["pending"] == ada.view(table, 0)["pending"]
        assert {one["table"]["id"] for one in own_games(ben)["running"]} == {table, other}
        cleo = server.guest("Cleo")
        cleo.open("me", "open")
        assert ada.get("/api/tables").json["due"] == [table]
        ticket = ben.post("/api/me/identity-link").json["path"].removeprefix("/g/")
        cleo.open("me", "open")
        assert ada.get(f"/api/identity-link/{ticket}").json == {
            "name": "Ben",
            "games": 2,
            "games_left_behind": 1,
            "you": False,
        }


@pytest.mark.parametrize("signed_out", [False, True])
def test_a_cookie_from_before_the_deletion_is_never_accepted_again(tmp_path, signed_out):
    with Server(tmp_path) as server:
        ada, stolen = server.guest("Ada"), Guest(server, cookie=False)
        stolen.cookie = ada.cookie
        table = server.guest().open("me", "open")
        if signed_out:
            assert ada.post("/api/me/sign-out").status == 200
            assert ada.request("DELETE", "/api/me").status == 200
        else:
            with stolen.connect(table) as connection, pytest.raises(ConnectionClosed):
                assert ada.request("DELETE", "/api/me").status == 200
                for _ in range(20):  # messages, more than exist
                    connection.receive()
        assert stolen.get("/api/me/games").error == "error-no-cookie"
    with Server(tmp_path) as server:
        stolen.server = server
        assert stolen.request("PUT", "/api/me", {"name": "Ada"}).error == "error-no-cookie"
