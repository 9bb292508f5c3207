"""Properties of every game, checked at random positions. Each function raises AssertionError if one does not hold.

A *position* is a state reached by random play; a *world* is a state, made by `determinize`, that one seat cannot tell
from another. A game's own invariants (resources.py) are checked for every position and world.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import patch

from courtly.bots.search.search import Search
from courtly.engine.constants import CHANCE, NOBODY, SILENT, SPECTATOR
from courtly.engine.game import Game
from courtly.engine.match import Match, new_match
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.rng import CommittedChance, make_generator
from courtly.testing.failure_location import PropertyFailedError
from courtly.testing.resources import invariants, reason_for_few_secrets, traceless_moves

CONTROL_FIELDS = {"pending", "phase"}  # fields on whose decision it is, which must be derivable from views

MIN_HIDDEN_FRACTION = 1 / 10  # least share of tested positions in which something is hidden
MIN_SECRET_STEP_FRACTION = 1 / 20  # least share of twin steps that the seat does not see completely
POSITIONS_PER_RARE_SECRET = 32  # for games that seldom hide anything, one position in this many must hide something


def random_options(game: Game, r: random.Random) -> dict[str, int]:
    """Return random options; in half of the cases the defaults."""
    if r.random() < 0.5:
        return {}
    return {name: r.choice(values) for name, values in game.options.items()}


def option_tables(game: Game, r: random.Random, extra: int = 0) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield (players, options) until every value of every option and number of players has occurred, then `extra`
    random tables."""
    missing = {name: r.sample(values, len(values)) for name, values in game.options.items()}
    counts = r.sample(game.players, len(game.players))
    while any(missing.values()) or counts:
        options = {
            name: missing[name].pop() if missing[name] else r.choice(values) for name, values in game.options.items()
        }
        yield counts.pop() if counts else r.choice(game.players), options
    for _ in range(extra):
        yield r.choice(game.players), {name: r.choice(values) for name, values in game.options.items()}


class RandomGame(Position):
    """A random game, one position at a time."""

    def __init__(self, game: Game, players: int, r: random.Random, options: dict[str, int] | None = None):
        super().__init__(game, players, random_options(game, r) if options is None else options)
        self.r = r

    def next(self) -> tuple[int, int]:
        """Return a random (seat, move) that may come next; the seat of a random event is NOBODY. Raises
        PropertyFailedError if one of them is offered twice, or if an event has no weight."""
        seat = self.r.choice(self.actors)
        if seat == NOBODY:
            outcomes = self.outcomes()
            if not all(weight for _, weight in outcomes):
                raise PropertyFailedError(self.rules.chance, "a random event has no weight")
            check_equal_events(self, outcomes)
            moves = [move for move, _ in outcomes]
            move = self.r.choices(moves, [weight for _, weight in outcomes])[0]
        else:
            moves = self.legal(seat)
            move = self.r.choice(moves)
        if len(set(moves)) < len(moves):
            raise PropertyFailedError(
                self.rules.chance if seat == NOBODY else self.rules.legal, "a move is offered twice"
            )
        return seat, move


def check_equal_events(position: Position, outcomes: Sequence[tuple[int, int]]) -> None:
    """Check that a game's optional `equal_events` names the events that `chance` lists, each with weight 1."""
    if hasattr(position.rules, "equal_events"):
        first, count = position.rules.equal_events(position.state)
        if count > 0 and [*outcomes] != [(first + i, 1) for i in range(count)]:
            problem = f"the {count} events from {first} on, each with weight 1, are not those of chance(): {outcomes}"
            raise PropertyFailedError(position.rules.equal_events, problem)


def random_positions(game: Game, players: int, r: random.Random) -> Iterator[RandomGame]:
    """Yield every position of one random game before its end. The caller may copy it, but must not play."""
    play = RandomGame(game, players, r)
    while not play.over:
        pending = play.state.pending
        if pending & CHANCE and pending != CHANCE:
            raise PropertyFailedError(game.rules.apply, "a random event and a seat are due at once")
        if pending >> players and pending != CHANCE:
            raise PropertyFailedError(game.rules.apply, "a seat without a player is to move")
        invariants(game.id)(play.state)
        yield play
        play.apply(*play.next())
    invariants(game.id)(play.state)


