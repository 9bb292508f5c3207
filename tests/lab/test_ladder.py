"""The ladder of bots' strengths: what is played, what is read again, and the results."""

import json

import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.engine.game import find_game
from courtly.lab.strength import ladder
from courtly.lab.strength.ladder import REFERENCE_BOT, Pairing
from courtly.lab.strength.match_runner import PlayedGame, hash_code, read_games, strip_comments

BIDS = find_game("sealed_bids")


def game(deal, bots, winner, seconds=0.5):
    wins = tuple(60 * (seat == winner) for seat in range(len(bots)))
    return PlayedGame("sealed_bids", "code", 1, deal, tuple(bots), wins, ((10, seconds, 0.1),) * len(bots))


def test_each_plays_against_the_squire_and_the_next_weaker():
    assert ladder.make_pairings(3, ["page", REFERENCE_BOT, "knight", "master"], 7) == [
        Pairing(3, "page", REFERENCE_BOT, 7),
        Pairing(3, "knight", REFERENCE_BOT, 7),
        Pairing(3, "master", REFERENCE_BOT, 7),
        Pairing(3, "master", "knight", 7),
    ]


def test_every_deal_is_played_from_every_seat(tmp_path):
    games = ladder.play_ladder(BIDS, [Pairing(3, "search:2", "random", 7)], 1, tmp_path / "games.jsonl", 1)
    assert sorted(game.seating for game in games) == sorted(
        (deal, tuple("search:2" if k == seat else "random" for k in range(3))) for deal in range(3) for seat in range(3)
    )
    assert all(sum(game.wins) == 60 for game in games)
    assert all(n > 0 for game in games for n, _, _ in game.thinking)


def test_an_interrupted_run_continues_with_the_same_result(tmp_path):
    whole_file, parts_file = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    pairings, half_pairings = [Pairing(2, "search:2", "random", 8)], [Pairing(2, "search:2", "random", 4)]

    def without_times(games):
        return sorted(played._replace(thinking=()) for played in games)

    uninterrupted = ladder.play_ladder(BIDS, pairings, 1, whole_file, 2)
    ladder.play_ladder(BIDS, half_pairings, 1, parts_file, 2)
    with parts_file.open("a") as stream:
        stream.write('{"game": "sealed_bids", "co')  # killed while writing
    progress = []
    assert without_times(ladder.play_ladder(BIDS, pairings, 1, parts_file, 1, progress.append)) == without_times(
        uninterrupted
    )
    assert progress == [1] * 8
    assert without_times(ladder.play_ladder(BIDS, half_pairings, 1, parts_file, 1)) == without_times(uninterrupted)[:4]
    assert len(parts_file.read_text().splitlines()) == 8


@pytest.mark.parametrize(
    ("file", "is_different"),
    [("chances.json", False), ("learned.json", True), ("measures.py", False), ("rules.py", True)],
)
def test_code_that_plays_differently_has_another_hash(tmp_path, file, is_different):
    class ChangedGame:
        folder = tmp_path

    hash_before = hash_code(ChangedGame())
    (tmp_path / file).write_text("1\n")
    assert (hash_code(ChangedGame()) != hash_before) == is_different


@pytest.mark.parametrize(
    ("source", "is_different"),
    [
        ('"""Rules."""\n\nfrom x import y  # why\n\n\ndef f(s):\n    """Return y."""\n    return y\n', False),
        ("from x import y\ndef f(s):\n    return (\n        y\n    )\n", True),
        ("from x import y\ndef f(s):\n    return y + 1\n", True),
        ("from x import y\ndef f(s):\n    return 'y'\n", True),
        ("from x import y\ndef f(s): pass\nreturn y\n", True),
    ],
)
def test_comments_do_not_change_the_hash(tmp_path, source, is_different):
    class ChangedGame:
        folder = tmp_path

    (tmp_path / "rules.py").write_text("from x import y\ndef f(s):\n    return y\n")
    hash_before = hash_code(ChangedGame())
    (tmp_path / "rules.py").write_text(source)
    assert (hash_code(ChangedGame()) != hash_before) == is_different


def test_games_of_other_code_are_kept(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game(0, ["search:2", "random"], 0)._asdict()) + "\n")
    games = ladder.play_ladder(BIDS, [Pairing(2, "search:2", "random", 2)], 1, file, 1)
    assert len(games) == 2 and {played.code for played in games} == {hash_code(BIDS)}
    assert len(file.read_text().splitlines()) == 3


