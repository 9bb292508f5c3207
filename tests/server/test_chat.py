"""The chat of a table: recipients, limits, storage and deletion."""

import re
import sqlite3
import unicodedata
from contextlib import closing
from typing import get_args

import pytest
from guests import Server, wait_until

from courtly.engine.position import CommandRefusedError
from courtly.server.services.chat import PAGE_SIZE
from courtly.server.settings import WEB
from courtly.session.schemas import CannedMessage
from courtly.session.text_cleaning import clean_text
from courtly.testing.checks.catalog_checks import read_catalog

NO_MESSAGE_LIMIT = {"COURTLY_CHAT_MESSAGES_PER_MINUTE": "1e9"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("data"), **NO_MESSAGE_LIMIT) as server:
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


def post_message(guest, table, text=None, canned_message=None):
    response = guest.command(
        table, "chat", {"text": text} if canned_message is None else {"canned_message": canned_message}
    )
    assert response.status == 200, response.json
    return response.json


def read_chat(guest, table, **parameters):
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return guest.get(f"/api/tables/{table}/chat?{query}").json


def texts(chat):
    return [message["text"] or message["canned_message"] for message in chat["messages"]]


def play_to_the_end(table, *guests):
    """All guests play the first legal move until the game is over."""
    while guests[0].table(table)["status"] != "over":
        for seat, guest in enumerate(guests):
            view = guest.view(table, seat)
            if view["legal"]:
                guest.play(table, seat, view["seq"], view["legal"][0]["id"])


def test_players_messages_reach_everyone_immediately_and_later(ada, ben, cleo, pair):
    with (
        ada.connect(pair) as own_connection,
        ben.connect(pair) as others_connection,
        cleo.connect(pair) as spectator_connection,
    ):
        message = post_message(ada, pair, "  Good   luck! ")
        assert message["text"] == "Good luck!" and message["seat"] == 0 and message["name"] == "Ada" and message["you"]
        assert own_connection.wait("chat_message")["message"] == message
        for connection in (others_connection, spectator_connection):
            received = connection.wait("chat_message")["message"]
            assert {**received, "author": "", "you": True} == {**message, "author": ""} and not received["you"]
        assert post_message(ben, pair, canned_message="well-played")["text"] is None
        assert own_connection.wait("chat_message")["message"]["canned_message"] == "well-played"
    with cleo.connect(pair) as connection:
        assert texts(connection.wait("chat_page")) == ["Good luck!", "well-played"]


def test_spectators_messages_reach_players_when_the_game_is_over(ada, ben, cleo, server, pair):
    dan = server.guest("Dan")
    with ada.connect(pair) as player, dan.connect(pair) as spectator:
        player.wait("view"), spectator.wait("view")
        message = post_message(cleo, pair, "Ada should pass.")
        assert message["seat"] is None and spectator.wait("chat_message")["message"]["text"] == "Ada should pass."
        player.drop_pending()
        post_message(ben, pair, "What now?")
        first_message = player.receive()
        assert first_message["type"] == "chat_message" and first_message["message"]["text"] == "What now?", (
            "no message arrived before it"
        )
        assert texts(read_chat(ada, pair)) == ["What now?"] and texts(read_chat(dan, pair)) == [
            "Ada should pass.",
            "What now?",
        ]
        assert texts(read_chat(server.guest("Eve"), pair)) == ["Ada should pass.", "What now?"]
        play_to_the_end(pair, ada, ben)
        assert texts(player.wait("chat_page")) == ["Ada should pass.", "What now?"] == texts(read_chat(ben, pair))
        post_message(cleo, pair, "Well done.")
        assert player.wait("chat_message")["message"]["text"] == "Well done."


