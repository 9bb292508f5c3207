"""The solved turn of To Court the King equals brute force by the rules, interpreted and native, for any amount of
memory.
"""

import random
import runpy

import pytest

from courtly.bots.search.search import NOTES_PER_SIMULATION, Search
from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.engine.stdlib import value_network
from courtly.engine.stdlib.value_network import InvalidWeightsError
from courtly.games.petition import policy, solver
from courtly.games.petition import rules as r
from courtly.games.petition.table import COPIES, KINDS, Card, Phase

GAME = find_game("petition")
NODE_LIMIT = 500  # nodes: enough for three or four dice
ONE = policy.ONE


def begin_turn_with(*cards, seed=1, **options):
    """Return a position after the first roll of the first player, who owns these characters."""
    s = r.State(players=2, first_player=1, **options)
    r.setup(s)
    for card in cards:
        s.owns[0][card] = 1
        s.supply[card] -= 1
    r.begin_turn(s)
    return advance_to_choice(Position(GAME, state=s), make_generator(seed))


def advance_to_choice(position, rng):
    """Advance to the next choice."""
    while position.chance or position.state.phase == Phase.BEFORE:
        if position.chance:
            position.happen(rng)
        else:
            position.apply(0, r.MOVES.roll)
    return position


def best_worth(s, cache):
    """Return the worth of the turn, by every move and every roll of the rules."""
    key = s.pack()
    if key not in cache:
        position = Position(GAME, state=s)
        if s.phase == Phase.CLAIMING:
            cache[key] = worth_at_the_end(s)
        elif position.chance:
            outcomes = position.outcomes()
            cache[key] = sum(
                weight * best_worth(state_after_move(s, NOBODY, event), cache) for event, weight in outcomes
            )
            cache[key] /= sum(weight for _, weight in outcomes)
        else:
            cache[key] = max(best_worth(state_after_move(s, s.seat, move), cache) for move in position.legal(s.seat))
    return cache[key]


def worth_at_the_end(s):
    row = [0] * solver.COUNT
    policy.tell_claims(s, row)
    return policy.best_result(s, row)


def state_after_move(s, seat, move):
    state = s.copy()
    r.apply(state, seat, move)
    return state


def policy_worths(state, backend, node_limit=NODE_LIMIT):
    search = Search(GAME, node_limit, backend)
    position = Position(GAME, state=state)
    result = search.ponder(state, state.seat, position.legal(state.seat), 1)
    return {line.move: line.value for line in result.lines}, result


@pytest.mark.parametrize(
    "cards",
    [
        (),
        (Card.MAID,),
        (Card.PHILOSOPHER,),
        (Card.ASTRONOMER,),
        (Card.MAGICIAN,),
        (Card.NOBLEWOMAN,),
        (Card.NOBLEMAN,),
        (Card.MERCHANT,),
        (Card.ALCHEMIST,),
        (Card.FOOL,),
        (Card.LABORER,),
        (Card.QUEEN,),
        (Card.MAID, Card.FOOL),
        (Card.GUARD, Card.ASTRONOMER),
        (Card.LABORER, Card.FOOL),
        (Card.GUARD, Card.FOOL),
    ],
    ids=lambda cards: "+".join(Card[card] for card in cards) or "no power",
)
def test_a_turns_worth_equals_brute_force(cards):
    position = begin_turn_with(*cards, seed=3)
    assert [*position.state.active] == [0, 0, 0, 1, 1, 1], "most powers do nothing to three equal dice"
    check_against_brute_force(position, 3)


@pytest.mark.parametrize("seed", [4, 5])
@pytest.mark.parametrize("fool_rerolls", [0, 1])
def test_a_fool_distinguishes_rolled_and_added_dice(fool_rerolls, seed):
    """The fool may not re-roll an added die, unless the table's options allow it."""
    check_against_brute_force(begin_turn_with(Card.GUARD, Card.FOOL, seed=seed, fool_rerolls=fool_rerolls), seed)


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        (Card.NOBLEWOMAN, ["noblewoman 4"]),
        (Card.ALCHEMIST, ["alchemist 4", "alchemist 5"]),
        (Card.ALCHEMIST, ["alchemist 4", "alchemist 5", "alchemist 6"]),
    ],
    ids=["a raised die", "two taken dice", "three taken dice"],
)
def test_the_worth_of_each_move_while_a_power_is_in_use_equals_brute_force(card, moves):
    position = begin_turn_with(card, seed=3)
    for move in moves:
        position.play(0, move)
    worths, _ = policy_worths(position.state, loader.InterpretedBackend())
    exact_worths = {move: best_worth(state_after_move(position.state, 0, move), {}) / ONE for move in worths}
    assert len(worths) > 1 and worths == pytest.approx(exact_worths, abs=1e-6)