@pytest.mark.parametrize("line", ["what?", "[]", '{"game": "sealed_bids"}', '{"thinking": [[1]]}'])
def test_an_invalid_line_is_reported(tmp_path, line):
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(game(0, ["page", REFERENCE_BOT], 0)._asdict()) + f"\n{line}\n")
    with pytest.raises(ValueError, match="line 2 is not a game of bots"):
        read_games(file)


def test_standings_have_shares_ratings_and_times():
    games = [game(deal, ["knight", REFERENCE_BOT], 0 if deal % 10 else 1, 0.2) for deal in range(50)]
    games += [game(deal, [REFERENCE_BOT, "knight"], 1 if deal % 10 else 0) for deal in range(50)]
    games += [game(deal, ["page", REFERENCE_BOT], 1 if deal % 10 else 0) for deal in range(50)]
    knight, squire, page = ladder.compute_standings(games)
    assert (knight.bot, squire.bot, page.bot) == ("knight", REFERENCE_BOT, "page")
    assert knight.games == 100 and squire.shares == {} and list(knight.shares) == [REFERENCE_BOT]
    games, share, low, high = knight.shares[REFERENCE_BOT]
    assert games == 100 and share == pytest.approx(0.9) and 0.8 < low < 0.9 < high
    assert squire.rating == (0, 0, 0)
    assert knight.rating[0] == pytest.approx(382, abs=8)  # nine to one: 400 log10(9)
    assert page.rating[0] == pytest.approx(-382, abs=8)
    assert knight.rating[1] < knight.rating[0] < knight.rating[2]
    assert knight.mean == pytest.approx((50 * 0.2 + 50 * 0.5) / 1000) and knight.slowest == 0.1


def test_wins_against_the_next_weaker_are_separate():
    games = [game(deal, ["knight", REFERENCE_BOT], 0) for deal in range(20)]
    games += [game(deal, ["knight", "master"], deal % 4 > 0) for deal in range(20)]
    by_name = {standing.bot: standing for standing in ladder.compute_standings(games)}
    assert {other: share[:2] for other, share in by_name["master"].shares.items()} == {"knight": (20, 0.75)}
    assert {other: share[:2] for other, share in by_name["knight"].shares.items()} == {REFERENCE_BOT: (20, 1.0)}
    assert "against knight 75.0% [" in ladder.standing_line(by_name["master"])


def test_each_of_three_equal_bots_is_expected_to_win_a_third():
    games = [
        game(deal, ["knight" if k == seat else REFERENCE_BOT for k in range(3)], deal % 3)
        for deal in range(30)
        for seat in range(3)
    ]
    knight, squire = sorted(ladder.compute_standings(games), key=lambda standing: standing.bot)
    assert knight.shares[REFERENCE_BOT].won == pytest.approx(1 / 3) and knight.rating[0] == pytest.approx(
        squire.rating[0], abs=2
    )


def test_the_output_of_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr(ladder, "REFERENCE_BOT", "random")
    arguments = ["bots", "ladder", "sealed_bids", "--bots", "search:2", "--players", "2", "--games", "4"]
    result = CliRunner().invoke(main, [*arguments, "--file", str(tmp_path / "x"), "--json", "--cores", "1"])
    assert result.exit_code == 0, result.output
    rows = {row["bot"]: row for row in json.loads(result.stdout)}
    assert rows["search:2"]["games"] == 4 and rows["random"]["rating"] == [0, 0, 0]
    result = CliRunner().invoke(main, [*arguments, "--file", str(tmp_path / "x"), "--cores", "1"])
    standings = ladder.compute_standings(read_games(tmp_path / "x"))
    assert result.stdout.splitlines() == [ladder.standing_line(standing) for standing in standings]
    unknown = CliRunner().invoke(main, [*arguments, "--bots", "jester", "--file", str(tmp_path / "x")])
    assert unknown.exit_code == 1 and "sealed_bids has no bot 'jester'" in unknown.output
    rejected = CliRunner().invoke(main, [*arguments, "--players", "9"])
    assert rejected.exit_code and "not 9" in rejected.output


def test_a_file_has_the_same_tokens_in_every_version_of_python():
    """An f-string is several tokens from Python 3.12 on, and one before."""
    source = (
        '"""A docstring."""\n\nfirst = f"{1:>{2}}" + "b"  # a comment\n'
        'second = f"""{first}\n{first!r}"""\nf"{third}"\n\n"a statement"\n'
    )
    assert strip_comments(source).split("\n") == [
        *("first", "=", 'f"{1:>{2}}"', "+", '"b"', "NEWLINE"),
        *("second", "=", 'f"""{first}', '{first!r}"""', "NEWLINE"),
        "",
    ]
