"""Hints at a table: when they are available, what they contain, and that they do not disturb others."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from guests import Guest, Server, wait_until


def agree_to_help(guest, table, yes=True):
    return guest.command(table, "help-consent", {"help_consent": yes})


def request_advice(guest, table, seat=0, hints=True, seq=None):
    """Ask about the current view, unless `seq` is given."""
    while True:
        current_seq = guest.view(table, seat)["seq"] if seq is None else seq
        response = guest.command(table, "advise", {"seat": seat, "seq": current_seq, "hints": hints})
        if seq is not None or response.error != "error-stale":  # otherwise a bot has moved meanwhile
            return response


def open_table_with_choice(guest):
    """Open a table whose first seat has several moves, so that a hint needs a bot. Return its id and the view."""
    while True:  # the three cards of a hand may be equal
        table = guest.open("me", "local", help_consent=True)
        view = guest.view(table, guest.view(table)["pending"][0])
        if len(view["legal"]) > 1:
            return table, view


def test_the_host_decides_whether_there_is_help(ada):
    for yes in (True, False):
        table = ada.table(ada.open("me", "bot", help_consent=yes))
        assert table["help"] == ("missing" if yes else "off")
        assert [seat["help_consent"] for seat in table["seats"]] == [yes, False]
    assert ada.table(ada.open("me", "bot"))["help"] == "off"


def test_among_people_there_is_help_while_all_say_yes(ada, ben, cleo):
    table = ada.open("me", "open", "bot", help_consent=True)
    assert ada.table(table)["help"] != "off"
    ben.command(table, "sit")
    assert ada.table(table)["help"] == "off"
    assert request_advice(ada, table).error == "error-no-help"
    with ada.connect(table) as connection:
        connection.drop_pending()
        state = agree_to_help(ben, table).json
        assert state["help"] == "missing" and [seat["help_consent"] for seat in state["seats"]] == [True, True, False]
        assert connection.wait("table")["table"]["help"] == "missing"
    assert agree_to_help(ada, table, yes=False).json["help"] == "off"
    assert agree_to_help(cleo, table).error == "error-not-yours"


def test_a_seat_given_away_has_the_name_and_consent_of_its_new_player(ada, ben):
    table = ada.open("me", "bot", help_consent=True)
    path = ada.command(table, "seat-link", {"seat": 0}).json["path"]
    assert ben.request("POST", f"/api/seat-link/{path.removeprefix('/j/')}").status == 200
    seat = ben.table(table)["seats"][0]
    assert (seat["name"], seat["help_consent"], ben.table(table)["help"]) == ("Ben", False, "off")


def test_a_substitute_keeps_its_players_refusal(ada, ben):
    """The player may take the seat back, and would then face a player who was helped meanwhile."""
    for leaves in (True, False):
        table = ada.open("me", "open", help_consent=True)
        ben.command(table, "sit")
        assert ada.table(table)["help"] == "off"
        if leaves:
            ben.command(table, "leave")
        else:  # the page is closed, and the others vote for a substitute
            with ada.connect(table):
                assert ada.command(table, "substitute", {"seat": 1}).status == 200
        state = ada.table(table)
        assert state["seats"][1]["substitute"] and state["help"] == "off"
        assert request_advice(ada, table).error == "error-no-help"
        assert agree_to_help(ben, table).status == 200  # without coming back
        assert ada.table(table)["help"] != "off"
        assert agree_to_help(ben, table, yes=False).json["help"] == "off"
        ben.command(table, "take-seat-back", {"seat": 1})
        assert ada.table(table)["help"] == "off"


def test_a_deleted_guest_is_not_asked(ada, server):
    table = ada.open("me", "open", help_consent=True)
    deleted_guest = server.guest("Gone")
    deleted_guest.command(table, "sit")
    assert ada.table(table)["help"] == "off"
    assert deleted_guest.request("DELETE", "/api/me").status == 200
    assert ada.table(table)["help"] != "off"


def test_at_a_table_of_bots_there_is_no_help(ada):
    table = ada.open("me", "bot", help_consent=True)
    ada.command(table, "leave")
    assert ada.table(table)["help"] == "off"


def test_a_rematch_offers_help_again(ada):
    table = ada.open("me", "bot", help_consent=True)
    with ada.connect(table) as connection:
        while not (view := connection.view())["over"]:
            if view["legal"]:
                connection.play(view)
    rematch = ada.command(table, "rematch").json
    assert rematch["help"] == "missing"


def test_without_machine_code_there_is_no_help(ada):
    table = ada.open("me", "bot", help_consent=True)
    assert ada.get("/api/games/sealed_bids").json["help_available"] is False
    assert request_advice(ada, table).error == "error-no-machine-code"


def test_invalid_requests_are_rejected(ada, ben):
    table = ada.open("me", "open", help_consent=True)
    ben.command(table, "sit")
    agree_to_help(ben, table)
    assert request_advice(ada, table, seat=1, seq=0).error == "error-not-yours"
    assert request_advice(ada, table, seq=99).error == "error-stale"
    assert ada.command(table, "advise", {"seat": 0}).error == "error-malformed"


@pytest.fixture(scope="module")
def hint_server(tmp_path_factory):
    """A server with hints and a low limit for requests."""
    environment = {"COURTLY_NATIVE": "1", "COURTLY_LOG_LEVEL": "info", "COURTLY_HINTS_PER_SECOND": "0.4"}
    with Server(tmp_path_factory.mktemp("data"), **environment) as server:
        guest = server.guest()
        table = guest.open("me", "bot", help_consent=True)
        wait_until(lambda: guest.table(table)["status"] == "playing")
        wait_until(lambda: request_advice(guest, table).json.get("wins"), 600)
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def same_guest(server, guest):
    """Return the same guest with a connection of its own."""
    copy = Guest(server, cookie=False)
    copy.cookie = guest.cookie
    return copy


def open_decision(server, guest, least=3):
    """Open a table of two people where this guest has at least `least` moves and no other seat moves; return it with
    the view.
    """
    other = server.guest()
    while True:
        table = guest.open("me", "open", help_consent=True, options={"looks": 0})
        other.command(table, "sit")
        agree_to_help(other, table)
        view = guest.view(table, 0)
        if len(view["legal"]) >= least:
            return table, view


def test_hints_name_the_best_moves_and_the_chances_of_all(hint_server):
    ada = hint_server.guest("Ada")
    table, view = open_decision(hint_server, ada)
    advice = request_advice(ada, table).json
    assert 1 <= len(advice["hints"]) <= 3 and sum(advice["wins"]) in (999, 1000, 1001)
    for hint in advice["hints"]:
        assert hint["move"] in view["legal"] and 0 <= hint["wins"] <= 1000 and 0 < hint["margin"] < 500
    assert request_advice(ada, table).json == advice and ada.view(table, 0) == view
    odds = request_advice(ada, table, hints=False).json
    assert odds["hints"] == [] and len(odds["wins"]) == 2


def test_a_flood_of_questions_is_limited_and_the_same_question_costs_nothing(hint_server):
    ada, ben = hint_server.guest("Ada"), hint_server.guest("Ben")
    table, _ = open_decision(hint_server, ada)
    assert all(request_advice(ada, table).status == 200 for _ in range(30))
    tables = [open_decision(hint_server, ada)[0] for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:  # concurrently, so that the speed of answers does not matter
        responses = [*pool.map(lambda table: request_advice(same_guest(hint_server, ada), table), tables)]
    assert {response.error for response in responses} == {None, "error-too-fast"}
    assert {response.status for response in responses} == {200, 429}
    assert request_advice(ben, open_decision(hint_server, ben)[0]).status == 200


MEMORY_FOR_ONE_GAME = """
import courtly.bots.runtime.worker_pool as workers
answer = workers.WorkerProcess.answer
async def answer_for_one_game(self, question):
    if question["want"] == "advice" and len(self.games) > 1:  # as where the memory is full of another game's code
        raise workers.BotError("MemoryError")
    return await answer(self, question)