def cue_for(position: Position, actor: int, move: int, seat: int) -> tuple[Any, ...] | None:
    """Return what a seat (SPECTATOR for spectators) notices of a move that is about to be made; None if nothing."""
    audience = position.audience(actor, move)
    if seat == actor != NOBODY or audience < 0 or seat != SPECTATOR and audience >> seat & 1:
        return actor, move
    if audience & SILENT:
        return None
    return actor, str(position.moves.unseen(move))


def audience_of(seat: int) -> int | None:
    """Return the audience of a seat: None for SPECTATOR."""
    return None if seat == SPECTATOR else seat


def seat_text(seat: int) -> str:
    """Return a seat's name in messages."""
    return "a spectator" if seat == SPECTATOR else f"seat {seat}"


def view_message(position: Position, seat: int) -> str:
    """Return everything that a seat receives of a position: view and facts as JSON."""
    view = position.view(audience_of(seat))
    return json.dumps([view, position.game.facts(view)])


def other_world(position: Position, seat: int, number: int) -> Position:
    """Return a world that the seat cannot tell from this position."""
    return position.imagine(audience_of(seat), make_generator(number))


def is_enough_hidden(game: Game, hidden_count: int, looked_at: int, usual: float) -> bool:
    """Return whether the share of positions with hidden information is large enough: `usual`, or less for games that
    seldom hide anything (resources.py)."""
    return hidden_count > looked_at * (
        1 / (2 * POSITIONS_PER_RARE_SECRET) if reason_for_few_secrets(game.id) else usual
    )


def is_sought(game: Game, hidden_count: int, looked_at: int) -> bool:
    """Return whether to look only at positions with hidden information next, for games that seldom hide anything."""
    return (
        bool(game.hidden and reason_for_few_secrets(game.id)) and hidden_count * POSITIONS_PER_RARE_SECRET < looked_at
    )


def has_hidden_alternatives(position: Position, seat: int) -> bool:
    """Return whether worlds differ from this position."""
    return any(other_world(position, seat, number).state != position.state for number in range(3))


def check_position_keeps_secrets(position: Position, seat: int, number: int) -> Position:
    """Check that hidden information changes neither the seat's view nor its legal moves nor `determinize`. Return the
    other world. Raises PropertyFailedError."""
    world = other_world(position, seat, number)
    world.state.pack()
    invariants(position.game.id)(world.state)
    determinize = position.rules.determinize
    if view_message(world, seat) != view_message(position, seat) or world.key(audience_of(seat)) != position.key(
        audience_of(seat)
    ):
        raise PropertyFailedError(
            determinize, f"determinize changed what {seat_text(seat)} sees: {find_differences(position, world)}"
        )
    same_world = other_world(world, seat, number)
    if same_world.state != world.state:
        raise PropertyFailedError(
            determinize, f"determinize used what {seat_text(seat)} cannot see: {find_differences(same_world, world)}"
        )
    if seat != SPECTATOR:
        from_view = Position.from_view(position.game, position.view(seat))
        if other_world(from_view, seat, number).state != world.state:
            raise PropertyFailedError(determinize, f"determinize used what is not in the view of seat {seat}")
    recall = getattr(position.game.policy, "recall", None)
    if recall:
        without_history = Position(position.game, state=position.state.copy())
        recall(without_history.state, seat)
        if other_world(without_history, seat, number).state != world.state:
            raise PropertyFailedError(recall, "determinize gives another world after recall")
    return world


def find_differences(a: Position, b: Position) -> list[str]:
    """Return the names of the fields that differ."""
    return [f.name for f in a.state.stored if getattr(a.state, f.name) != getattr(b.state, f.name)]


