"""The examination of a position: the results equal simulations of the moves in worlds that are possible to the seat."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.engine.position import Position
from courtly.engine.rng import draw_below, make_generator
from courtly.lab.position_probe import InvalidPositionError, position_at, probe, view_of
from courtly.lab.runs.interpreted_game import SEAT_STREAM_SHIFT
from courtly.lab.runs.mixed_bots_driver import WORLD_STREAM

BIDS = find_game("sealed_bids")


def game_of(players, seed=3):
    """Return a match in which each seat plays its first legal move."""
    match = new_match(BIDS, players=players, seed=seed)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, match.legal(seat)[0])
    return match


def decisions(match):
    """Yield the plies at which a seat chooses between several moves."""
    for ply in range(len(match.entries)):
        try:
            position = position_at(match, ply)
        except InvalidPositionError:
            continue
        if len(position.legal(position.pending[0])) > 1:
            yield ply


def play_in_python(position, seat, move, world, seed):
    """Play one world in plain Python. Return each seat's share of the victory."""
    found = Position.from_view(BIDS, position.view(seat)).imagine(seat, make_generator(seed, WORLD_STREAM + world))
    luck = make_generator(seed, world)
    minds = [make_generator(seed, (other + 1 << SEAT_STREAM_SHIFT) + world) for other in range(position.players)]
    found.apply(seat, move)
    while not found.over:
        if found.chance:
            found.happen(luck)
        else:
            other = found.pending[0]
            legal = found.legal(other)
            found.apply(other, legal[draw_below(minds[other], len(legal))] if len(legal) > 1 else legal[0])
    return [(score == max(found.scores)) / found.scores.count(max(found.scores)) for score in found.scores]


def test_shares_equal_those_of_python_games():
    match = game_of(3)
    for ply in list(decisions(match))[::4]:
        position = position_at(match, ply)
        seat = position.pending[0]
        found = probe(BIDS, position.view(seat), ply, ("random",) * 3, 12, 5, 1)
        assert {one.move["id"] for one in found.outlooks} == set(map(int, position.legal(seat)))
        for one in found.outlooks:
            wins = [play_in_python(position, seat, one.move["id"], world, 5) for world in range(12)]
            for other in range(3):
                assert one.shares[other][0] == pytest.approx(sum(won[other] for won in wins) / 12, abs=1e-3)
        mine = [one.shares[seat] for one in found.outlooks]
        assert mine == sorted(mine, key=lambda share: -share[0])
        assert all(low <= share <= high for share, low, high in mine)
        for one in found.outlooks:
            assert one.behind[0] == pytest.approx(mine[0][0] - one.shares[seat][0])
            assert one.behind[1] <= one.behind[0] <= one.behind[2]


def test_results_do_not_depend_on_hidden_information():
    match = game_of(4)
    for ply in list(decisions(match))[::5]:
        position = position_at(match, ply)
        seat = position.pending[0]
        other = position.imagine(seat, make_generator(9))
        asked = ply, ("random",) * 4, 6, 1, 1
        assert probe(BIDS, position.view(seat), *asked) == probe(BIDS, other.view(seat), *asked)


@pytest.mark.parametrize("bot", ["random", "search:3"])
def test_it_is_the_same_on_any_number_of_cores(bot):
    match = game_of(2)
    ply = next(decisions(match))
    told = []
    asked = BIDS, view_of(position_at(match, ply), None), ply, (bot, "random"), 30, 2
    alone = probe(*asked, 1, told.append)
    assert sum(told) == 30 * len(alone.outlooks)
    assert probe(*asked, 3) == alone


def test_a_seat_that_is_not_pending_can_be_examined():
    match = game_of(3)
    ply = next(decisions(match))
    position = position_at(match, ply)
    waiting = next(seat for seat in range(3) if seat not in position.pending)
    (one,) = probe(BIDS, view_of(position, waiting), ply, ("random",) * 3, 200, 1, 1).outlooks
    assert one.move is None and sum(share for share, _, _ in one.shares) == pytest.approx(1, abs=0.01)


def test_undone_moves_are_not_examined():
    match = new_match(BIDS, players=2, seed=1, options={"looks": 0})
    start, seat = len(match.entries), match.pending[0]
    before = match.now().view(seat)
    match.play(seat, match.legal(seat)[0])
    after = match.now().view(seat)
    match.undo(seat)
    assert [position_at(match, start + n).view(seat) for n in range(3)] == [before, after, before]


START = str(len(new_match(BIDS, players=2, seed=1).entries))  # the deal precedes the first decision


def said(*args):
    return CliRunner().invoke(main, ["lab", "probe", "sealed_bids", *args])


def test_the_output_of_the_command_in_both_languages(tmp_path):
    match = game_of(3)
    file, out = tmp_path / "game.jsonl", tmp_path / "found"
    file.write_text(transcript.write_record(match, seats=["Ada", "", "Bo"]))
    ply = str(next(decisions(match)))
    asked = ("--record", str(file), "--ply", ply, "--worlds", "20", "--cores", "1")
    for language in ("en", "ja"):
        told = said(*asked, "--language", language, "--out", str(out))
        assert told.exit_code == 0, told.output
        assert "probe-" not in told.stdout and "sealed_bids-" not in told.stdout
        assert "Ada" in told.stdout and "Bo" in told.stdout
    command = [sys.executable, "-m", "courtly", "lab", "probe", "sealed_bids", *asked, "--language", "ja"]
    narrow = subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "cp1252"})
    assert narrow.returncode == 0 and b"\\u" in narrow.stdout, narrow.stderr.decode(errors="replace")
    row = json.loads(said(*asked, "--json").stdout)
    assert row == json.loads((out / "probe.json").read_text()) and row["ply"] == int(ply)
    assert all(one["words"] and len(one["shares"]) == 3 for one in row["outlooks"])
    assert (
        json.loads(said("--ply", ply, "--players", "3", "--worlds", "4", "--seat", "0", "--json").stdout)["seat"] == 0
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--ply", "9999"), "there is no ply 9999: the game has"),
        (("--ply", START, "--seat", "7"), "there is no seat 7: seats go from 0 to 1"),
        (("--ply", START, "--bots", "random,random,random"), "2 players need one bot or 2, not 3"),
        (("--ply", START, "--bots", "wizard"), "sealed_bids has no bot 'wizard'"),
        (("--ply", "0", "--players", "9"), "9"),
        (("--ply", "0", "--record", "/nowhere"), "does not exist"),
        ((), "Missing option '--ply'"),
        (("--ply", START, "--out", "/dev/null/x", "--worlds", "2"), "/dev/null/x: Not a directory"),
    ],
)
def test_invalid_arguments_give_a_one_line_error(args, message):
    told = said(*args)
    assert told.exit_code and message in told.output
    assert len([line for line in told.output.splitlines() if line.startswith("Error")]) == 1


def test_finished_games_and_random_events_are_reported(tmp_path):
    match = game_of(2)
    with pytest.raises(InvalidPositionError, match="the game is over"):
        position_at(match, len(match.entries))
    with pytest.raises(
        InvalidPositionError, match=f"at ply 1 a random event comes next; the next decision is ply {START}"
    ):
        position_at(match, 1)
    file = tmp_path / "game.jsonl"
    file.write_text(transcript.write_record(new_match(find_game("petition"), players=2, seed=1)))
    assert "this is a game of petition" in said("--record", str(file), "--ply", "0").output