workers.WorkerProcess.answer = answer_for_one_game
"""


def test_games_one_after_the_other_each_get_their_hints(tmp_path):
    """If two games' machine code does not fit into one process, the second game gets a new process."""
    with Server(tmp_path, first=MEMORY_FOR_ONE_GAME, COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        tables = [
            ada.open("me", "local", game=game, options=None, help_consent=True) for game in ("sealed_bids", "petition")
        ]
        for table in tables * 2:
            pending = ada.view(table)["pending"][0]
            wait_until(
                lambda table=table, pending=pending: request_advice(ada, table, seat=pending).json.get("wins"), 600
            )
        assert not [line for line in server.log if "failed for a hint" in line]


@pytest.mark.parametrize("obstacle", ["compiling", "broken"])
def test_the_squire_gives_hints_until_a_search_is_available(tmp_path, obstacle):
    service = "from courtly.bots.runtime.bot_service import BotService"
    unavailable_search = f"{service}; BotService.find_obstacle = lambda self, game, bot: {obstacle!r}"
    with Server(tmp_path, first=unavailable_search, COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local", game="petition", options=None, help_consent=True)
        seat = ada.view(table)["pending"][0]
        view = ada.view(table, seat)
        advice = request_advice(ada, table, seat=seat).json
        assert advice["wins"] == [] and request_advice(ada, table, seat=seat, hints=False).json["hints"] == []
        if len(view["legal"]) > 1:
            assert [hint["move"] in view["legal"] for hint in advice["hints"]] == [True]
            assert advice["hints"][0]["wins"] is None


STUCK_WORKER = """
import sys
from courtly.bots.runtime.bot_service import BotService
from courtly.bots.runtime.worker_pool import WorkerProcess
BotService.find_obstacle = lambda self, game, bot: {!r}
send = WorkerProcess.answer
async def answer(self, question):
    if question["want"] == "ready":
        return {{}}
    self.process.stdin.write = lambda line: None  # the process never gets the question
    print("thinking", file=sys.stderr, flush=True)
    return await send(self, question)
WorkerProcess.answer = answer
"""


@pytest.mark.parametrize("obstacle", [None, "compiling"], ids=["the search", "the squire"])
def test_hints_interrupted_by_a_stop_are_answered_without_a_traceback(tmp_path, obstacle):
    """Requests in progress, and requests that wait for their turn."""
    with Server(tmp_path, first=STUCK_WORKER.format(obstacle)) as server, ThreadPoolExecutor() as threads:
        requests = []
        for guest in [server.guest(name) for name in ("Ada", "Ben", "Cleo")]:
            table, view = open_table_with_choice(guest)
            requests.append(threads.submit(request_advice, guest, table, view["seat"], True, view["seq"]))
        wait_until(lambda: any("thinking" in line for line in server.log))
        server.process.terminate()
        assert [request.result().error for request in requests] == ["error-restart"] * 3
        assert server.process.wait(60) == -signal.SIGTERM
    other_lines = [line for line in server.log if line != "thinking\n"]
    assert len(other_lines) == 1 and "Cancel 3 running" in other_lines[0], "".join(other_lines)