def test_spectators_do_not_change_what_players_receive(ada, ben, cleo):
    """All but the times, which are those of the players' own messages."""

    def players_chat(messages):
        table = ada.open("me", "open")
        ben.command(table, "sit")
        for guest, text in messages:
            post_message(guest, table, text)
        with ada.connect(table) as connection:
            chat = connection.wait("chat_page")
        return [{**message, "sent_at": 0} for message in chat["messages"]], chat["more"]

    chat_without_spectators = players_chat([(ada, "one"), (ben, "two")])
    spectator_messages = [(cleo, f"{n}") for n in range(PAGE_SIZE + 1)]
    assert (
        players_chat([*spectator_messages, (ada, "one"), *spectator_messages, (ben, "two"), *spectator_messages])
        == chat_without_spectators
    )


def test_a_local_seats_messages_are_of_the_guest_who_holds_it(ada, server):
    table = ada.open("local", "me")
    assert (post_message(ada, table, "We are two.")["seat"], ada.table(table)["seats"][1]["kind"]) == (1, "person")
    table = ada.open("me", "local")
    assert post_message(ada, table, "Here too.")["name"] == "Ada"


def test_a_reader_recognizes_a_sender_at_all_tables(ada, ben, cleo):
    """A reader recognizes a sender at all tables; two readers know the same sender by different ids."""
    tables = [ada.open("me", "open") for _ in range(2)]
    for table in tables:
        post_message(ada, table, "hello")
    sender_ids = {
        reader: [read_chat(reader, table)["messages"][0]["author"] for table in tables] for reader in (ben, cleo)
    }
    assert sender_ids[ben][0] == sender_ids[ben][1] != sender_ids[cleo][0] == sender_ids[cleo][1]
    chats = str([read_chat(ben, table) for table in tables])
    assert ada.get("/api/me").json["id"] not in chats


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_a_text_is_cleaned_of_control_characters(text, expected):
    assert clean_text(text) == expected == unicodedata.normalize("NFC", expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty"), (" \n\u200b\u2067", "empty"), ("\u0301", "empty"), ("x" * 501, "long"), ("x" * 10_001, "long")],
)
def test_an_empty_or_too_long_text_is_rejected(text, reason):
    with pytest.raises(CommandRefusedError) as refusal:
        clean_text(text)
    assert (refusal.value.id, refusal.value.args_) == ("error-text", {"why": reason})


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"text": "x" * 501}, "error-text"),
        ({"text": "\u202e"}, "error-text"),
        ({"text": "x" * 30_000}, "error-malformed"),
        ({"text": ["x"]}, "error-malformed"),
        ({"canned_message": "go-away"}, "error-malformed"),
        ({"text": "a", "canned_message": "hello"}, "error-malformed"),
        ({}, "error-malformed"),
        ({"text": "a", "seat": 1}, "error-malformed"),
    ],
)
def test_invalid_messages_are_rejected(ada, pair, body, error):
    assert ada.command(pair, "chat", body).error == error
    assert read_chat(ada, pair) == {"messages": [], "more": False}


def test_a_message_needs_a_cookie_and_a_table(ada, server, pair):
    assert server.guest().command("nowhere1", "chat", {"text": "a"}).error == "error-unknown-table"
    stranger = server.guest()
    stranger.cookie = None
    assert stranger.command(pair, "chat", {"text": "a"}).error == "error-no-cookie"


@pytest.mark.parametrize("before", [10**30, -1, "x"])
def test_an_invalid_time_is_reported(ada, pair, before):
    assert ada.get(f"/api/tables/{pair}/chat?before={before}").error == "error-malformed"


def test_the_host_can_mute_the_chat(ada, ben, pair):
    post_message(ben, pair, "bla")
    assert ben.command(pair, "chat-muted", {"chat_muted": True}).error == "error-not-host"
    with ben.connect(pair) as connection:
        assert ada.command(pair, "chat-muted", {"chat_muted": True}).json["chat_muted"] is True
        wait_until(lambda: connection.wait("table")["table"]["chat_muted"])
    assert (
        ben.command(pair, "chat", {"text": "bla"}).error
        == "error-chat-muted"
        == ada.command(pair, "chat", {"canned_message": "oops"}).error
    )
    assert texts(read_chat(ben, pair)) == ["bla"]
    assert ada.command(pair, "chat-muted", {"chat_muted": False}).json["chat_muted"] is False
    post_message(ben, pair, "again")


