"""The chat of a table: recipients, limits, storage and deletion."""

import re
import sqlite3
import unicodedata
from contextlib import closing
from typing import get_args

import pytest
from guests import Server, until

from courtly.engine.position import CommandRefusedError
from courtly.server.services.chat import PAGE_SIZE
from courtly.server.settings import WEB
from courtly.session.schemas import CannedMessage
from courtly.session.text_cleaning import clean_text
from courtly.testing.checks.catalog_checks import read_catalog

MUCH = {"COURTLY_SAYINGS_PER_MINUTE": "1e9"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("data"), **MUCH) as server:
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def say(guest, table, text=None, courtesy=None):
    answer = guest.at(table, "talk", {"text": text} if courtesy is None else {"courtesy": courtesy})
    assert answer.status == 200, answer.json
    return answer.json


def heard(guest, table, **asked):
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return guest.get(f"/api/tables/{table}/talk?{query}").json


def texts(talk):
    return [said["text"] or said["courtesy"] for said in talk["sayings"]]


def to_the_end(table, *guests):
    """All guests play the first legal move until the game is over."""
    while guests[0].table(table)["status"] != "over":
        for seat, guest in enumerate(guests):
            view = guest.view(table, seat)
            if view["legal"]:
                guest.play(table, seat, view["seq"], view["legal"][0]["id"])


def test_players_messages_reach_everyone_immediately_and_later(ada, ben, cleo, pair):
    with ada.line(pair) as mine, ben.line(pair) as other, cleo.line(pair) as gallery:
        said = say(ada, pair, "  Good   luck! ")
        assert said["text"] == "Good luck!" and said["seat"] == 0 and said["name"] == "Ada" and said["you"]
        assert mine.wait("said")["saying"] == said
        for line in (other, gallery):
            told = line.wait("said")["saying"]
            assert {**told, "by": "", "you": True} == {**said, "by": ""} and not told["you"]
        assert say(ben, pair, courtesy="well-played")["text"] is None
        assert mine.wait("said")["saying"]["courtesy"] == "well-played"
    with cleo.line(pair) as line:
        assert texts(line.wait("talk")) == ["Good luck!", "well-played"]


def test_spectators_messages_reach_players_when_the_game_is_over(ada, ben, cleo, server, pair):
    dan = server.guest("Dan")
    with ada.line(pair) as player, dan.line(pair) as gallery:
        player.wait("view"), gallery.wait("view")
        said = say(cleo, pair, "Ada should pass.")
        assert said["seat"] is None and gallery.wait("said")["saying"]["text"] == "Ada should pass."
        player.silence()
        say(ben, pair, "What now?")
        first = player.hear()
        assert first["type"] == "said" and first["saying"]["text"] == "What now?", "no message arrived before it"
        assert texts(heard(ada, pair)) == ["What now?"] and texts(heard(dan, pair)) == ["Ada should pass.", "What now?"]
        assert texts(heard(server.guest("Eve"), pair)) == ["Ada should pass.", "What now?"]
        to_the_end(pair, ada, ben)
        assert texts(player.wait("talk")) == ["Ada should pass.", "What now?"] == texts(heard(ben, pair))
        say(cleo, pair, "Well done.")
        assert player.wait("said")["saying"]["text"] == "Well done."


def test_spectators_do_not_change_what_players_receive(ada, ben, cleo):
    """All but the times, which are those of the players' own messages."""

    def told(guests_say):
        table = ada.open("me", "open")
        ben.at(table, "sit")
        for guest, text in guests_say:
            say(guest, table, text)
        with ada.line(table) as line:
            talk = line.wait("talk")
        return [{**said, "at": 0} for said in talk["sayings"]], talk["more"]

    alone = told([(ada, "one"), (ben, "two")])
    crowd = [(cleo, f"{n}") for n in range(PAGE_SIZE + 1)]
    assert told([*crowd, (ada, "one"), *crowd, (ben, "two"), *crowd]) == alone


def test_a_local_seats_messages_are_of_the_guest_who_holds_it(ada, server):
    table = ada.open("local", "me")
    assert (say(ada, table, "We are two.")["seat"], ada.table(table)["seats"][1]["kind"]) == (1, "person")
    table = ada.open("me", "local")
    assert say(ada, table, "Here too.")["name"] == "Ada"


def test_a_reader_recognizes_a_sender_at_all_tables(ada, ben, cleo):
    """A reader recognizes a sender at all tables; two readers know the same sender by different ids."""
    tables = [ada.open("me", "open") for _ in range(2)]
    for table in tables:
        say(ada, table, "hello")
    by = {reader: [heard(reader, table)["sayings"][0]["by"] for table in tables] for reader in (ben, cleo)}
    assert by[ben][0] == by[ben][1] != by[cleo][0] == by[cleo][1]
    everything = str([heard(ben, table) for table in tables])
    assert ada.get("/api/me").json["id"] not in everything


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("مرحبا بالجميع", "مرحبا بالجميع"),
        ("\u202egnp.exe\u202c \u2066a\u2069\u200f", "gnp.exe a"),
        ("a\nb\tc\u2028d\x00\x1b[31m", "a b c d[31m"),
        ("かﾞ\u3000e\u0301", "かﾞ é"),
        ("👩\u200d👧 ok", "👩\u200d👧 ok"),
        ("x" * 500, "x" * 500),
    ],
)
def test_a_text_is_shown_as_a_text(said, shown):
    assert clean_text(said) == shown == unicodedata.normalize("NFC", shown)


