"""Hints at a table: when they are available, what they contain, and that they do not disturb others."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from guests import Guest, Server, until


def agree(guest, table, yes=True):
    return guest.at(table, "help", {"yes": yes})


def ask(guest, table, seat=0, hints=True, seq=None):
    """Ask about the current view, unless `seq` is given."""
    while True:
        now = guest.view(table, seat)["seq"] if seq is None else seq
        answer = guest.at(table, "advise", {"seat": seat, "seq": now, "hints": hints})
        if seq is not None or answer.error != "error-stale":  # otherwise a bot has moved meanwhile
            return answer


def test_the_opener_says_whether_there_is_help(ada):
    for yes in (True, False):
        table = ada.table(ada.open("me", "bot", help=yes))
        assert table["help"] == ("missing" if yes else "off")
        assert [seat["help"] for seat in table["seats"]] == [yes, False]
    assert ada.table(ada.open("me", "bot"))["help"] == "off"


def test_among_people_there_is_help_while_all_say_yes(ada, ben, cleo):
    table = ada.open("me", "open", "bot", help=True)
    assert ada.table(table)["help"] != "off"
    ben.at(table, "sit")
    assert ada.table(table)["help"] == "off"
    assert ask(ada, table).error == "error-no-help"
    with ada.line(table) as line:
        line.silence()
        told = agree(ben, table).json
        assert told["help"] == "missing" and [seat["help"] for seat in told["seats"]] == [True, True, False]
        assert line.wait("table")["table"]["help"] == "missing"
    assert agree(ada, table, yes=False).json["help"] == "off"
    assert agree(cleo, table).error == "error-not-yours"


def test_a_seat_given_away_has_the_name_and_consent_of_its_new_player(ada, ben):
    table = ada.open("me", "bot", help=True)
    path = ada.at(table, "ticket", {"seat": 0}).json["path"]
    assert ben.ask("POST", f"/api/seat/{path.removeprefix('/j/')}").status == 200
    seat = ben.table(table)["seats"][0]
    assert (seat["name"], seat["help"], ben.table(table)["help"]) == ("Ben", False, "off")


def test_a_substitute_keeps_its_players_refusal(ada, ben):
    """The player may take the seat back, and would then face a player who was helped meanwhile."""
    for leaves in (True, False):
        table = ada.open("me", "open", help=True)
        ben.at(table, "sit")
        assert ada.table(table)["help"] == "off"
        if leaves:
            ben.at(table, "leave")
        else:  # the page is closed, and the others vote for a substitute
            with ada.line(table):
                assert ada.at(table, "standin", {"seat": 1}).status == 200
        told = ada.table(table)
        assert told["seats"][1]["standin"] and told["help"] == "off"
        assert ask(ada, table).error == "error-no-help"
        assert agree(ben, table).status == 200  # without coming back
        assert ada.table(table)["help"] != "off"
        assert agree(ben, table, yes=False).json["help"] == "off"
        ben.at(table, "back", {"seat": 1})
        assert ada.table(table)["help"] == "off"


def test_a_deleted_guest_is_not_asked(ada, server):
    table = ada.open("me", "open", help=True)
    gone = server.guest("Gone")
    gone.at(table, "sit")
    assert ada.table(table)["help"] == "off"
    assert gone.ask("DELETE", "/api/me").status == 200
    assert ada.table(table)["help"] != "off"


def test_at_a_table_of_bots_there_is_no_help(ada):
    table = ada.open("me", "bot", help=True)
    ada.at(table, "leave")
    assert ada.table(table)["help"] == "off"


def test_the_next_game_has_it_again(ada):
    table = ada.open("me", "bot", help=True)
    with ada.line(table) as line:
        while not (view := line.view())["over"]:
            if view["legal"]:
                line.play(view)
    again = ada.at(table, "rematch").json
    assert again["help"] == "missing"


def test_without_machine_code_there_is_none(ada):
    table = ada.open("me", "bot", help=True)
    assert ada.get("/api/games/sealed_bids").json["help"] is False
    assert ask(ada, table).error == "error-no-machine-code"


def test_invalid_requests_are_rejected(ada, ben):
    table = ada.open("me", "open", help=True)
    ben.at(table, "sit")
    agree(ben, table)
    assert ask(ada, table, seat=1, seq=0).error == "error-not-yours"
    assert ask(ada, table, seq=99).error == "error-stale"
    assert ada.at(table, "advise", {"seat": 0}).error == "error-malformed"


@pytest.fixture(scope="module")
def wise(tmp_path_factory):
    """A server with hints and a low limit for requests."""
    environment = {"COURTLY_NATIVE": "1", "COURTLY_LOG_LEVEL": "info", "COURTLY_QUESTIONS_PER_SECOND": "0.4"}
    with Server(tmp_path_factory.mktemp("data"), **environment) as server:
        first = server.guest()
        table = first.open("me", "bot", help=True)
        until(lambda: first.table(table)["status"] == "playing")
        until(lambda: ask(first, table).json.get("wins"), 600)
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def wise_one(server, guest):
    """Return the same guest with a connection of its own."""
    same = Guest(server, cookie=False)
    same.cookie = guest.cookie
    return same


def decision(server, guest, least=3):
    """Open a table of two people where this guest has at least `least` moves and no other seat moves; return it with
    the view.
    """
    other = server.guest()
    while True:
        table = guest.open("me", "open", help=True, options={"looks": 0})
        other.at(table, "sit")
        agree(other, table)
        view = guest.view(table, 0)
        if len(view["legal"]) >= least:
            return table, view


def test_it_names_the_best_moves_and_the_chances_of_all(wise):
    ada = wise.guest("Ada")
    table, view = decision(wise, ada)
    advice = ask(ada, table).json
    assert 1 <= len(advice["hints"]) <= 3 and sum(advice["wins"]) in (999, 1000, 1001)
    for hint in advice["hints"]:
        assert hint["move"] in view["legal"] and 0 <= hint["wins"] <= 1000 and 0 < hint["margin"] < 500
    assert ask(ada, table).json == advice and ada.view(table, 0) == view
    odds = ask(ada, table, hints=False).json
    assert odds["hints"] == [] and len(odds["wins"]) == 2


def test_a_flood_of_questions_is_limited_and_the_same_question_costs_nothing(wise):
    ada, ben = wise.guest("Ada"), wise.guest("Ben")
    table, _ = decision(wise, ada)
    assert all(ask(ada, table).status == 200 for _ in range(30))
    tables = [decision(wise, ada)[0] for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:  # concurrently, so that the speed of answers does not matter
        answers = [*pool.map(lambda table: ask(wise_one(wise, ada), table), tables)]
    assert {answer.error for answer in answers} == {None, "error-too-fast"}
    assert {answer.status for answer in answers} == {200, 429}
    assert ask(ben, decision(wise, ben)[0]).status == 200


FORGETFUL = """
import courtly.bots.runtime.worker_pool as workers, courtly.server.services.hints as counsel
answer = workers.WorkerProcess.answer
async def forgetful(self, question):
    if question["want"] == "advice" and len(self.games) > 1:  # as where the memory is full of another game's code
        raise workers.BotError("MemoryError")
    return await answer(self, question)
