"""Tournaments and matches of bots: seating, stopping, and output."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.engine.game import find_game
from courtly.lab.statistics.sprt import EloHypotheses, Verdict
from courtly.lab.strength import arena as lab
from courtly.lab.strength.arena import Contest, PairTracker, mixed_lineups, pairwise_share, rotate_seats, solo_lineups
from courtly.lab.strength.match_runner import PlayedGame, read_games
from courtly.lab.strength.ratings import estimate_skills

BIDS = find_game("sealed_bids")
HYPOTHESES = EloHypotheses(0, 60, 0.05, 0.05)


def game_won_by(deal, bots, winner):
    wins = tuple(60 * (seat == winner) for seat in range(len(bots)))
    return PlayedGame("sealed_bids", "", 0, deal, tuple(bots), wins, (), wins)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bots", ["ab", "abc", "abcd", "abcde"])
def test_all_bots_meet_from_every_seat(bots, players):
    bots = tuple(bots)
    for deal in range(7):
        lineups = rotate_seats(mixed_lineups(bots, players), deal)
        assert len(lineups) == len(set(lineups)) and {number for number, _ in lineups} == {deal}
        for seat in range(players):
            assert len(set(Counter(names[seat] for _, names in lineups).values())) == 1
        for _, names in lineups:
            counts = [names.count(bot) for bot in bots]
            assert max(counts) - min(counts) <= 1
        for bot in bots:
            for other in set(bots) - {bot}:
                assert any(bot in names and other in names for _, names in lineups)


def test_neighbours_change_from_deal_to_deal():
    bots = tuple("abcd")
    assert {names for deal in range(6) for _, names in rotate_seats(mixed_lineups(bots, 4), deal)} >= {
        ("a", "b", "c", "d"),
        ("a", "c", "d", "b"),
        ("a", "d", "b", "c"),
    }


def test_in_a_match_one_bot_plays_among_others():
    assert rotate_seats(solo_lineups(("a", "b"), 3), 5) == [
        (5, ("a", "b", "b")),
        (5, ("b", "a", "b")),
        (5, ("b", "b", "a")),
    ]


def test_a_deals_share_is_counted_by_seats():
    duel = PairTracker("a", "b", HYPOTHESES, two_sided=True)
    duel.add_deal(
        [game_won_by(0, "aab", 0), game_won_by(0, "baa", 1), game_won_by(0, "aba", 1), game_won_by(0, "bbb", 0)]
    )
    assert duel.deals == {(2 / 6, 1 / 3): 1} and duel.reversed_deals == {(1 / 3, 2 / 6): 1}


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [
        (["a"] * 20, Verdict.BETTER),
        (["b"] * 20, Verdict.WORSE),
        (["a", "b"] * 400, Verdict.CLOSE),
        (["a", "a", "b"] * 3, Verdict.OPEN),
    ],
)
def test_the_verdict_on_a_pair(wins, verdict):
    duel = PairTracker("a", "b", HYPOTHESES, two_sided=True)
    for winner in wins:
        duel.add_deal([game_won_by(0, "ab", "ab".index(winner))])
    duel.update_verdicts()
    assert duel.verdict == verdict


def test_expected_shares_among_others_and_of_two():
    assert pairwise_share(1 / 3, 3) == pytest.approx(0.5)
    assert lab._solo_share(pairwise_share(0.4, 4), 4) == pytest.approx(0.4)


def test_skills_follow_the_places():
    games = [game_won_by(deal, "abc", 0) for deal in range(30)]
    winner, *other_skills = estimate_skills(["a", "b", "c", "d"], games)
    assert winner.mu > 25 > max(skill.mu for skill in other_skills[:2]) and other_skills[2].mu == 25
    assert winner.sigma < 7 < other_skills[2].sigma
    equal_skills = estimate_skills(["a", "b"], [game_won_by(deal, "aab", deal % 3) for deal in range(60)])
    assert abs(equal_skills[0].mu - equal_skills[1].mu) < 2


def question(**changed):
    return Contest(BIDS, ("search:30", "random"), 3, 3000, HYPOTHESES, 1)._replace(**changed)


def test_the_better_one_is_found_on_any_number_of_cores(tmp_path):
    progress = []
    result = lab.run_match(question(), tmp_path / "games.jsonl", 1, progress.append)
    assert result.pair.verdict == Verdict.BETTER and result.deals * 3 == result.games == sum(progress) < 3000
    assert result.won[1] > result.par == 1 / 3 and result.pair.elo[1] > 0
    assert lab.run_match(question(), None, 3) == result
    stored_games = len(read_games(tmp_path / "games.jsonl"))
    assert lab.run_match(question(), tmp_path / "games.jsonl", 2) == result
    assert len(read_games(tmp_path / "games.jsonl")) == stored_games


def test_a_worse_bot_is_not_called_better():
    assert lab.run_match(question(bots=("random", "search:30"))).pair.verdict == Verdict.CLOSE


def test_an_arena_orders_its_bots():
    result = lab.run_arena(question(bots=("random", "search:2", "search:100"), players=2, games=600), cores=2)
    assert [standing.bot for standing in result.standings] == ["search:100", "search:2", "random"]
    assert [(pair.bot, pair.other) for pair in result.pairs] == [
        ("search:100", "search:2"),
        ("search:100", "random"),
        ("search:2", "random"),
    ]
    for standing in result.standings:
        assert standing.rating[1] <= standing.rating[0] <= standing.rating[2]
        assert standing.seats == result.deals * 4
    assert result.all_decided == all(pair.verdict != Verdict.OPEN for pair in result.pairs)
    assert result.pairs[1].verdict == Verdict.BETTER
    assert sum(standing.rating[0] for standing in result.standings) == pytest.approx(0, abs=1e-6)


def run_lab(*args):
    return CliRunner().invoke(main, ["lab", *args])


def test_the_output_of_the_commands(tmp_path):
    arguments = (
        "sealed_bids",
        "--bots",
        "search:30,random,search:2",
        "--games",
        "40",
        "--out",
        str(tmp_path / "a" / "b"),
    )
    result = run_lab("arena", *arguments, "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["contest"]["game"] == "sealed_bids" and report["result"]["games"] == 42
    assert json.loads((tmp_path / "a" / "b" / "result.json").read_text()) == report
    assert len(read_games(tmp_path / "a" / "b" / "games.jsonl")) >= 42
    table = run_lab("arena", *arguments).stdout.splitlines()
    assert table[0].startswith("sealed_bids, 2 players, par 50.0%: 42 games, 7 deals")
    assert table[2].startswith(report["result"]["standings"][0]["bot"])
    lines = run_lab("match", "sealed_bids", "search:100", "random", "--players", "3", "--share", "33.3,40").stdout
    assert "search:100 alone among random: won" in lines and "search:100 is better than random" in lines


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("match", "sealed_bids", "random", "random"), "random is named twice"),
        (("match", "sealed_bids", "random", "wizard"), "sealed_bids has no bot 'wizard'"),
        (("match", "sealed_bids", "random", "policy"), "sealed_bids has no bot 'policy'"),
        (("match", "sealed_bids", "random", "search:2", "--players", "9"), "is for 2, 3, 4, 5 players, not 9"),
        (("match", "sealed_bids", "random", "search:2", "--elo", "5"), "'5' is not LOW,HIGH"),
        (("match", "sealed_bids", "random", "search:2", "--elo", "5,5"), "--elo 5,5: the first bound must be less"),
        (("match", "sealed_bids", "random", "search:2", "--share", "60,40"), "expected LOW,HIGH with 0 < LOW"),
        (("match", "sealed_bids", "random", "search:2", "--option", "x=1"), "unknown options: x"),
        (("match", "sealed_bids", "random", "search:2", "--out", "/dev/null/x"), "/dev/null"),
        (("arena", "sealed_bids", "--bots", "random"), "name at least two bots"),
        (("arena", "sealed_bids", "--bots", "random,search:2", "--alpha", "0.7"), "0.7 is not in the range"),
    ],
)
def test_invalid_arguments_give_a_one_line_error(args, message):
    result = run_lab(*args)
    assert result.exit_code and message in result.output
    assert len([line for line in result.output.splitlines() if line.startswith("Error")]) == 1


def test_a_file_of_another_kind_is_reported(tmp_path):
    (tmp_path / "games.jsonl").write_text("{}\n")
    result = run_lab("match", "sealed_bids", "random", "search:2", "--out", str(tmp_path))
    assert result.exit_code and "line 1 is not a game of bots" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send an interrupt to a single process")
def test_an_interrupted_run_ends_at_once_and_can_be_continued(tmp_path):
    arguments = ["match", "sealed_bids", "search:300", "search:301", "--out", str(tmp_path), "--elo", "0,1"]
    file = tmp_path / "games.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "courtly", "lab", *arguments, "--cores", "2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background process ignores it by default
        text=True,
    )
    while not file.exists() or file.stat().st_size < 2000:
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 1 and stdout == "" and "Traceback" not in stderr
    assert f"Error: stopped; progress is saved in {tmp_path}: the same command resumes\n" in stderr
    assert len(read_games(file)) > 5
