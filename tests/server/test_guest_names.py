"""Cookies and names."""

import pytest
from guests import Guest

from courtly.engine.position import CommandRefusedError
from courtly.session.text_cleaning import clean_name, clean_text

ACCEPTED = [
    "Ada",
    "あだ",
    "王様",
    "  Ada  ",
    "👩‍👩‍👧 family",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "مرحبا",
    "שלום",
    "x" * 24,
    "e\u0301" * 24,
    "<b>&\"'",
    "می‌خواهم",
    "\u0d28\u0d4d\u200d",  # a Malayalam letter that ends in a zero-width joiner
    "葛\U000e0100城",
    "1\ufe0f\u20e3 ❤\ufe0f\u200d🔥 🧑🏽\u200d⚕\ufe0f",
]
BLANK = [
    "\u200d",
    "\u200c \u200d",
    "\ufe0f",
    "\U000e0100",
    "\U000e0061\U000e007f",
    "\u034f",
    "\u115f\u1160",
    "\u3164",
    "\uffa0",
    "\u2800\u3000\u2800",
    "\u17b4\u17b5",
    "\u180b",
]
STRIPPED = [  # the names after stripping
    ("Ada\u3164", "Ada"),
    ("\u2800Ada \uffa0", "Ada"),
    ("A\u200dd\u200ca\u200d", "Ada"),
    ("Ad\ufe0fa\u034f", "Ada"),
    ("Ada\U000e0062", "Ada"),
    ("あ\u200dだ", "あだ"),
    ("e\u034f\u0301", "é"),
]
REFUSED = [
    ("", "empty"),
    ("   ", "empty"),
    ("x" * 25, "long"),
    ("x" * 10_000, "long"),
    ("王" * 10_000, "long"),
    ("a\u202eb", "characters"),
    ("a\u2066b", "characters"),
    ("a\u200fb", "characters"),
    ("a\nb", "characters"),
    ("a\x00b", "characters"),
    *((blank, "empty") for blank in BLANK),
    ("\u0301\u0302", "characters"),
    ("\u00ad", "characters"),
    ("a\u200bb", "characters"),
    ("a\u2028b", "characters"),
    ("a\ue000", "characters"),
]


def test_a_first_visit_creates_a_guest_who_is_recognized_later(server):
    ada = server.guest()
    first = ada.get("/api/me").json
    assert first["name"] == "" and first["id"]
    assert ada.get("/api/me").json == first
    assert server.guest().get("/api/me").json["id"] != first["id"]


def test_the_cookie_is_inaccessible_to_scripts_and_other_sites(server):
    header = Guest(server, cookie=False).get("/").headers["set-cookie"]
    assert header.startswith("courtly=") and "HttpOnly" in header and "SameSite=lax" in header and "Path=/" in header


def test_commands_need_a_valid_cookie(server, ada):
    client = Guest(server, cookie=False)
    response = client.request("PUT", "/api/me", {"name": "Eve"})
    assert response.status == 401 and response.error == "error-no-cookie"
    guest, dot, signature = ada.cookie.removeprefix("courtly=").partition(".")
    for forged in (
        server.guest().get("/api/me").json["id"] + dot + signature,
        guest,
        guest + dot,
        guest + dot + signature[::-1],
        "é",
        "x" * 5000,
    ):
        client.cookie = f"courtly={forged}"
        assert client.request("PUT", "/api/me", {"name": "Eve"}).error == "error-no-cookie"


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_valid_name_is_stored(server, name):
    import unicodedata

    guest = server.guest()
    response = guest.request("PUT", "/api/me", {"name": name})
    assert response.status == 200, response.json
    assert guest.get("/api/me").json["name"] == unicodedata.normalize("NFC", name.strip())


@pytest.mark.parametrize("clean", [clean_name, clean_text])
@pytest.mark.parametrize("text, expected", STRIPPED)
def test_invisible_characters_are_stripped(text, expected, clean):
    assert clean(text) == expected == clean(expected)


@pytest.mark.parametrize("blank", BLANK)
def test_invisible_text_is_rejected_in_messages_and_local_names(ada, blank):
    with pytest.raises(CommandRefusedError, match="empty"):
        clean_text(blank)
    seats = [{"kind": "me"}, {"kind": "local", "name": blank}]
    assert ada.post("/api/tables", {"game": "sealed_bids", "players": 2, "seats": seats}).error == "error-name"


@pytest.mark.parametrize("name, reason", REFUSED)
def test_an_invalid_name_is_rejected(ada, name, reason):
    response = ada.request("PUT", "/api/me", {"name": name})
    assert response.status == 400 and response.json == {"error": {"id": "error-name", "args": {"why": reason}}}
    assert ada.get("/api/me").json["name"] == "Ada"


def test_half_a_surrogate_pair_is_malformed(ada):
    response = ada.request("PUT", "/api/me", raw=b'{"name": "\\ud83d"}')
    assert response.status == 400 and response.error == "error-malformed"


def test_a_new_name_is_shown_at_the_tables(ada, ben):
    table = ada.open("me", "open")
    with ben.connect(table) as connection:
        connection.wait("table")
        ada.request("PUT", "/api/me", {"name": "Ada II"})
        assert connection.wait("table")["table"]["seats"][0]["name"] == "Ada II"