@pytest.mark.parametrize(
    ("said", "why"),
    [("", "empty"), (" \n\u200b\u2067", "empty"), ("\u0301", "empty"), ("x" * 501, "long"), ("x" * 10_001, "long")],
)
def test_an_empty_or_too_long_text_is_rejected(said, why):
    with pytest.raises(CommandRefusedError) as refused:
        clean_text(said)
    assert (refused.value.id, refused.value.args_) == ("error-text", {"why": why})


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"text": "x" * 501}, "error-text"),
        ({"text": "\u202e"}, "error-text"),
        ({"text": "x" * 30_000}, "error-malformed"),
        ({"text": ["x"]}, "error-malformed"),
        ({"courtesy": "go-away"}, "error-malformed"),
        ({"text": "a", "courtesy": "hello"}, "error-malformed"),
        ({}, "error-malformed"),
        ({"text": "a", "seat": 1}, "error-malformed"),
    ],
)
def test_invalid_messages_are_rejected(ada, pair, body, error):
    assert ada.at(pair, "talk", body).error == error
    assert heard(ada, pair) == {"sayings": [], "more": False}


def test_a_message_needs_a_cookie_and_a_table(ada, server, pair):
    assert server.guest().at("nowhere1", "talk", {"text": "a"}).error == "error-unknown-table"
    stranger = server.guest()
    stranger.cookie = None
    assert stranger.at(pair, "talk", {"text": "a"}).error == "error-no-cookie"


@pytest.mark.parametrize("before", [10**30, -1, "x"])
def test_an_invalid_time_is_reported(ada, pair, before):
    assert ada.get(f"/api/tables/{pair}/talk?before={before}").error == "error-malformed"


def test_the_host_can_mute_the_chat(ada, ben, pair):
    say(ben, pair, "bla")
    assert ben.at(pair, "quiet", {"quiet": True}).error == "error-not-host"
    with ben.line(pair) as line:
        assert ada.at(pair, "quiet", {"quiet": True}).json["quiet"] is True
        until(lambda: line.wait("table")["table"]["quiet"])
    assert (
        ben.at(pair, "talk", {"text": "bla"}).error == "error-quiet" == ada.at(pair, "talk", {"courtesy": "oops"}).error
    )
    assert texts(heard(ben, pair)) == ["bla"]
    assert ada.at(pair, "quiet", {"quiet": False}).json["quiet"] is False
    say(ben, pair, "again")


def test_messages_are_limited_by_guest_and_for_all_spectators(tmp_path):
    with Server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.at(table, "sit")

        def until_too_fast(guest):
            for n in range(100):
                answer = guest.at(table, "talk", {"text": f"{n}"})
                if answer.status != 200:
                    assert answer.error == "error-too-fast"
                    return n
            raise AssertionError("no limit was reached")

        assert until_too_fast(ada) >= 5
        alone = [5] * 10
        assert sum(until_too_fast(server.guest(f"Cleo {n}")) for n in range(len(alone))) < sum(alone)
        assert until_too_fast(ben) >= 5, "the limit does not affect other guests"


def fill(server, table, count, guest="somebody"):
    rows = [(table, n % 2, 1_000 + n, guest, None if n % 2 else 0, "Ada", None, f"{n}") for n in range(count)]
    with closing(sqlite3.connect(server.data / "courtly.db")) as database, database:
        database.executemany("INSERT INTO chat_message VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def test_of_ten_thousand_messages_the_newest_are_sent_and_others_on_request(ada, ben, cleo, server, pair):
    fill(server, pair, 10_000)
    with ada.line(pair) as player, cleo.line(pair) as gallery:
        for line, step in ((player, 2), (gallery, 1)):
            talk = line.wait("talk")
            wanted = [f"{n}" for n in range(10_000)][::step][-PAGE_SIZE:]
            assert texts(talk) == wanted and talk["more"]
    found, before = [], 1_000 + 10_000
    for _ in range(10_000):
        page = heard(cleo, pair, before=before)
        found = [*texts(page), *found]
        if not page["more"]:
            break
        before = page["sayings"][0]["at"]
    assert found == [f"{n}" for n in range(10_000)]


def test_two_messages_never_have_the_same_time(ada, ben, cleo, server, pair):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(3) as people:
        jobs = [people.submit(say, guest, pair, f"{n}") for n in range(20) for guest in (ada, ben, cleo)]
        times = [job.result()["at"] for job in jobs]
    assert len(set(times)) == 60


def test_messages_survive_a_restart_and_are_deleted_with_their_table(tmp_path):
    with Server(tmp_path, **MUCH) as server:
        ada = server.guest("Ada")
        table, other = ada.open("me", "open"), ada.open("me", "open")
        for at in (table, other):
            say(ada, at, "Is anyone there?")
        server.kill()
    with Server(tmp_path, **MUCH) as again:
        ada.server = again
        assert texts(heard(ada, table)) == ["Is anyone there?"]
        assert ada.at(table, "leave").status == 200
        assert ada.get(f"/api/tables/{table}/talk").error == "error-unknown-table"
        again.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        assert database.execute("SELECT table_id FROM chat_message").fetchall() == [(other,)]


def test_the_log_contains_no_messages(tmp_path):
    with Server(tmp_path, COURTLY_LOG_LEVEL="debug") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "open")
        say(ada, table, "xyzzy")
        ada.at(table, "talk", {"text": "xyzzy" * 200})
        server.stop()
        assert "xyzzy" not in "".join(server.log)


def test_the_page_offers_all_courtesies_a_dozen():
    source = (WEB / "game-view" / "chat.js").read_text(encoding="utf-8")
    offered = re.findall(r'"([a-z-]+)"', re.search(r"const CANNED_MESSAGES = \[(.*?)\]", source, re.DOTALL)[1])
    assert offered == list(get_args(CannedMessage)) and len(set(offered)) == 12
    said = {text.removeprefix("courtesy-") for text in read_catalog(WEB, "ja") if text.startswith("courtesy-")}
    assert said == set(offered)