def check_transition_keeps_secrets(play: RandomGame, world: Position, seat: int) -> bool:
    """Check that a move that looks the same in both worlds leads to the same view, except for what `reveals` declares.
    Return whether the views were compared."""
    actor, move = play.next()
    cue = cue_for(play, actor, move, seat)
    matching = [m for m in world.legal(actor) if cue_for(world, actor, m, seat) == cue]
    if not matching:
        return False  # impossible in the other world: it depends on a secret of the acting seat
    twin = move if move in matching else play.r.choice(matching)
    revealed_to = play.reveals(actor, move)
    before = view_message(play, seat)
    a, b = play.now(), world.now()
    a.apply(actor, move)
    b.apply(actor, twin)
    if cue is None:
        if view_message(a, seat) != before:
            raise PropertyFailedError(
                play.rules.audience,
                f"{move} of seat {actor} is silent, but {seat_text(seat)} sees {find_differences(a, play)} change",
            )
    if revealed_to < 0 or seat != SPECTATOR and revealed_to >> seat & 1:
        differs = {name for name, value in a.state.view(seat).items() if b.state.view(seat)[name] != value}
        if differs and not differs - CONTROL_FIELDS:
            raise PropertyFailedError(
                play.rules.apply, f"after {move} of seat {actor} {differs} depend on what {seat_text(seat)} cannot see"
            )
        return False
    if view_message(a, seat) != view_message(b, seat):
        raise PropertyFailedError(
            play.rules.reveals,
            f"{move} of seat {actor} shows {seat_text(seat)} something that reveals() does not declare: "
            f"{find_differences(a, b)}",
        )
    return True


def check_cues_are_visible(play: RandomGame, seat: int) -> bool:
    """Check that a cue tells a seat no more than its view does, unless `reveals` declares it: if two moves have
    different cues, or one has a cue at all, the views must differ, too.

    Public moves that leave no trace are listed in the game's `traceless_moves.py` (resources.py). Return whether two
    moves were compared.
    """
    actor, move = play.next()
    cue = cue_for(play, actor, move, seat)
    if actor == seat != NOBODY or not is_quiet(play, actor, move, seat):
        return False
    after = play.now()
    after.apply(actor, move)
    view_after = after.view(audience_of(seat))
    if cue is not None and view_after == play.view(audience_of(seat)):
        problem = f"{seat_text(seat)} receives an event for {play.moves.words(move)}, but its view does not change"
        raise PropertyFailedError(play.rules.audience, problem)
    others = [m for m in play.legal(actor) if cue_for(play, actor, m, seat) != cue]
    other = play.r.choice(others) if others else move
    if not others or not is_quiet(play, actor, other, seat):
        return False
    after = play.now()
    after.apply(actor, other)
    if view_after == after.view(audience_of(seat)):
        raise PropertyFailedError(
            play.rules.audience,
            f"the events of {seat_text(seat)} distinguish {play.moves.words(move)} from {play.moves.words(other)} of "
            f"seat {actor}, but its views are the same",
        )
    return True


def is_quiet(position: Position, actor: int, move: int, seat: int) -> bool:
    """Return whether a move reveals nothing hidden to a seat, and leaves a trace."""
    reveals = position.reveals(actor, move)
    is_revealed = reveals < 0 or seat != SPECTATOR and reveals >> seat & 1
    return not is_revealed and position.moves.decode(move).verb not in traceless_moves(position.game.id)


def check_choices_commute(play: RandomGame) -> bool:
    """Check that the order of two simultaneous choices makes no difference. Return whether there were two."""
    if len(play.actors) < 2:
        return False
    first, second = play.r.sample(play.actors, 2)
    a, b = play.r.choice(play.legal(first)), play.r.choice(play.legal(second))
    a_first, b_first = play.now(), play.now()
    a_first.apply(first, a)
    if b not in a_first.legal(second):
        raise PropertyFailedError(play.rules.legal, f"{b} was legal for seat {second} until seat {first} played {a}")
    a_first.apply(second, b)
    b_first.apply(second, b)
    b_first.apply(first, a)
    if a_first.state != b_first.state:
        raise PropertyFailedError(play.rules.apply, f"{a} and {b} do not commute: {find_differences(a_first, b_first)}")
    return True


def check_copies_independent(play: RandomGame) -> None:
    """Check that a copy is equal, survives packing, and is independent of the original."""
    before = play.state.pack()
    twin = play.now()
    assert twin.state == play.state and twin.state.unpack(before) == play.state
    twin.apply(*play.next())
    twin.state.pack()
    assert play.state.pack() == before, "a copy shares data with the original, or legal() or chance() changes the state"


