"""The facts of The King's New Town agree with the rules."""

import random

import pytest

from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.newtown import facts as newtown_facts
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


def list_sizes(key):
    """Return the sizes of a key's blocks, largest first."""
    return [size for size in range(6, 0, -1) for _ in range(key >> 5 * size - 5 & 31)]


def is_complete_house(stages, form):
    """Return whether these stages end with this form and have blocks for all its cubes."""
    return t.FORMS[stages[-1][0]] == form and sum(sum(list_sizes(key)) for _, key in stages) == CUBES[form]


def test_an_offer_equals_building_with_the_largest_blocks():
    offer_kinds = set()
    for position, seat, building_facts in decisions(24, t.Phase.BUILDING):
        moves = [move for move in position.legal(seat) if move.verb in ("build", "extend", "take_over")]
        assert [offer["move"] for offer in building_facts["offers"]] == moves
        for move, offer in zip(moves, building_facts["offers"], strict=True):
            position_after = position.now()
            position_after.play(seat, move)
            while position_after.state.phase == t.Phase.LAYING:
                assert is_complete_house(facts(position_after)["laying"]["stages"], move.args["form"])
                assert facts(position_after)["laying"]["stages"] == offer["stages"]
                position_after.play(seat, max(position_after.legal(seat), key=lambda lay_move: lay_move.args["size"]))
            s = position_after.state
            assert offer["points"] == s.latest[seat] and offer["sum"] == s.score[seat] - position.state.score[seat]
            assert [0 if n == seat else s.score[n] - position.state.score[n] for n in range(s.players)] == offer[
                "others"
            ]
            assert offer["loser"] == s.taken_from - 1
            for owner_seat in range(s.players):
                points_by_source = {
                    gain["source"]: gain["points"]
                    for gain in facts(position_after)["gained"]
                    if gain["seat"] == owner_seat
                }
                assert sum(points_by_source.values()) == s.score[owner_seat] - position.state.score[owner_seat]
            assert offer["gems"] == max(0, s.gems[seat] - position.state.gems[seat])
            stages = [[s.wall_form[s.house][i], s.walls[s.house][i]] for i in range(s.stages[s.house])]
            assert stages == offer["stages"] and is_complete_house(stages, move.args["form"])
            assert offer["resident"] == (
                s.phase == t.Phase.WELCOMING and s.welcome == 1 or s.welcome == 1 < s.resident_shown
            )
            offer_kinds.add((move.verb, move.args["form"].endswith("p")))
    assert len(offer_kinds) >= 4, offer_kinds


def test_offers_leave_the_black_pips_unspent():
    offer_counts = set()
    for position, seat, _ in decisions(12, t.Phase.BUILDING, ruleset=1):
        s, out = position.state.copy(), GAME.Facts()
        newtown_facts.facts(s, seat, out, [0] * GAME.bounds["moves"])
        assert s.pips == position.state.pips
        offer_counts.add(len(out.as_json(s.players)["offers"]))
    assert max(offer_counts) > 1


def test_lands_without_a_free_place_or_out_of_reach_are_not_offered():
    situations = set()
    for position, seat, building_facts in decisions(24, t.Phase.BUILDING):
        s, verbs = position.state, {move.verb for move in position.legal(seat)}
        assert building_facts["free"][s.craftsman[seat]] or "build" not in verbs
        assert not building_facts["away"] or not verbs & {"build", "extend", "take_over"}
        situations.add((s.ruleset, building_facts["away"]))
    assert situations >= {(0, 0), (1, 0), (1, 1)}


@pytest.mark.parametrize("layout", range(2))
def test_the_town_matches_the_layout(layout):
    layout_rows = t.DATA["layouts"][t.Layout[layout]]
    for position in (next(decisions(9, t.Phase.BUILDING, map=layout))[0], Position(GAME, 2, {"map": layout})):
        grid = facts(position)["grid"]
        for marks, row in zip(layout_rows, grid, strict=True):
            for mark, place in zip(marks, row, strict=True):
                assert place == t.KING if mark == "K" else (place is None) == (mark == ".")
        assert [place for row in grid for place in row if place not in (None, t.KING)] == list(range(t.KING))


def test_blocks_to_be_laid_are_in_hand():
    checked = 0
    for position, seat, laying_facts in decisions(30, t.Phase.LAYING):
        s, laying = position.state, laying_facts["laying"]
        rest = list_sizes(laying["rest"])
        assert sum(rest) == s.room + (4 if s.attic == t.Attic.TO_COME else 0)
        assert all(rest.count(size) <= s.blocks[seat][size - 1] for size in range(1, 7))
        new_keys = [key for _, key in laying["stages"][s.stages[s.house] :]]
        assert laying["laid"] + laying["rest"] == sum(new_keys)
        assert rest[0] == max(move.args["size"] for move in position.legal(seat))
        checked += 1
    assert checked > 3