workers.WorkerProcess.answer = forgetful
"""


def test_games_one_after_the_other_each_get_their_hints(tmp_path):
    """If two games' machine code does not fit into one process, the second game gets a new process."""
    with Server(tmp_path, first=FORGETFUL, COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        tables = [ada.open("me", "local", game=game, options=None, help=True) for game in ("sealed_bids", "petition")]
        for table in tables * 2:
            pending = ada.view(table)["pending"][0]
            until(lambda table=table, pending=pending: ask(ada, table, seat=pending).json.get("wins"), 600)
        assert not [line for line in server.log if "failed for a hint" in line]


@pytest.mark.parametrize("why", ["compiling", "broken"])
def test_the_squire_gives_hints_until_a_search_is_available(tmp_path, why):
    service = "from courtly.bots.runtime.bot_service import BotService"
    never = f"{service}; BotService.hindrance = lambda self, game, bot: {why!r}"
    with Server(tmp_path, first=never, COURTLY_NATIVE="1") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local", game="petition", options=None, help=True)
        seat = ada.view(table)["pending"][0]
        view = ada.view(table, seat)
        advice = ask(ada, table, seat=seat).json
        assert advice["wins"] == [] and ask(ada, table, seat=seat, hints=False).json["hints"] == []
        if len(view["legal"]) > 1:
            assert [hint["move"] in view["legal"] for hint in advice["hints"]] == [True]
            assert advice["hints"][0]["wins"] is None


THINKS_TO_THE_END = """
import os, signal, sys
from courtly.bots.runtime.bot_service import BotService
from courtly.bots.runtime.worker_pool import WorkerProcess
BotService.hindrance = lambda self, game, bot: {!r}
in_time = WorkerProcess.answer
async def answer(self, question):
    if question["want"] == "ready":
        return {{}}
    os.kill(self.process.pid, signal.SIGSTOP)
    print("thinking", file=sys.stderr, flush=True)
    return await in_time(self, question)
WorkerProcess.answer = answer
"""


@pytest.mark.parametrize("hindrance", [None, "compiling"], ids=["the search", "the squire"])
def test_hints_interrupted_by_a_stop_are_answered_without_a_traceback(tmp_path, hindrance):
    """Requests in progress, and requests that wait for their turn."""
    with Server(tmp_path, first=THINKS_TO_THE_END.format(hindrance)) as server, ThreadPoolExecutor() as beside:
        guests = [server.guest(name) for name in ("Ada", "Ben", "Cleo")]
        tables = [guest.open("me", "local", help=True) for guest in guests]
        asked = []
        for guest, table in zip(guests, tables, strict=True):
            view = guest.view(table, guest.view(table)["pending"][0])
            asked.append(beside.submit(ask, guest, table, view["seat"], True, view["seq"]))
        until(lambda: any("thinking" in line for line in server.log))
        server.process.terminate()
        assert [answer.result().error for answer in asked] == ["error-restart"] * 3
        assert server.process.wait(60) == -signal.SIGTERM
    said = [line for line in server.log if line != "thinking\n"]
    assert len(said) == 1 and "Cancel 3 running" in said[0], "".join(said)