def check_illegal_is_rejected(match: Any, seat: int, move: int) -> None:
    """Check that an illegal move is refused without any change."""
    state, entries, seqs = match.state.pack(), len(match.entries), [match.seq(s) for s in range(match.players)]
    try:
        match.play(seat, move)
    except CommandRefusedError as refused:
        json.dumps(refused.args_)
    else:
        raise AssertionError(f"{match.moves.words(move)} of seat {seat} is not legal, but was accepted")
    assert (state, entries, seqs) == (
        match.state.pack(),
        len(match.entries),
        [match.seq(s) for s in range(match.players)],
    )


def is_plain_fact(value: Any) -> bool:
    """Return whether a value consists of numbers, ids, None, and lists and dictionaries of them."""
    if isinstance(value, dict):
        return all(key.isidentifier() and is_plain_fact(part) for key, part in value.items())
    if isinstance(value, str):
        return bool(re.fullmatch("[a-z][a-z_-]*", value))
    return all(map(is_plain_fact, value)) if isinstance(value, list) else value is None or type(value) is int


def check_search_uses_view_only(search: Search, play: Position, seat: int, number: int) -> bool:
    """Check that a search gives the same answer from all states that its seat cannot tell apart: the true one, another
    world, and one made from the view. Return whether there was a choice."""
    view = play.view(seat)
    legal = [move["id"] for move in view["legal"]]
    if len(legal) < 2:
        return False
    findings = search.think(view, number)
    if sorted(line.move for line in findings.lines) != sorted(legal) or not findings.lines[0].visits:
        raise PropertyFailedError(play.rules.legal, f"a search for seat {seat} does not rank exactly the legal moves")
    for state in (play.state, other_world(play, seat, number).state):
        if search.ponder(state, seat, legal, number) != findings:
            raise PropertyFailedError(
                play.rules.determinize, f"the answer of a search depends on what seat {seat} cannot see: {findings}"
            )
    return True


def check_undo_ends(game: Game, r: random.Random) -> None:
    """Check that seats that always take back their moves reach the limit of undo and can then still move, and that the
    journal replays to the same match."""
    match = new_match(game, players=max(game.players), seed=r.randrange(1 << 32))
    limit = 40
    with patch("courtly.engine.match.UNDO_LIMIT_MOVES", limit):
        for _ in range(3000):
            if match.over:
                break
            seat = r.choice(match.pending)
            if match.can_undo(seat) and r.random() < 0.9:
                match.undo(seat)
            else:
                match.play(seat, r.choice(match.legal(seat)))
        back = [sum(entry.undo for entry in match.entries if entry.seat == seat) for seat in range(match.players)]
        assert max(back) <= limit, f"{max(back)} moves were taken back; the limit is {limit}"
        assert len(match.entries) == match.decisions + match.events + 2 * sum(back), "an undo took back several moves"
        replay = Match.replay(game, match.players, match.options, match.source, match.entries)
        assert replay.state == match.state
        for seat in (*range(match.players), None):
            assert replay.seq(seat) == match.seq(seat)
            assert replay.view(seat, 0) == match.view(seat, 0)


def check_undo_keeps_chance(game: Game, r: random.Random) -> None:
    """Check that a player who knows the secret of a live table cannot change random events by undo: the next events are
    the same, however often moves were taken back before."""
    source = CommittedChance(r.randbytes(32), "table", [])
    for _ in range(3):
        match = Match(game, r.choice(game.players), random_options(game, r), source)
        for _ in range(200):
            if match.over:
                break
            seat = r.choice(match.pending)
            other = match.copy()
            for _ in range(r.randrange(1, 4)):
                trial = other.copy()
                trial.play(seat, r.choice(trial.legal(seat)))
                if trial.can_undo(seat):
                    trial.undo(seat)
                    other = trial
            move = r.choice(match.legal(seat))
            events, events_again = (
                [entry.move for entry in copied.play(seat, move) if entry.seat == NOBODY] for copied in (match, other)
            )
            assert events_again == events, f"random events differ after an undo of seat {seat}"
            assert other.state == match.state, f"the state differs after an undo of seat {seat}"
            match = r.choice([match, other])