def test_dice_have_the_shown_effects():
    checked_verbs = set()
    for position, seat, dice_facts in decisions(6, t.Phase.ACTING):
        for move in position.legal(seat):
            position_after = position.now()
            position_after.play(seat, move)
            state_before, state_after = position.state, position_after.state
            die = t.Colour.names.index(move.args["die"]) if "die" in move.args and move.verb != "lawn" else None
            match move.verb:
                case "gem":
                    assert state_after.gems[seat] - state_before.gems[seat] == dice_facts["gives"][t.Colour.GREEN]
                case "reroll":
                    assert state_after.rerolls == dice_facts["gives"][t.Colour.RED]
                case "take":
                    assert state_after.takes <= dice_facts["gives"][t.Colour.BLACK] - 1
                case "plus":
                    assert state_after.coloured[seat][die] == dice_facts["plus"][die]
                case "lawn":
                    i = t.WHITE.index(move.args["die"])
                    assert facts(position_after)["total"] == dice_facts["lawn"][i][move.args["way"] == "double"]
                case "block":
                    assert dice_facts["left"] >= 1
                case _:
                    continue
            checked_verbs.add(move.verb)
        for die in range(3):
            block = t.MOVES.block + die
            if not position.state.used[seat][die] and block not in position.legal(seat):
                assert dice_facts["why"][die] == GAME.refusals[r.refusal(position.state, seat, block)] != "die-used"
                assert (dice_facts["why"][die] == "two-blocks") <= (dice_facts["left"] == 0)
    assert checked_verbs == {"gem", "reroll", "take", "plus", "lawn", "block"}


def test_the_odds_match_the_rolls():
    checked, rng = 0, random.Random(1)
    for position, seat, roll_facts in decisions(6, t.Phase.REROLLING):
        for dice_mask, odds in enumerate(roll_facts["odds"], 1):
            assert sum(odds[: t.KING]) == 6 ** dice_mask.bit_count()
            position_after = position.now()
            position_after.play(seat, t.MOVES.roll + dice_mask - 1)
            while position_after.chance:
                position_after.happen(rng.choice(position_after.legal(-1)))
            lands = {move.args["land"] for move in position_after.legal(seat) if move.verb == "go"}
            assert all(odds[t.LANDS.index(land)] for land in lands)
            if position_after.state.phase == t.Phase.PLACING:
                assert ("king" in lands) == facts(position_after)["king"]
                checked += 1
        assert roll_facts["odds"][6] == roll_facts["ways"]
    assert checked > 20
    assert roll_facts["ways"] == [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1, 30]


def test_a_walk_costs_the_shown_steps():
    checked = 0
    for position, seat, walk_facts in decisions(8, t.Phase.WALKING, ruleset=1):
        assert walk_facts["steps"] == facts(position)["steps"], "the fact is public"
        walks = [move for move in position.legal(seat) if move.verb == "walk"]
        assert [t.LANDS.index(move.args["land"]) for move in walks] == [land for land, _ in walk_facts["steps"]]
        if position.state.step == t.Step.WALK:  # after the second walk the pips are the next player's
            for move, (_, pips) in zip(walks, walk_facts["steps"], strict=True):
                position_after = position.now()
                position_after.play(seat, move)
                assert position_after.state.pips[t.Colour.GREEN] == position.state.pips[t.Colour.GREEN] - pips > -1
                checked += 1
    assert checked > 20


def test_building_is_possible_only_on_lands_of_the_white_dice():
    checked = 0
    for position, seat, building_facts in decisions(12, t.Phase.BUILDING, ruleset=1):
        if building_facts["offers"]:
            assert position.state.craftsman[seat] in building_facts["goals"]
            checked += 1
    assert checked


@pytest.mark.parametrize("seed", range(4))
def test_the_facts_of_land_cards_match_the_state(seed):
    last_position = None
    for position in random_positions(GAME, 3, random.Random(seed)):
        s, last_position = position.state, position
        if s.phase == t.Phase.ACTING and not position.chance:
            cards = facts(position)["cards"]
            for seat in range(3):
                own_cards = [card for card in range(t.KING) if s.land_owner[card] == seat]
                ready_grounds = [t.GROUND[card] for card in own_cards if cards[card]["state"] == "ready"]
                assert [ready_grounds.count(ground) for ground in range(4)] == s.ready[seat]
    s, cards = last_position.state, facts(last_position)["cards"]
    assert s.ruleset or last_position.over
    for seat in range(3):
        assert s.earned[seat][t.Source.CARDS] == sum(
            cards[card]["points"] for card in range(t.KING) if s.land_owner[card] == seat
        )
    points_from_building = facts(last_position)["from_building"]
    assert [points_from_building[seat] + sum(s.earned[seat][t.Source.BLOCKS :]) for seat in range(3)] == s.score[:3]
