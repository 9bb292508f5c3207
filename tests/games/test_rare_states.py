"""States that neither games of bots nor scenarios lead to: positions that contradict themselves, and the limits of
rules and bots."""

import runpy
import sys
from pathlib import Path

import pytest

from courtly.engine.constants import CHANCE
from courtly.engine.game import find_game, game_ids
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.games.cardinal import bot as cardinal_bot
from courtly.games.cardinal import map as cardinal_map
from courtly.games.cardinal import policy as cardinal_policy
from courtly.games.cardinal import position as cardinal_position
from courtly.games.necklace import bot as necklace_bot
from courtly.games.necklace import position as necklace_position
from courtly.games.necklace import sale, story, worlds
from courtly.games.necklace.cards import MERCHANTS
from courtly.games.necklace.table import Phase as NecklacePhase
from courtly.games.newtown import bot_original, bot_turn, packing
from courtly.games.newtown import position as newtown_position
from courtly.games.newtown import table as newtown
from courtly.games.petition import position as petition_position
from courtly.games.petition.table import Phase as PetitionPhase
from courtly.games.puppet import bot as puppet_bot
from courtly.games.puppet import cards as puppet_cards
from courtly.games.puppet import position as puppet_position
from courtly.games.puppet import table as puppet
from courtly.games.puppet import worlds as puppet_worlds


def make_state(name, **options):
    game = find_game(name)
    return game.State(players=game.players[0], **options)


def first_decision(name, **options):
    """Return the position before the first decision of a game."""
    position, rng = Position(find_game(name), None, options), make_generator(1)
    while position.chance:
        position.happen(rng)
    return position


# --- positions --------------------------------------------------------------------------------------------------------


def put_cardinals_without_cloisters(s):
    s.cardinals[0][0] = 2


def discard_too_many(s):
    s.discards[0] = 99


def keep_too_many_cloisters(s):
    s.cloisters_left[0] = 99


def hold_too_many(s):
    s.hand[0][0] = 99


def ask_the_alchemist(s):
    s.phase = NecklacePhase.ALCHEMIST


def fill_the_row(s):
    for building in range(4):
        s.place[building] = puppet.Place.ROW


@pytest.mark.parametrize(
    ("name", "module", "change", "given", "message"),
    [
        ("cardinal", cardinal_position, put_cardinals_without_cloisters, {"cardinals"}, "more cardinals in .* than"),
        ("cardinal", cardinal_position, discard_too_many, {"discards"}, "more cards of a colour than there are"),
        ("cardinal", cardinal_position, keep_too_many_cloisters, {"cloisters_left"}, "cloisters_left is out of bounds"),
        ("necklace", necklace_position, hold_too_many, {"hand"}, "a position has a phase"),
        ("necklace", necklace_position, hold_too_many, {"hand", "phase"}, "there are not that many of card 0"),
        ("necklace", necklace_position, ask_the_alchemist, {"phase"}, "say who is pending"),
        ("puppet", puppet_position, fill_the_row, {"place"}, "4 buildings in a row of 2"),
    ],
)
def test_a_position_that_contradicts_itself_is_refused(name, module, change, given, message):
    s = make_state(name)
    change(s)
    with pytest.raises(ValueError, match=message):
        module.complete(s, given)


@pytest.mark.parametrize(("name", "module"), [("necklace", necklace_position), ("petition", petition_position)])
def test_a_position_without_fields_is_the_beginning(name, module):
    s = make_state(name)
    before = s.pack()
    module.complete(s, set())
    assert s.pack() == before


def test_fields_that_follow_from_those_of_a_position():
    petition = make_state("petition")
    petition.active[2] = 3
    petition_position.complete(petition, {"active"})
    assert petition.phase == PetitionPhase.ACTING and petition.pending == 1 << petition.seat
    drafting = make_state("puppet")
    drafting.phase = puppet.Phase.DRAFTING
    puppet_position.complete(drafting, {"phase"})
    assert drafting.pending == 0b11
    placing = make_state("newtown", ruleset=newtown.Ruleset.ORIGINAL)
    placing.phase, placing.step = newtown.Phase.PLACING, newtown.Step.THROWING
    newtown_position.complete(placing, {"phase", "step"})
    assert placing.going == newtown.Going.ANEW


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_a_seat_that_is_not_to_move_has_no_legal_move(name):
    position = first_decision(name)
    moves = [0] * position.game.room
    for seat in range(2):
        count = position.rules.legal(position.state, seat, moves)
        assert count > 0 if seat in position.pending else count == 0
    position.state.pending = 0
    assert not any(position.rules.legal(position.state, seat, moves) for seat in range(2))


def test_a_legal_turn_has_no_refusal():
    position = first_decision("cardinal")
    [seat] = position.pending
    turns = [move.id for move in position.legal(seat) if move.verb in ("cloister", "cardinal")]
    assert turns and {position.rules.refusal(position.state, seat, turn) for turn in turns} == {-1}


def test_a_sale_without_cards_is_revealed_at_once():
    s = first_decision("necklace").state
    for seat in range(2):
        s.size[seat] = 0
    sale.start_sale(s)
    assert s.phase != NecklacePhase.SHOW or s.pending == CHANCE


