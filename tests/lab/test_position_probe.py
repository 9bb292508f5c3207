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
    world_position = Position.from_view(BIDS, position.view(seat)).imagine(
        seat, make_generator(seed, WORLD_STREAM + world)
    )
    chance_rng = make_generator(seed, world)
    bot_rngs = [make_generator(seed, (mover + 1 << SEAT_STREAM_SHIFT) + world) for mover in range(position.players)]
    world_position.apply(seat, move)
    while not world_position.over:
        if world_position.chance:
            world_position.happen(chance_rng)
        else:
            mover = world_position.pending[0]
            legal = world_position.legal(mover)
            world_position.apply(mover, legal[draw_below(bot_rngs[mover], len(legal))] if len(legal) > 1 else legal[0])
    return [
        (score == max(world_position.scores)) / world_position.scores.count(max(world_position.scores))
        for score in world_position.scores
    ]


def test_shares_equal_those_of_python_games():
    match = game_of(3)
    for ply in list(decisions(match))[::4]:
        position = position_at(match, ply)
        seat = position.pending[0]
        result = probe(BIDS, position.view(seat), ply, ("random",) * 3, 12, 5, 1)
        assert {outlook.move["id"] for outlook in result.outlooks} == set(map(int, position.legal(seat)))
        for outlook in result.outlooks:
            wins = [play_in_python(position, seat, outlook.move["id"], world, 5) for world in range(12)]
            for other in range(3):
                assert outlook.shares[other][0] == pytest.approx(sum(shares[other] for shares in wins) / 12, abs=1e-3)
        own_shares = [outlook.shares[seat] for outlook in result.outlooks]
        assert own_shares == sorted(own_shares, key=lambda share: -share[0])
        assert all(low <= share <= high for share, low, high in own_shares)
        for outlook in result.outlooks:
            assert outlook.behind[0] == pytest.approx(own_shares[0][0] - outlook.shares[seat][0])
            assert outlook.behind[1] <= outlook.behind[0] <= outlook.behind[2]


def test_results_do_not_depend_on_hidden_information():
    match = game_of(4)
    for ply in list(decisions(match))[::5]:
        position = position_at(match, ply)
        seat = position.pending[0]
        world = position.imagine(seat, make_generator(9))
        arguments = ply, ("random",) * 4, 6, 1, 1
        assert probe(BIDS, position.view(seat), *arguments) == probe(BIDS, world.view(seat), *arguments)


@pytest.mark.parametrize("bot", ["random", "search:3"])
def test_a_probe_is_the_same_on_any_number_of_cores(bot):
    match = game_of(2)
    ply = next(decisions(match))
    progress = []
    arguments = BIDS, view_of(position_at(match, ply), None), ply, (bot, "random"), 30, 2
    on_one_core = probe(*arguments, 1, progress.append)
    assert sum(progress) == 30 * len(on_one_core.outlooks)
    assert probe(*arguments, 3) == on_one_core


def test_a_seat_that_is_not_pending_can_be_examined():
    match = game_of(3)
    ply = next(decisions(match))
    position = position_at(match, ply)
    waiting = next(seat for seat in range(3) if seat not in position.pending)
    (outlook,) = probe(BIDS, view_of(position, waiting), ply, ("random",) * 3, 200, 1, 1).outlooks
    assert outlook.move is None and sum(share for share, _, _ in outlook.shares) == pytest.approx(1, abs=0.01)


def test_undone_moves_are_not_examined():
    match = new_match(BIDS, players=2, seed=1, options={"looks": 0})
    start, seat = len(match.entries), match.pending[0]
    view_before = match.now().view(seat)
    match.play(seat, match.legal(seat)[0])
    view_after = match.now().view(seat)
    match.undo(seat)
    assert [position_at(match, start + n).view(seat) for n in range(3)] == [view_before, view_after, view_before]


START = str(len(new_match(BIDS, players=2, seed=1).entries))  # the deal precedes the first decision


def run_probe(*args):
    return CliRunner().invoke(main, ["lab", "probe", "sealed_bids", *args])


def test_the_output_of_the_command_in_both_languages(tmp_path):
    match = game_of(3)
    file, out = tmp_path / "game.jsonl", tmp_path / "found"
    file.write_text(transcript.write_record(match, seats=["Ada", "", "Bo"]))
    ply = str(next(decisions(match)))
    arguments = ("--record", str(file), "--ply", ply, "--worlds", "20", "--cores", "1")
    for language in ("en", "ja"):
        result = run_probe(*arguments, "--language", language, "--out", str(out))
        assert result.exit_code == 0, result.output
        assert "probe-" not in result.stdout and "sealed_bids-" not in result.stdout
        assert "Ada" in result.stdout and "Bo" in result.stdout
    command = [sys.executable, "-m", "courtly", "lab", "probe", "sealed_bids", *arguments, "--language", "ja"]
    cp1252_result = subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "cp1252"})
    assert cp1252_result.returncode == 0 and b"\\u" in cp1252_result.stdout, cp1252_result.stderr.decode(
        errors="replace"
    )
    report = json.loads(run_probe(*arguments, "--json").stdout)
    assert report == json.loads((out / "probe.json").read_text()) and report["ply"] == int(ply)
    assert all(outlook["words"] and len(outlook["shares"]) == 3 for outlook in report["outlooks"])
    assert (
        json.loads(run_probe("--ply", ply, "--players", "3", "--worlds", "4", "--seat", "0", "--json").stdout)["seat"]
        == 0
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
    result = run_probe(*args)
    assert result.exit_code and message in result.output
    assert len([line for line in result.output.splitlines() if line.startswith("Error")]) == 1


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
    assert "this is a game of petition" in run_probe("--record", str(file), "--ply", "0").output