def check_against_brute_force(position, seed):
    """At every choice of a randomly played turn, the best move has the stated worth and no move is better."""
    rng, cache = random.Random(seed), {}
    while position.state.seat == 0 and position.state.phase != Phase.CLAIMING:
        s, legal = position.state.copy(), position.legal(0)
        if len(legal) > 1:
            worths, result = policy_worths(s, loader.InterpretedBackend())
            exact_worths = {move: best_worth(state_after_move(s, 0, move), cache) / ONE for move in legal}
            assert max(worths.values()) == pytest.approx(max(exact_worths.values()), abs=1e-6)
            assert all(worths[move] <= exact_worths[move] + 1e-6 for move in legal)
            assert exact_worths[result.lines[0].move] == pytest.approx(max(exact_worths.values()), abs=1e-6)
            assert sum(result.wins) == pytest.approx(1, abs=1e-6)
        position.apply(0, rng.choice(legal))
        advance_to_choice(position, make_generator(4))


def test_the_policy_claims_the_character_that_wins_most():
    position = begin_turn_with()
    for f, n in enumerate((0, 0, 0, 0, 3, 0)):
        position.state.active[f], position.state.aside[f] = 0, n
    position.state.phase = Phase.CLAIMING
    worths, result = policy_worths(position.state, loader.InterpretedBackend(), 1)
    assert result.lines[0].move != r.MOVES.pass_
    assert worths[r.MOVES.pass_] == min(worths.values())


def test_before_the_first_roll_a_die_may_be_added_or_wait():
    """Players see the worths as chances to win: a die that is added at once does not lose the game."""
    s = r.State(players=2, first_player=1)
    r.setup(s)
    s.owns[0][Card.GUARD] = s.owns[0][Card.LABORER] = 1
    r.begin_turn(s)
    assert s.phase == Phase.BEFORE
    worths, result = policy_worths(s, loader.InterpretedBackend(), 1)
    assert len(worths) == 3 and result.lines[0].move == r.MOVES.roll
    assert min(worths.values()) == pytest.approx(worths[r.MOVES.roll], abs=1e-6) and min(worths.values()) > 0.1


def crowded_state(seed):
    """Return two players with many characters in the middle of a turn, possibly in the last round."""
    chooser = random.Random(seed)
    s = r.State(players=2, first_player=1)
    r.setup(s)
    for card in chooser.sample(range(2, KINDS - 2), 12):
        s.owns[0][card] = 1
        s.supply[card] = COPIES[2][card] - 1
    r.begin_turn(s)
    position = advance_to_choice(Position(GAME, state=s), make_generator(seed))
    for _ in range(chooser.randrange(6)):
        if position.state.seat == 0 and position.state.phase != Phase.CLAIMING:
            position.apply(0, chooser.choice(position.legal(0)))
            advance_to_choice(position, make_generator(seed))
    return position.state


@pytest.mark.parametrize("node_limit", [1, 400])
def test_the_policy_works_with_little_memory(node_limit):
    """It still finds a legal move and does not change the state."""
    for seed in range(6):
        state = crowded_state(seed)
        packed_before = state.pack()
        worths, result = policy_worths(state, loader.InterpretedBackend(), node_limit)
        assert sorted(worths) == sorted(Position(GAME, state=state).legal(state.seat))
        assert result.lines[0].value > 0 and all(0 <= line.value <= 1 for line in result.lines)
        assert all(0 <= share <= 1 for share in result.wins)
        assert state.pack() == packed_before


def test_machine_code_gives_the_same_result():
    for seed in range(12):
        state = crowded_state(seed)
        for room in (1, 395, 420):
            assert policy_worths(state, loader.InterpretedBackend(), room) == policy_worths(state, None, room)


