"""What other players have changed since the reader's last move is outlined, until the reader moves again."""

import random

import pytest
from local_table import show_scripted_table, table_info
from playwright.sync_api import expect
from table import axe_findings
from test_hints import BOARDS

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.games.newtown import bot

READER = 0
RECENT = "#board [data-recent]"
TURNS_BEFORE_SALE = 3
MAX_TURNS = 12  # of the reader; each game changes its board within them


class PlayedMatch:
    """A match of random moves, whose views a page receives."""

    def __init__(self, page, game):
        self.page, self.generator = page, random.Random(3)
        self.match = Match(find_game(game), 3, None, SeededChance(3))
        info = table_info(self.match, READER)
        show_scripted_table(page, info, [{"type": "table", "table": info}, self._view(0)])
        expect(page.locator(".is-pictured")).to_be_visible()

    def _view(self, since):
        return {"type": "view", "view": self.match.view(READER, since)}

    def _play(self, seat):
        seen = self.match.seq(READER)
        self.match.play(seat, self.generator.choice(self.match.legal(seat)))
        self.page.evaluate("message => receiveMessage(message)", self._view(seen))

    def play_own(self):
        """Make moves of the reader until others are to move."""
        while READER in self.match.pending:
            self._play(READER)

    def play_others(self):
        """Make moves of the others until the reader is to move."""
        while not self.match.over and READER not in self.match.pending:
            self._play(self.match.pending[0])


@pytest.mark.parametrize("game", BOARDS)
def test_changes_by_others_are_outlined_until_the_reader_moves(person, game):
    page = person().page
    played = PlayedMatch(page, game)
    played.play_others()
    for _ in range(MAX_TURNS):
        played.play_own()
        expect(page.locator(RECENT)).to_have_count(0)  # these changes are the reader's
        played.play_others()
        if page.locator(RECENT).count():
            break
    expect(page.locator(RECENT).first).to_be_visible()
    assert axe_findings(page) == []
    played.play_own()
    expect(page.locator(RECENT)).to_have_count(0)


def test_every_card_that_others_put_on_offer_is_outlined(person):
    """Also those after the last move before the reader's turn."""
    page = person().page
    played = PlayedMatch(page, "necklace")
    played.play_others()
    replaced = 0
    for _ in range(TURNS_BEFORE_SALE):
        played.play_own()
        before = list(played.match.state.row)
        played.play_others()
        for slot, card in enumerate(played.match.state.row):
            if card != before[slot]:
                replaced += 1
                offer = page.locator(f"[data-key=slot-{slot}]")
                expect(offer.or_(offer.locator("xpath=ancestor::*")).and_(page.locator("[data-recent]"))).to_have_count(
                    1
                )
    assert replaced > 5


def test_a_reloaded_page_outlines_what_has_changed(person):
    """From the events that it receives; and those before the reader's first move are not outlined."""
    page = person().page
    played = PlayedMatch(page, "cardinal")
    expect(page.locator(RECENT)).to_have_count(0)
    played.play_others()
    played.play_own()
    played.play_others()
    info = table_info(played.match, READER)
    other_page = person().page
    show_scripted_table(other_page, info, [{"type": "table", "table": info}, played._view(0)])
    expect(other_page.locator(RECENT).first).to_be_attached()


def test_a_reloaded_page_outlines_the_houses_that_others_built(person):
    """From the moves and the present position alone: the page has not seen the town before."""
    match, built = Match(find_game("newtown"), 2, None, SeededChance(5)), {}
    while READER not in match.pending or not built:
        (seat, *_), first = match.pending, match.seq(READER)
        move = bot.choose(match.game, match.view(seat, 0), None)
        if seat == READER:
            built = {}
        match.play(seat, [move], seq=match.seq(seat))
        verbs = {cue["verb"] for cue in match.view(READER, first)["cues"] if cue["seat"] == seat != READER}
        if verbs & {"build", "extend", "take_over"}:
            built[match.state.house] = True
    info, page = table_info(match, READER), person().page
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": match.view(READER, 0)}])
    for house in built:
        expect(page.locator(f"[data-key=house-{house}][data-recent]")).to_be_attached()
    assert page.locator("[data-key^=house-][data-recent]").count() == len(built)


def test_a_board_whose_animations_fail_is_still_shown(person):
    page = person().page
    fail = "() => { throw new Error('an animation fails'); }"
    program = f"const fail = {fail}; export const cues = {{ cloister: fail, cardinal: fail, take: fail }};"
    page.route(
        "**/games/cardinal/board/cues.js", lambda route: route.fulfill(body=program, content_type="text/javascript")
    )
    played = PlayedMatch(page, "cardinal")
    for _ in range(2):
        played.play_others()
        played.play_own()
    played.play_others()
    expect(page.locator(".is-pictured .board")).to_be_visible()
    expect(page.locator(".fault")).to_have_count(0)
    expect(page.locator(RECENT)).to_have_count(0)
