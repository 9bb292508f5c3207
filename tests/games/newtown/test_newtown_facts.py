"""The facts of The King's New Town agree with the rules."""

import random

import pytest

from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.newtown import rules as r
from courtly.games.newtown import table as t
from courtly.testing.checks.properties import random_positions

GAME = find_game("newtown")
CUBES = {form: t.CUBES[number] for number, form in enumerate(t.FORMS)}


def facts(position, seat=None):
    return GAME.facts(position.view(seat))


def decisions(games, phase, **options):
    """Yield random positions with a decision of this phase, the pending seat, and its facts."""
    for seed in range(games):
        for play in random_positions(GAME, 2 + seed % 3, random.Random(seed)):
            s = play.state
            if s.phase == phase and not play.chance and all(getattr(s, name) == n for name, n in options.items()):
                yield play, play.pending[0], facts(play, play.pending[0])


def whole(house, form):
    """Return whether this is a house of this form whose cells match its blocks."""
    cells, blocks = house["cells"], [size for stage in house["blocks"] for size in stage]
    sizes = sorted(cells.count(block) for block in range(len(blocks)))
    return len(cells) == CUBES[form] and sizes == sorted(blocks)


def test_an_offer_equals_building_with_the_largest_blocks():
    seen = set()
    for play, seat, told in decisions(24, t.Phase.BUILDING):
        moves = [move for move in play.legal(seat) if move.verb in ("build", "extend", "take_over")]
        assert [offer["move"] for offer in told["offers"]] == moves
        for move, offer in zip(moves, told["offers"], strict=True):
            done = play.now()
            done.play(seat, move)
            while done.state.phase == t.Phase.LAYING:
                assert whole(facts(done)["laying"], move.args["form"])
                assert facts(done)["laying"]["cells"] == offer["cells"]
                done.play(seat, max(done.legal(seat), key=lambda lay: lay.args["size"]))
            s = done.state
            assert offer["points"] == s.latest[seat] and offer["sum"] == s.score[seat] - play.state.score[seat]
            assert [0 if n == seat else s.score[n] - play.state.score[n] for n in range(s.players)] == offer["others"]
            assert offer["loser"] == s.taken_from - 1
            for to in range(s.players):
                brought = {source: points for owner, source, points in facts(done)["gained"] if owner == to}
                assert sum(brought.values()) == s.score[to] - play.state.score[to]
            assert offer["gems"] == max(0, s.gems[seat] - play.state.gems[seat])
            [house] = [house for house in facts(done)["houses"] if house["house"] == s.house]
            assert house["cells"] == offer["cells"] and house["blocks"] == offer["blocks"]
            assert whole(house, move.args["form"])
            assert offer["resident"] == (
                s.phase == t.Phase.WELCOMING and s.welcome == 1 or s.welcome == 1 < s.resident_shown
            )
            seen.add((move.verb, move.args["form"].endswith("p")))
    assert len(seen) >= 4, seen


def test_lands_without_a_free_place_or_out_of_reach_are_not_offered():
    seen = set()
    for play, seat, told in decisions(24, t.Phase.BUILDING):
        s, verbs = play.state, {move.verb for move in play.legal(seat)}
        assert told["free"][s.craftsman[seat]] or "build" not in verbs
        assert not told["away"] or not verbs & {"build", "extend", "take_over"}
        seen.add((s.ruleset, told["away"]))
    assert seen >= {(0, 0), (1, 0), (1, 1)}


@pytest.mark.parametrize("layout", range(2))
def test_the_town_matches_the_layout(layout):
    drawn = t.DATA["layouts"][t.Layout[layout]]
    for play in (next(decisions(9, t.Phase.BUILDING, map=layout))[0], Position(GAME, 2, {"map": layout})):
        rows = facts(play)["rows"]
        for marks, row in zip(drawn, rows, strict=True):
            for mark, land in zip(marks, row, strict=True):
                assert land == t.LANDS.index("king") if mark == "K" else land is None or mark == "X"
        lands = sorted(land for row in rows for land in row if land is not None)
        assert lands == [land for land in range(len(t.LANDS)) if play.state.place[land] != t.NONE]


def test_blocks_to_be_laid_are_in_hand():
    asked = 0
    for play, seat, told in decisions(30, t.Phase.LAYING):
        s, laying = play.state, told["laying"]
        assert sum(laying["rest"]) == s.room + (4 if s.attic == t.Attic.TO_COME else 0)
        assert all(laying["rest"].count(size) <= s.blocks[seat][size - 1] for size in range(1, 7))
        new = [size for stage in laying["blocks"][s.stages[s.house] :] for size in stage]
        assert sorted(laying["laid"] + laying["rest"]) == sorted(new)
        assert laying["rest"][0] == max(move.args["size"] for move in play.legal(seat))
        asked += 1
    assert asked > 3