@pytest.mark.parametrize("early_powers", [0, 1])
def test_machine_code_decides_a_whole_game_the_same(early_powers):
    """With too little memory to solve the turns."""
    rng, chooser = make_generator(3), random.Random(3)
    position = Position(GAME, 2, {"round_limit": 20, "early_powers": early_powers})
    interpreted, compiled = Search(GAME, 1, loader.InterpretedBackend()), Search(GAME, 1)
    while not position.over:
        if position.chance:
            position.happen(rng)
            continue
        seat = position.pending[0]
        legal, state = position.legal(seat), position.state
        if len(legal) > 1:
            result = interpreted.ponder(state, seat, legal, 1)
            assert result == compiled.ponder(state, seat, legal, 1)
            legal = [result.lines[0].move] if chooser.random() < 0.9 else legal
        position.play(seat, chooser.choice(legal))
    assert position.state.final


def test_machine_code_gives_the_same_in_the_last_round():
    for cards in ((), (Card.MAID, Card.FOOL), (Card.QUEEN, Card.ASTRONOMER), (Card.ALCHEMIST,)):
        state = begin_turn_with(*cards).state
        state.final = state.king = state.queen = 1
        state.mark[r.Group.COUNT], state.mark[r.Group.FACE] = 2, 3
        expected = policy_worths(state, None)
        assert policy_worths(state, loader.InterpretedBackend()) == expected and sum(expected[1].wins) > 0.99
        value = [0] * (2 * state.players)
        assert policy.value(state, value) and sum(value[: state.players]) > 990


@pytest.mark.parametrize(
    ("cards", "used", "left_out"),
    [
        ((Card.QUEEN, Card.FOOL), "queen face=4", tuple(f"queen face={face}" for face in (1, 2, 3, 5, 6))),
        ((Card.GUARD, Card.FOOL), "add card=guard", ()),
        ((Card.FOOL, Card.MAID), "", ("fool ",)),
    ],
)
def test_a_power_beyond_the_memory_is_used_at_once_or_left_out(cards, used, left_out):
    """A turn is worth no more than with all powers, and a power that adds a die is used before anything else."""
    state = begin_turn_with(*cards, seed=2).state
    notes = [10**7, *[0] * 500_000]
    policy.begin(state.copy(), state.seat, notes)
    room = -(-solver.lay_out(notes) // NOTES_PER_SIMULATION)  # the smallest that is enough for all powers
    (exact_worths, _), (worths, result) = (
        policy_worths(state, loader.InterpretedBackend(), enough) for enough in (room, room - 1)
    )
    assert max(worths.values()) <= max(exact_worths.values()) + 1e-6
    worth_of = {r.MOVES.words(move): worth for move, worth in worths.items()}
    assert {words for words, worth in worth_of.items() if not worth} == {
        words for words in worth_of if words.startswith(left_out)
    }
    assert not used or worth_of[used] == max(worth_of.values())
    assert (worths, result) == policy_worths(state, None, room - 1)


def test_more_dice_than_the_policy_computes_are_collected_by_their_most_frequent_face():
    state = begin_turn_with(dice_limit=30).state
    for f, n in enumerate((3, 3, 4, 0, 0, 3)):
        state.active[f] = n
    _, result = policy_worths(state, loader.InterpretedBackend(), NODE_LIMIT)
    assert r.MOVES.words(result.lines[0].move) == "keep face=3"


def test_dice_beyond_those_of_the_table_are_worth_nothing():
    notes = [0] * solver.COUNT
    notes[policy.FREE], notes[policy.LIMIT] = 3, 2
    assert policy.after(begin_turn_with().state, notes, 0) == policy.NEVER


def test_the_king_is_the_best_result():
    s = begin_turn_with().state
    for f, n in enumerate((0, 0, 0, 0, 0, 8)):
        s.active[f], s.aside[f] = 0, n
    king = policy.worth(s, [0] * solver.COUNT, policy.CHANCES, Card.KING, 8, 6)
    others = [policy.worth(s, [0] * solver.COUNT, policy.CHANCES, card, 8, 6) for card in range(Card.KING)]
    assert worth_at_the_end(s) == king > max(others)


def test_a_game_that_is_over_or_has_no_start_player_has_no_value():
    s = r.State(players=2)
    r.setup(s)
    assert s.seat == NOBODY and policy.value(s, [0] * 9) == 0
    over = begin_turn_with().state
    over.pending = 0
    assert policy.value(over, [0] * 9) == 0


def test_weights_of_other_characters_are_refused(monkeypatch):
    load_rows = value_network.load_rows
    monkeypatch.setattr(value_network, "load_rows", lambda *names: [row[1:] for row in load_rows(*names)])
    with pytest.raises(InvalidWeightsError, match="not as many weights as there are characters and dice"):
        runpy.run_path(policy.__file__)
