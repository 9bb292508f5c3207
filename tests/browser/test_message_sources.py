"""The game view works with any source of messages, including a record."""

from local_table import NAMES, SCENARIOS, show_scripted_table, table_info
from playwright.sync_api import expect

from courtly.engine import transcript
from courtly.engine.match import Match

RECORD = SCENARIOS / "petition" / "golden" / "a-challenger-wins.jsonl"


def views(past, step):
    """Return a spectator's messages of a finished game, with `step` entries at a time."""
    match, seen = Match(past.game, past.players, past.options, past.source, start=False), 0
    for entry in past.entries:
        match.follow(entry)
        if match.over or not len(match.entries) % step:
            yield match.view(None, seen)
            seen = match.seq(None)


def test_a_record_is_shown_like_a_live_game(person):
    """Step by step or all at once: the same end and the same log."""
    past = transcript.check(RECORD.read_text(encoding="utf-8"))
    pages = []
    for step in (10, len(past.entries)):
        page = person().page
        show_scripted_table(
            page, table_info(past, None), [{"type": "view", "view": view} for view in views(past, step)]
        )
        expect(page.locator(".end")).to_be_visible()
        pages.append([page.locator(part).inner_text() for part in (".now", ".end", "ol.log")])
    assert pages[0] == pages[1]
    winner = past.scores.index(max(past.scores))
    assert NAMES[winner] in pages[0][0] and len(pages[0][2].splitlines()) > 100