def test_dice_have_the_shown_effects():
    used = set()
    for play, seat, told in decisions(6, t.Phase.ACTING):
        for move in play.legal(seat):
            done = play.now()
            done.play(seat, move)
            was, now = play.state, done.state
            die = t.Colour.names.index(move.args["die"]) if "die" in move.args and move.verb != "lawn" else None
            match move.verb:
                case "gem":
                    assert now.gems[seat] - was.gems[seat] == told["gives"][t.Colour.GREEN]
                case "reroll":
                    assert now.rerolls == told["gives"][t.Colour.RED]
                case "take":
                    assert now.takes <= told["gives"][t.Colour.BLACK] - 1
                case "plus":
                    assert now.coloured[seat][die] == told["plus"][die]
                case "lawn":
                    i = t.WHITE.index(move.args["die"])
                    assert facts(done)["total"] == told["lawn"][i][move.args["way"] == "double"]
                case "block":
                    assert told["left"] >= 1
                case _:
                    continue
            used.add(move.verb)
        for die in range(3):
            block = t.MOVES.block + die
            if not play.state.used[seat][die] and block not in play.legal(seat):
                assert told["why"][die] == GAME.refusals[r.refusal(play.state, seat, block)] != "die-used"
                assert (told["why"][die] == "two-blocks") <= (told["left"] == 0)
    assert used == {"gem", "reroll", "take", "plus", "lawn", "block"}


def test_the_odds_match_the_rolls():
    asked, draws = 0, random.Random(1)
    for play, seat, told in decisions(6, t.Phase.REROLLING):
        for handful, odds in enumerate(told["odds"], 1):
            assert sum(odds[: t.KING]) == 6 ** handful.bit_count()
            done = play.now()
            done.play(seat, t.MOVES.roll + handful - 1)
            while done.chance:
                done.happen(draws.choice(done.legal(-1)))
            lands = {move.args["land"] for move in done.legal(seat) if move.verb == "go"}
            assert all(odds[t.LANDS.index(land)] for land in lands)
            if done.state.phase == t.Phase.PLACING:
                assert ("king" in lands) == facts(done)["king"]
                asked += 1
        assert told["odds"][6] == told["ways"]
    assert asked > 20
    assert told["ways"] == [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1, 30]


def test_a_walk_costs_the_shown_steps():
    asked = 0
    for play, seat, told in decisions(8, t.Phase.WALKING, ruleset=1):
        assert told["steps"] == facts(play)["steps"], "the fact is public"
        walks = [move for move in play.legal(seat) if move.verb == "walk"]
        assert [t.LANDS.index(move.args["land"]) for move in walks] == [land for land, _ in told["steps"]]
        if play.state.step == t.Step.WALK:  # after the second walk the pips are the next player's
            for move, (_, pips) in zip(walks, told["steps"], strict=True):
                done = play.now()
                done.play(seat, move)
                assert done.state.pips[t.Colour.GREEN] == play.state.pips[t.Colour.GREEN] - pips > -1
                asked += 1
    assert asked > 20


def test_building_is_possible_only_on_lands_of_the_white_dice():
    built = 0
    for play, seat, told in decisions(12, t.Phase.BUILDING, ruleset=1):
        if told["offers"]:
            assert play.state.craftsman[seat] in told["goals"]
            built += 1
    assert built


@pytest.mark.parametrize("seed", range(4))
def test_land_cards(seed):
    last = None
    for play in random_positions(GAME, 3, random.Random(seed)):
        s, last = play.state, play
        if s.phase == t.Phase.ACTING and not play.chance:
            cards = facts(play)["cards"]
            for seat in range(3):
                mine = [card for card in range(t.KING) if s.land_owner[card] == seat]
                ready = [t.GROUND[card] for card in mine if cards[card][1] == "ready"]
                assert [ready.count(ground) for ground in range(4)] == s.ready[seat]
    s, cards = last.state, facts(last)["cards"]
    assert s.ruleset or last.over
    for seat in range(3):
        assert s.earned[seat][t.Source.CARDS] == sum(
            cards[card][0] for card in range(t.KING) if s.land_owner[card] == seat
        )
    told = facts(last)["from_building"]
    assert [told[seat] + sum(s.earned[seat][t.Source.BLOCKS :]) for seat in range(3)] == s.score[:3]
