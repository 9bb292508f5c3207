"""What must hold for every game that is installed; see tests/properties.py."""

import json
import random

import pytest
from properties import (
    Play,
    choices_commute,
    copies_are_independent,
    illegal_is_refused,
    position_keeps_secrets,
    positions,
    random_options,
    transition_keeps_secrets,
    what_is_told_is_seen,
)

from courtly.engine import dialect, transcript
from courtly.engine.chance import Seeded
from courtly.engine.game import NOBODY, find_game, game_ids
from courtly.engine.match import Match

GAMES = game_ids()
SEATED = [(name, players) for name in GAMES for players in find_game(name).players]


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_in_the_dialect(name):
    assert dialect.check_game(find_game(name)) == []


@pytest.mark.parametrize(("name", "players"), SEATED)
def test_secrets_are_kept(name, players, long):
    game = find_game(name)
    r = random.Random(3)
    wanted = -(-200_000 // len(game.players)) if long else 500  # of the whole game
    pairs = varied = compared = told = 0
    while pairs < wanted:
        skip = r.randrange(300)  # so that long games are seen beyond their beginning too
        for number, play in enumerate(positions(game, players, r)):
            if pairs >= wanted:
                break
            if number < skip and r.random() < 0.9 or r.random() < 0.3:
                continue
            seat = r.randrange(-1, players)
            world = position_keeps_secrets(play, seat, r.randrange(1 << 30))
            varied += world.state != play.state
            compared += transition_keeps_secrets(play, world, seat)
            told += game.hidden and what_is_told_is_seen(play, seat)
            pairs += 1
    if game.hidden:
        assert varied > pairs // 10, "determinize leaves hidden fields as they are"
    assert compared > pairs // 4 and (told or not game.hidden)


@pytest.mark.parametrize(("name", "players"), SEATED)
def test_choices_made_at_once_commute(name, players, long):
    game = find_game(name)
    r = random.Random(4)
    for _ in range(50 if long else 3):
        for number, play in enumerate(positions(game, players, r)):
            choices_commute(play)
            if number > 3000:
                break


@pytest.mark.parametrize(("name", "players"), SEATED)
def test_copies_are_independent(name, players, long):
    r = random.Random(5)
    for _ in range(20 if long else 2):
        for number, play in enumerate(positions(find_game(name), players, r)):
            if r.random() < 0.3:
                copies_are_independent(play)
            if number > 3000:
                break


def random_match(game, players, r, undo=0.2, watch=None, limit=1 << 30):
    """A match at random, or its first moves, with moves taken back here and there and illegal moves tried."""
    match = Match(game, players, random_options(game, r), Seeded(r.randrange(1 << 60)))
    steps = 0
    while not match.over and steps < limit:
        seat = r.choice(match.pending)
        if r.random() < 0.05:
            open_now = {m.id for m in match.legal(seat)}
            wrong = [m for m in r.sample(range(match.moves.count), min(5, match.moves.count)) if m not in open_now]
            for move in wrong:
                illegal_is_refused(match, seat, move)
        before = watch and watch(match)
        entries = match.play(seat, r.choice(match.legal(seat)), seq=match.seq(seat))
        if watch:
            watch(match, entries, before)
        if match.can_undo(seat) and r.random() < undo and steps < 2000:
            before = watch and watch(match)
            entries = match.undo(seat)
            if watch:
                watch(match, entries, before)
        steps += 1
    return match


@pytest.mark.parametrize(("name", "players"), SEATED)
def test_a_match_can_be_replayed_from_its_journal_and_from_its_record(name, players):
    game = find_game(name)
    match = random_match(game, players, random.Random(6))
    again = Match.replay(game, players, match.options, match.source, match.entries)
    assert again.state == match.state
    for seat in (*range(players), None):
        assert json.dumps(again.view(seat, 0)) == json.dumps(match.view(seat, 0))
    read = transcript.check(match.record(seats=["a"] * players))
    assert (
        read.state == match.state
        and read.scores == match.scores
        and [e[:3] for e in read.entries] == [e[:3] for e in match.entries]
    )


@pytest.mark.parametrize(("name", "players"), SEATED)
def test_only_those_who_notice_something_see_a_different_view(name, players):
    def watch(match, entries=None, before=None):
        seen = {seat: json.dumps(match.view(seat)) for seat in (*range(match.players), None)}
        if entries:
            for seat in seen.keys() - match.noticed(entries):
                assert seen[seat] == before[seat], f"seat {seat} was told nothing, but its view changed"
        return seen

    random_match(find_game(name), players, random.Random(7), watch=watch, limit=800)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_game(name):
    game = find_game(name)
    one, other = (game.match(seed=99) for _ in range(2))
    r, q = random.Random(8), random.Random(8)
    while not one.over:
        one.play(one.pending[0], r.choice(one.legal(one.pending[0])))
        other.play(other.pending[0], q.choice(other.legal(other.pending[0])))
    assert one.record() == other.record()


@pytest.mark.parametrize("name", GAMES)
def test_a_view_becomes_a_record_again(name):
    game = find_game(name)
    for number, play in enumerate(positions(game, game.players[-1], random.Random(9))):
        if number > 1000:
            break
        for seat in range(game.players[-1]):
            seen = play.view(seat)
            assert game.State.from_view(json.loads(json.dumps(seen["state"]))).view(seat) == seen["state"]


@pytest.mark.parametrize("name", [name for name in GAMES if (find_game(name).folder / "bot.py").exists()])
def test_the_heuristic_bot_plays_legal_moves_only_from_any_position(name):
    from courtly.bots import find_bot
    from courtly.engine.chance import generator

    game = find_game(name)
    choose = find_bot(game, "heuristic")
    r = random.Random(10)
    for players in game.players:
        play = Play(game, players, r)
        mind = generator(1)
        for _ in range(400):
            if play.over:
                break
            seat, move = play.next()
            if seat != NOBODY and r.random() < 0.7:
                seen = json.loads(json.dumps(play.view(seat)))
                chosen = choose(game, seen, mind)
                assert chosen in {m["id"] for m in seen["legal"]}
                move = chosen if r.random() < 0.5 else move
            play.apply(seat, move)
