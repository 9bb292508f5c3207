"""The game view works with any source of messages, including a record."""

from local_table import NAMES, SCENARIOS, show_scripted_table, table_info
from playwright.sync_api import expect

from courtly.engine import transcript
from courtly.engine.match import Match

RECORD = SCENARIOS / "petition" / "golden" / "a-challenger-wins.jsonl"


def views(match, step):
    """Return a spectator's messages of a finished game, with `step` entries at a time."""
    replayed, seq = Match(match.game, match.players, match.options, match.source, start=False), 0
    for entry in match.entries:
        replayed.follow(entry)
        if replayed.over or not len(replayed.entries) % step:
            yield replayed.view(None, seq)
            seq = replayed.seq(None)


def test_a_record_is_shown_like_a_live_game(person):
    """Step by step or all at once: the same end and the same log."""
    match = transcript.check(RECORD.read_text(encoding="utf-8"))
    pages = []
    for step in (10, len(match.entries)):
        page = person().page
        show_scripted_table(
            page, table_info(match, None), [{"type": "view", "view": view} for view in views(match, step)]
        )
        expect(page.locator(".end")).to_be_visible()
        pages.append([page.locator(part).inner_text() for part in (".now", ".end", "ol.log")])
    assert pages[0] == pages[1]
    winner = match.scores.index(max(match.scores))
    assert NAMES[winner] in pages[0][1] and len(pages[0][2].splitlines()) > 80
