"""Cookies and names."""

import pytest
from guests import Guest

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
    ("\u200d", "characters"),
    ("a\u200bb", "characters"),
    ("a\u2028b", "characters"),
    ("a\ue000", "characters"),
]


def test_first_visit_makes_a_guest_who_is_known_again(server):
    ada = server.guest()
    first = ada.get("/api/me").json
    assert first["name"] == "" and first["id"]
    assert ada.get("/api/me").json == first
    assert server.guest().get("/api/me").json["id"] != first["id"]


def test_cookie_is_out_of_reach_of_scripts_and_other_sites(server):
    header = Guest(server, cookie=False).get("/").headers["set-cookie"]
    assert header.startswith("courtly=") and "HttpOnly" in header and "SameSite=lax" in header and "Path=/" in header


def test_commands_need_a_cookie_and_a_true_one(server, ada):
    nobody = Guest(server, cookie=False)
    answer = nobody.ask("PUT", "/api/me", {"name": "Eve"})
    assert answer.status == 401 and answer.error == "error-no-cookie"
    guest, dot, signature = ada.cookie.removeprefix("courtly=").partition(".")
    for forged in (
        server.guest().get("/api/me").json["id"] + dot + signature,
        guest,
        guest + dot,
        guest + dot + signature[::-1],
        "é",
        "x" * 5000,
    ):
        nobody.cookie = f"courtly={forged}"
        assert nobody.ask("PUT", "/api/me", {"name": "Eve"}).error == "error-no-cookie"


@pytest.mark.parametrize("name", ACCEPTED)
def test_name(server, name):
    import unicodedata

    guest = server.guest()
    answer = guest.ask("PUT", "/api/me", {"name": name})
    assert answer.status == 200, answer.json
    assert guest.get("/api/me").json["name"] == unicodedata.normalize("NFC", name.strip())


@pytest.mark.parametrize("name, why", REFUSED)
def test_name_refused(ada, name, why):
    answer = ada.ask("PUT", "/api/me", {"name": name})
    assert answer.status == 400 and answer.json == {"error": {"id": "error-name", "args": {"why": why}}}
    assert ada.get("/api/me").json["name"] == "Ada"


def test_half_a_character_is_malformed(ada):
    answer = ada.ask("PUT", "/api/me", raw=b'{"name": "\\ud83d"}')
    assert answer.status == 400 and answer.error == "error-malformed"


def test_new_name_is_seen_at_the_tables(ada, ben):
    table = ada.open("me", "open")
    with ben.line(table) as line:
        line.wait("table")
        ada.ask("PUT", "/api/me", {"name": "Ada II"})
        assert line.wait("table")["table"]["seats"][0]["name"] == "Ada II"