def test_a_theft_of_a_seats_own_card_tells_it_nothing():
    s = first_decision("necklace").state
    before = [*s.want]
    assert story.steal_unknown(s, 0, 0, 1) == 0
    assert s.want[1] == before[1] + 1 and s.want[0] == before[0]


def test_hands_that_cannot_be_filled():
    s = first_decision("necklace").state
    for group in range(len(s.kinds)):
        s.kinds[group] = 0
    for seat in range(2):
        s.want[seat] = 0
    assert worlds.feasible(s)
    s.want[0] = 1
    assert not worlds.feasible(s)


def test_a_place_is_drawn_from_the_bits_that_are_set():
    rng = make_generator(1)
    assert {puppet_worlds.draw_bit(0b101, rng) for _ in range(40)} == {0, 2}
    assert puppet_worlds.draw_bit(0, rng) == 0


# --- data -------------------------------------------------------------------------------------------------------------


def test_a_board_is_an_object_with_a_bounded_number_of_items():
    with pytest.raises(cardinal_map.InvalidBoardError, match="a board is a JSON object"):
        cardinal_map.read("[1]")
    board = cardinal_map.Item(countries=[cardinal_map.Item() for _ in range(cardinal_map.MAX_ITEMS + 1)])
    for line, item in enumerate((board, *board["countries"]), 1):
        item.line = line
    with pytest.raises(cardinal_map.InvalidBoardError, match=f"more than {cardinal_map.MAX_ITEMS} countries") as error:
        cardinal_map.items(board, "countries")
    assert error.value.line == cardinal_map.MAX_ITEMS + 2


def test_blocks_that_do_not_fit_have_no_layout():
    box = packing.FORMS[min(packing.FORMS)]
    assert packing.layout(None, box, 0) == ()


def test_the_program_writes_the_tables_of_blocks(monkeypatch):
    written = []
    monkeypatch.setattr(Path, "write_text", lambda path, text, **_: written.append((path, text)))
    runpy.run_path(packing.__file__, run_name="__main__")
    assert written == [(packing.FILE, packing.FILE.read_text("utf-8"))]


def test_the_program_checks_the_cards(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cards", str(find_game("puppet").folder / "components.toml")])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(puppet_cards.__file__, run_name="__main__")
    assert not end.value.code and "it holds together" in capsys.readouterr().out


# --- bots -------------------------------------------------------------------------------------------------------------


def test_a_bot_that_finds_no_turn_discards():
    position = first_decision("cardinal")
    seat = position.pending[0]
    discards = [move.id for move in position.legal(seat) if move.verb not in ("cloister", "cardinal")]
    assert cardinal_bot.best_turn(position.state, seat, discards) in discards


def test_a_board_that_is_too_large_for_the_notes_has_no_preferences(monkeypatch):
    position = first_decision("cardinal")
    seat = position.pending[0]
    legal = [move.id for move in position.legal(seat)]
    out = [0] * (position.game.room + cardinal_policy.POLICY_NOTES_LENGTH)
    assert cardinal_policy.priors(position.state, seat, legal, len(legal), out) > 0
    monkeypatch.setattr(cardinal_policy, "POLICY_NOTES_LENGTH", 0)
    assert cardinal_policy.priors(position.state, seat, legal, len(legal), out) == 0


def test_the_last_sale_is_now_if_all_merchants_have_come():
    s = first_decision("necklace").state
    evaluator = necklace_bot.Evaluator(s, 0)
    assert evaluator.turns_to_sale() > 0
    evaluator.s.merchants = MERCHANTS
    assert evaluator.turns_to_sale() == 0


def test_white_dice_that_the_pool_cannot_complete_are_worth_nothing():
    position = first_decision("newtown", ruleset=newtown.Ruleset.ORIGINAL)
    seat = position.pending[0]
    turn = bot_original.OriginalTurn(position.game, position.state.copy(), seat, position.legal(seat))
    for face in range(6):
        turn.s.pool[0][face] = 0
    assert turn.worth_of_white((1,), 1, 1, 1) == 0.0


def test_a_turn_that_has_ended_is_worth_its_position():
    position = first_decision("newtown", ruleset=newtown.Ruleset.SIMPLE)
    seat = position.pending[0]
    turn = bot_turn.Turn(position.game, position.state.copy(), seat, position.legal(seat))
    s = position.state.copy()
    s.seat = 1 - seat
    assert turn.settled(s, 0) == turn.worth_of_laying(s) == turn.worth(s)
    turn.legal = [newtown.MOVES.close]
    assert turn.lodge() == newtown.MOVES.close


def test_a_servant_that_the_bot_steals_from_is_not_killed():
    s = first_decision("puppet").state
    evaluator = puppet_bot.Evaluator(s, 0, [], make_generator(1))
    for name, number in ((puppet.Naming.BY, 0), (puppet.Naming.TARGET, 1), (puppet.Naming.SERVANT, 3)):
        evaluator.s.mark[puppet.Mark.STEAL][name] = number
    assert evaluator.hope(puppet.MOVES.kill, 1, 3) == 0.0
