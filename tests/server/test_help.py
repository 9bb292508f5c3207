"""Help at the table: who has it, what it says, and that it is nobody's burden."""

import pytest
from guests import Server, until


def agree(guest, table, yes=True):
    return guest.at(table, "help", {"yes": yes})


def ask(guest, table, seat=0, hints=True, seq=None):
    """Asked about what is seen just then, unless a `seq` is given."""
    while True:
        now = guest.view(table, seat)["seq"] if seq is None else seq
        answer = guest.at(table, "advise", {"seat": seat, "seq": now, "hints": hints})
        if seq is not None or answer.error != "error-stale":  # else a bot has moved meanwhile
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


def test_who_has_left_is_not_asked(ada, ben):
    table = ada.open("me", "open", help=True)
    ben.at(table, "sit")
    assert ada.table(table)["help"] == "off"
    ben.at(table, "leave")
    assert ada.table(table)["help"] != "off"
    ben.at(table, "back", {"seat": 1})
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


def test_what_is_asked_has_to_make_sense(ada, ben):
    table = ada.open("me", "open", help=True)
    ben.at(table, "sit")
    agree(ben, table)
    assert ask(ada, table, seat=1, seq=0).error == "error-not-yours"
    assert ask(ada, table, seq=99).error == "error-stale"
    assert ada.at(table, "advise", {"seat": 0}).error == "error-malformed"


@pytest.fixture(scope="module")
def wise(tmp_path_factory):
    """A server that can help, with patience for few questions."""
    environment = {"COURTLY_NATIVE": "1", "COURTLY_LOG_LEVEL": "info", "COURTLY_QUESTIONS_PER_SECOND": "0.4"}
    with Server(tmp_path_factory.mktemp("data"), **environment) as server:
        first = server.guest()
        table = first.open("me", "bot", help=True)
        until(lambda: first.table(table)["status"] == "playing")
        until(lambda: ask(first, table).error != "error-not-ready", 600)
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def decision(server, guest, least=3):
    """A table of two people where this guest has so many moves to choose from, and nobody else moves; and the view."""
    other = server.guest()
    while True:
        table = guest.open("me", "open", help=True, options={"looks": 0})
        other.at(table, "sit")
        agree(other, table)
        view = guest.view(table, 0)
        if len(view["legal"]) >= least:
            return table, view


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_a_flood_of_questions_is_limited_and_the_same_question_costs_nothing(wise):
    ada, ben = wise.guest("Ada"), wise.guest("Ben")
    table, _ = decision(wise, ada)
    assert all(ask(ada, table).status == 200 for _ in range(30))
    answers = [ask(ada, decision(wise, ada)[0]) for _ in range(8)]
    assert answers[0].status == 200 and answers[-1].error == "error-too-fast" and answers[-1].status == 429
    assert ask(ben, decision(wise, ben)[0]).status == 200
