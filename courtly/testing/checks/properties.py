"""Properties that every game must have, over random positions. Each function raises AssertionError where one is broken.

A *position* is a state reached by random play; a *world* is a state that one seat cannot tell from another:
`determinize` makes it. A game's own invariants (resources.py) are asked for every position and every world.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from courtly.bots.search.search import Search
from courtly.engine.constants import CHANCE, NOBODY, SILENT, SPECTATOR
from courtly.engine.game import Game
from courtly.engine.match import Match, new_match
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.rng import CommittedChance, make_generator
from courtly.testing.failure_location import PropertyFailedError
from courtly.testing.resources import invariants, reason_for_few_secrets, traceless

CONTROL_FIELDS = {"pending", "phase"}  # fields that say whose decision it is, and must follow from what is shown

MIN_HIDDEN_FRACTION = 1 / 10  # of the positions that are looked at, those with something hidden, at least
MIN_SECRET_STEP_FRACTION = 1 / 20  # of the steps of twins, those that the seat was not told whole, at least
POSITIONS_PER_RARE_SECRET = (
    32  # of so many positions one is sought that has something hidden, where a game seldom hides anything
)


def random_options(game: Game, r: random.Random) -> dict[str, int]:
    """Options of a random table: half of the time the defaults."""
    if r.random() < 0.5:
        return {}
    return {name: r.choice(values) for name, values in game.options.items()}


def option_tables(game: Game, r: random.Random, more: int = 0) -> Iterator[tuple[int, dict[str, int]]]:
    """(players, options) in which every value of every option occurs, each among others drawn at random; then so
    many more, quite at random."""
    missing = {name: r.sample(values, len(values)) for name, values in game.options.items()}
    counts = r.sample(game.players, len(game.players))
    while any(missing.values()) or counts:
        options = {
            name: missing[name].pop() if missing[name] else r.choice(values) for name, values in game.options.items()
        }
        yield counts.pop() if counts else r.choice(game.players), options
    for _ in range(more):
        yield r.choice(game.players), {name: r.choice(values) for name, values in game.options.items()}


class RandomGame(Position):
    """One random game, a position at a time."""

    def __init__(self, game: Game, players: int, r: random.Random, options: dict[str, int] | None = None):
        super().__init__(game, players, random_options(game, r) if options is None else options)
        self.r = r

    def next(self) -> tuple[int, int]:
        """A random (seat, move) that may come next; NOBODY brings about an event."""
        seat = self.r.choice(self.actors)
        if seat == NOBODY:
            outcomes = self.outcomes()
            if not outcomes or any(weight <= 0 for _, weight in outcomes):
                raise PropertyFailedError(
                    self.rules.chance, "a random event is due, but nothing can happen, or with no weight"
                )
            found = [move for move, _ in outcomes]
            move = self.r.choices(found, [weight for _, weight in outcomes])[0]
        else:
            found = self.legal(seat)
            if not found:
                raise PropertyFailedError(self.rules.legal, f"seat {seat} is to move but has no move")
            move = self.r.choice(found)
        if len(set(found)) < len(found):
            raise PropertyFailedError(
                self.rules.chance if seat == NOBODY else self.rules.legal, "a move is offered twice"
            )
        return seat, move


def random_positions(game: Game, players: int, r: random.Random) -> Iterator[RandomGame]:
    """Every position of one random game before its end; the caller may look and copy, but not play."""
    play = RandomGame(game, players, r)
    while not play.over:
        pending = play.state.pending
        if pending & CHANCE and pending != CHANCE:
            raise PropertyFailedError(game.rules.apply, "a random event and a seat are due at once")
        if pending >> players and pending != CHANCE:
            raise PropertyFailedError(game.rules.apply, "a seat that nobody sits on is to move")
        invariants(game.id)(play.state)
        yield play
        play.apply(*play.next())
    invariants(game.id)(play.state)


def cue_for(position: Position, actor: int, move: int, seat: int) -> tuple[Any, ...] | None:
    """What a seat (SPECTATOR: a spectator) notices of a move that is about to be made."""
    audience = position.audience(actor, move)
    if seat == actor != NOBODY or audience < 0 or seat != SPECTATOR and audience >> seat & 1:
        return actor, move
    if audience & SILENT:
        return None
    return actor, str(position.moves.unseen(move))


def audience_of(seat: int) -> int | None:
    return None if seat == SPECTATOR else seat


def seat_text(seat: int) -> str:
    return "a spectator" if seat == SPECTATOR else f"seat {seat}"


def view_message(position: Position, seat: int) -> str:
    """Everything a seat is told of a position, as the message that carries it."""
    view = position.view(audience_of(seat))
    return json.dumps([view, position.game.facts(view)])


def other_world(position: Position, seat: int, number: int) -> Position:
    return position.imagine(audience_of(seat), make_generator(number))


def is_enough_hidden(game: Game, found: int, looked_at: int, usual: float) -> bool:
    """Return whether enough was hidden of what was looked at: `usual` says how much, unless the game seldom hides
    anything (resources.py)."""
    return found > looked_at * (1 / (2 * POSITIONS_PER_RARE_SECRET) if reason_for_few_secrets(game.id) else usual)


def is_sought(game: Game, found: int, looked_at: int) -> bool:
    """Return whether only what is hidden should be looked at next, where a game seldom hides anything."""
    return bool(game.hidden and reason_for_few_secrets(game.id)) and found * POSITIONS_PER_RARE_SECRET < looked_at


def has_hidden_alternatives(position: Position, seat: int) -> bool:
    """Return whether something that the seat cannot see might be otherwise now."""
    return any(other_world(position, seat, number).state != position.state for number in range(3))


def check_position_keeps_secrets(position: Position, seat: int, number: int) -> Position:
    """What the seat cannot see changes neither its view, nor its legal moves, nor the size of any message. Returns
    the other world."""
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
    again = other_world(world, seat, number)
    if again.state != world.state:
        raise PropertyFailedError(
            determinize, f"determinize used what {seat_text(seat)} cannot see: {find_differences(again, world)}"
        )
    if seat != SPECTATOR:
        bare = Position.from_view(position.game, position.view(seat))
        if other_world(bare, seat, number).state != world.state:
            raise PropertyFailedError(determinize, f"determinize used what is not in the view of seat {seat}")
    recall = getattr(position.game.policy, "recall", None)
    if recall:
        recalled = Position(position.game, state=position.state.copy())
        recall(recalled.state, seat)
        if other_world(recalled, seat, number).state != world.state:
            raise PropertyFailedError(recall, "determinize deals another world after recall")
    return world


def find_differences(a: Position, b: Position) -> list[str]:
    return [f.name for f in a.state.stored if getattr(a.state, f.name) != getattr(b.state, f.name)]


def check_transition_keeps_secrets(play: RandomGame, world: Position, seat: int) -> bool:
    """What looks the same to the seat in both worlds leads to the same next view, except for what `reveals`
    declares. Was there anything to compare?"""
    actor, move = play.next()
    seen = cue_for(play, actor, move, seat)
    matching = [m for m in world.legal(actor) if cue_for(world, actor, m, seat) == seen]
    if not matching:
        return False  # in the other world this could not happen: a secret of the actor's decides
    twin = move if move in matching else play.r.choice(matching)
    told = play.reveals(actor, move)
    before = view_message(play, seat)
    a, b = play.now(), world.now()
    a.apply(actor, move)
    b.apply(actor, twin)
    if seen is None:
        if view_message(a, seat) != before:
            raise PropertyFailedError(
                play.rules.audience,
                f"{move} of seat {actor} is silent, but {seat_text(seat)} sees {find_differences(a, play)} change",
            )
    if told < 0 or seat != SPECTATOR and told >> seat & 1:
        differs = {name for name, value in a.state.view(seat).items() if b.state.view(seat)[name] != value}
        if differs and not differs - CONTROL_FIELDS:
            raise PropertyFailedError(
                play.rules.apply,
                f"after {move} of seat {actor} it depends on what {seat_text(seat)} cannot see who is asked: {differs}",
            )
        return False
    if view_message(a, seat) != view_message(b, seat):
        raise PropertyFailedError(
            play.rules.reveals,
            f"{move} of seat {actor} tells {seat_text(seat)} something that reveals() does not declare: "
            f"{find_differences(a, b)}",
        )
    return True


def check_cues_are_visible(play: RandomGame, seat: int) -> bool:
    """What a seat is told of another leaves something to be seen: where it is told something else of another move, or
    would be told nothing if none were made, it sees something else. Otherwise the cue itself would tell a secret,
    unless `reveals` declares it. Public acts that leave no trace are in the game's `traceless.py` (resources.py). Were
    there two moves to compare?"""
    actor, move = play.next()
    told = cue_for(play, actor, move, seat)
    if actor == seat != NOBODY or not is_quiet(play, actor, move, seat):
        return False
    after = play.now()
    after.apply(actor, move)
    seen = after.view(audience_of(seat))
    if told is not None and seen == play.view(audience_of(seat)):
        said = (
            f"{seat_text(seat)} is told of {play.moves.words(move)}, or that it was done, but sees the same as before"
        )
        raise PropertyFailedError(play.rules.audience, said)
    others = [m for m in play.legal(actor) if cue_for(play, actor, m, seat) != told]
    other = play.r.choice(others) if others else move
    if not others or not is_quiet(play, actor, other, seat):
        return False
    after = play.now()
    after.apply(actor, other)
    if seen == after.view(audience_of(seat)):
        raise PropertyFailedError(
            play.rules.audience,
            f"{seat_text(seat)} is told whether seat {actor} did {play.moves.words(move)} or "
            f"{play.moves.words(other)}, "
            "but sees the same",
        )
    return True


def is_quiet(position: Position, actor: int, move: int, seat: int) -> bool:
    """Does a move show a seat nothing that is hidden, and leave a trace?"""
    reveals = position.reveals(actor, move)
    shown = reveals < 0 or seat != SPECTATOR and reveals >> seat & 1
    return not shown and position.moves.decode(move).verb not in traceless(position.game.id)


def check_choices_commute(play: RandomGame) -> bool:
    """Two seats that may move at once: their order makes no difference. Was there anything to compare?"""
    if len(play.actors) < 2:
        return False
    first, second = play.r.sample(play.actors, 2)
    a, b = play.r.choice(play.legal(first)), play.r.choice(play.legal(second))
    one, other = play.now(), play.now()
    one.apply(first, a)
    if b not in one.legal(second):
        raise PropertyFailedError(play.rules.legal, f"{b} was open to seat {second} until seat {first} did {a}")
    one.apply(second, b)
    other.apply(second, b)
    other.apply(first, a)
    if one.state != other.state:
        raise PropertyFailedError(play.rules.apply, f"{a} and {b} do not commute: {find_differences(one, other)}")
    return True


def check_copies_independent(play: RandomGame) -> None:
    """A copy is equal, survives packing, and what happens to it does not touch the original."""
    before = play.state.pack()
    twin = play.now()
    assert twin.state == play.state and twin.state.unpack(before) == play.state
    twin.apply(*play.next())
    twin.state.pack()
    assert play.state.pack() == before, (
        "a copy shares something with the original, or legal() and chance() change the state"
    )


def check_illegal_is_rejected(match: Any, seat: int, move: int) -> None:
    """A move that is not open is refused, and nothing changes."""
    state, entries, seqs = match.state.pack(), len(match.entries), [match.seq(s) for s in range(match.players)]
    try:
        match.play(seat, move)
    except CommandRefusedError as refused:
        json.dumps(refused.args_)
    else:
        raise AssertionError(f"{match.moves.words(move)} of seat {seat} was accepted but not offered")
    assert (state, entries, seqs) == (
        match.state.pack(),
        len(match.entries),
        [match.seq(s) for s in range(match.players)],
    )


def is_plain_fact(value: Any) -> bool:
    """Is this a number, an id or nothing, or a row or names of such? There are no words in facts."""
    if isinstance(value, dict):
        return all(key.isidentifier() and is_plain_fact(part) for key, part in value.items())
    if isinstance(value, str):
        return bool(re.fullmatch("[a-z][a-z_-]*", value))
    return all(map(is_plain_fact, value)) if isinstance(value, list) else value is None or type(value) is int


def check_search_uses_view_only(search: Search, play: Position, seat: int, number: int) -> bool:
    """A search gives the same answer from all states that its seat cannot tell apart: the true one, another, and one
    made of the view alone. Was there anything to choose?"""
    view = play.view(seat)
    legal = [move["id"] for move in view["legal"]]
    if len(legal) < 2:
        return False
    thought = search.think(view, number)
    if sorted(line.move for line in thought.lines) != sorted(legal) or not thought.lines[0].visits:
        raise PropertyFailedError(play.rules.legal, f"a search for seat {seat} finds other moves than are legal")
    for state in (play.state, other_world(play, seat, number).state):
        if search.ponder(state, seat, legal, number) != thought:
            raise PropertyFailedError(
                play.rules.determinize, f"what a search answers depends on what seat {seat} cannot see: {thought}"
            )
    return True


def check_undo_ends(game: Game, r: random.Random) -> None:
    """Seats that take back whenever they can, and move again, come to an end: undo is no longer offered, the seat that
    has to decide still has a move, and the journal replays to the same match."""
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
        assert max(back) <= limit, f"{max(back)} moves were taken back, {limit} may be"
        assert len(match.entries) == match.decisions + match.events + 2 * sum(back), "each move was taken back alone"
        again = Match.replay(game, match.players, match.options, match.source, match.entries)
        assert again.state == match.state
        for seat in (*range(match.players), None):
            assert again.seq(seat) == match.seq(seat)
            assert again.view(seat, 0) == match.view(seat, 0)


def check_undo_keeps_chance(game: Game, r: random.Random) -> None:
    """A seat whose player knows the secret of a live table gets no other draw by taking moves back: what chance brings
    next is the same, however often moves were made and taken back before."""
    source = CommittedChance(r.randbytes(32), "table", [])
    for _ in range(3):
        match = Match(game, r.choice(game.players), random_options(game, r), source)
        for _ in range(200):
            if match.over:
                break
            seat = r.choice(match.pending)
            other = match.copy()
            for _ in range(r.randrange(1, 4)):
                tried = other.copy()
                tried.play(seat, r.choice(tried.legal(seat)))
                if tried.can_undo(seat):
                    tried.undo(seat)
                    other = tried
            move = r.choice(match.legal(seat))
            drawn, again = (
                [entry.move for entry in each.play(seat, move) if entry.seat == NOBODY] for each in (match, other)
            )
            assert again == drawn, f"seat {seat} took moves back, and chance brought something else"
            assert other.state == match.state, f"seat {seat} took moves back, and not all is as it was"
            match = r.choice([match, other])
