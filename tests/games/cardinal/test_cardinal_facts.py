"""The facts of Web of Power agree with the rules."""

import random
from pathlib import Path

from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.games.cardinal.bot import sets
from courtly.games.cardinal.map import COUNTRIES, COUNTRY_OF, NEAR, SITES
from courtly.games.cardinal.table import Phase
from courtly.testing.checks.properties import random_positions

GAME = find_game("cardinal")
GOLDEN = Path(__file__).with_name("golden")


def choices(seed):
    """Yield the positions of a random game in which a seat chooses cards, with the seat and its facts."""
    for position in random_positions(GAME, 3, random.Random(seed)):
        if position.state.phase == Phase.CHOOSING:
            seat = position.pending[0]
            yield position, seat, GAME.facts(position.view(seat))


def test_no_cardinal_can_be_placed_in_a_full_country():
    full_countries = cardinal_moves = 0
    for position in random_positions(GAME, 3, random.Random(5)):
        facts = GAME.facts(position.view(None))
        for seat in position.pending:
            for move in position.legal(seat):
                if move.verb in ("cardinal", "second_cardinal"):
                    assert not facts["full"][COUNTRIES.index(move.args["country"])]
                    cardinal_moves += 1
        full_countries += sum(
            full_countries and top > 0 for full_countries, top in zip(facts["full"], position.state.top, strict=True)
        )
    assert full_countries > 10 and cardinal_moves > 10


def test_the_sets_are_those_of_the_hand():
    for position, seat, facts in choices(6):
        assert facts["sets"] == [list(cards) for cards in sets(position.state.hand[seat])]
        assert GAME.facts(position.view(None))["sets"] == []


def test_a_dear_pair_places_no_more_than_a_single_card():
    dear_pairs = 0
    for position, seat, facts in choices(7):
        moves = [move for move in position.legal(seat) if move.verb in ("cloister", "cardinal")]
        by_single_cards = {(move.verb, place(move)) for move in moves if move.args["pair"] == "none"}
        for move in moves:
            if move.args["single"] == "none" and (move.verb, place(move)) in by_single_cards:
                country = (
                    COUNTRIES.index(place(move)) if move.verb == "cardinal" else COUNTRY_OF[SITES.index(place(move))]
                )
                if country in facts["dear"].get(move.args["pair"], []):
                    after = position.copy()
                    after.play(seat, move)
                    assert after.state.phase != Phase.PLACING
                    dear_pairs += 1
    assert dear_pairs > 10


def place(move):
    """Return the site of a cloister, or the country of a cardinal."""
    return move.args.get("site") or move.args["country"]


def test_a_chain_is_a_path_of_roads_that_scores_its_sites():
    chains = 0
    for file in GOLDEN.glob("*.jsonl"):
        position = transcript.check(file.read_text("utf-8")).now()
        s = position.state
        for seat, found in enumerate(GAME.facts(position.view(None))["chains"]):
            assert sum(map(len, found)) == s.chain_points[seat]
            for chain in found:
                assert all(there in NEAR[here] for here, there in zip(chain, chain[1:], strict=False))
                assert {s.owner[site] for site in chain} == {seat + 1}
                chains += 1
    assert chains > 5