def test_messages_are_limited_by_guest_and_for_all_spectators(tmp_path):
    with Server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open")
        ben.command(table, "sit")

        def count_until_refused(guest):
            for n in range(100):
                response = guest.command(table, "chat", {"text": f"{n}"})
                if response.status != 200:
                    assert response.error == "error-too-fast"
                    return n
            raise AssertionError("no limit was reached")

        assert count_until_refused(ada) >= 5
        single_limits = [5] * 10
        assert sum(count_until_refused(server.guest(f"Cleo {n}")) for n in range(len(single_limits))) < sum(
            single_limits
        )
        assert count_until_refused(ben) >= 5, "the limit does not affect other guests"


def insert_messages(server, table, count, guest_id="somebody"):
    rows = [(table, n % 2, 1_000 + n, guest_id, None if n % 2 else 0, "Ada", None, f"{n}") for n in range(count)]
    with closing(sqlite3.connect(server.data / "courtly.db")) as database, database:
        database.executemany("INSERT INTO chat_message VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def test_of_ten_thousand_messages_the_newest_are_sent_and_others_on_request(ada, ben, cleo, server, pair):
    insert_messages(server, pair, 10_000)
    with ada.connect(pair) as player, cleo.connect(pair) as spectator:
        for connection, step in ((player, 2), (spectator, 1)):
            chat = connection.wait("chat_page")
            expected = [f"{n}" for n in range(10_000)][::step][-PAGE_SIZE:]
            assert texts(chat) == expected and chat["more"]
    messages, before = [], 1_000 + 10_000
    for _ in range(10_000):
        page = read_chat(cleo, pair, before=before)
        messages = [*texts(page), *messages]
        if not page["more"]:
            break
        before = page["messages"][0]["sent_at"]
    assert messages == [f"{n}" for n in range(10_000)]


def test_two_messages_never_have_the_same_time(ada, ben, cleo, server, pair):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(3) as threads:
        jobs = [threads.submit(post_message, guest, pair, f"{n}") for n in range(20) for guest in (ada, ben, cleo)]
        times = [job.result()["sent_at"] for job in jobs]
    assert len(set(times)) == 60


def test_messages_survive_a_restart_and_are_deleted_with_their_table(tmp_path):
    with Server(tmp_path, **NO_MESSAGE_LIMIT) as server:
        ada = server.guest("Ada")
        table, other = ada.open("me", "open"), ada.open("me", "open")
        for table_id in (table, other):
            post_message(ada, table_id, "Is anyone there?")
        server.kill()
    with Server(tmp_path, **NO_MESSAGE_LIMIT) as restarted_server:
        ada.server = restarted_server
        assert texts(read_chat(ada, table)) == ["Is anyone there?"]
        assert ada.command(table, "leave").status == 200
        assert ada.get(f"/api/tables/{table}/chat").error == "error-unknown-table"
        restarted_server.stop()
    with closing(sqlite3.connect(tmp_path / "courtly.db")) as database:
        assert database.execute("SELECT table_id FROM chat_message").fetchall() == [(other,)]


def test_the_log_contains_no_messages(tmp_path):
    with Server(tmp_path, COURTLY_LOG_LEVEL="debug") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "open")
        post_message(ada, table, "xyzzy")
        ada.command(table, "chat", {"text": "xyzzy" * 200})
        server.stop()
        assert "xyzzy" not in "".join(server.log)


def test_the_page_offers_all_twelve_courtesies():
    source = (WEB / "game-view" / "chat.js").read_text(encoding="utf-8")
    offered = re.findall(r'"([a-z-]+)"', re.search(r"const CANNED_MESSAGES = \[(.*?)\]", source, re.DOTALL)[1])
    assert offered == list(get_args(CannedMessage)) and len(set(offered)) == 12
    named_courtesies = {
        text.removeprefix("canned-message-") for text in read_catalog(WEB, "ja") if text.startswith("canned-message-")
    }
    assert named_courtesies == set(offered)
