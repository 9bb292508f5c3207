"""The displayed strengths of bots come from stored games, which remain valid for changed code only if it plays the
same.
"""

import importlib
import json
import sys
from pathlib import Path

from courtly.bots.registry import STRENGTH_FILE
from courtly.engine.game import find_game
from courtly.lab.strength import ladder
from courtly.lab.strength.match_runner import hash_code, read_games

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))
strength = importlib.import_module("strength")


def test_displayed_strengths_match_the_stored_games(monkeypatch):
    monkeypatch.setattr(ladder, "estimate_ratings", lambda names, *_: [(0, 0, 0)] * len(names))  # slow, and not needed
    displayed = json.loads(STRENGTH_FILE.read_text("utf-8"))["shares"]
    for game, shares in displayed.items():
        games = read_games(strength.LADDER_FOLDER / f"{game}.jsonl")
        newest_games = [game_ for game_ in games if game_.code == games[-1].code]
        assert strength.strength_by_bot(ladder.compute_standings(newest_games)) == shares


def test_games_are_kept_if_the_code_plays_the_same(tmp_path, capsys):
    game, file = find_game("sealed_bids"), tmp_path / "games"
    pairings = [ladder.Pairing(2, bot, "squire", 6) for bot in ("page", "random")]
    games = ladder.play_ladder(game, pairings, strength.SEED, file, 1)
    older_games = [
        record._replace(code="before", scores=(0, 0) if "random" in record.bots else record.scores) for record in games
    ]
    file.write_text("".join(f"{json.dumps(record._asdict())}\n" for record in older_games), "utf-8")
    strength.adopt_games(game, file, 3, 1)
    assert read_games(file) == [record for record in games if "page" in record.bots] and games[0].code == hash_code(
        game
    )
    assert capsys.readouterr().out.splitlines() == [
        "sealed_bids, page squire: 3 replayed, 0 differ",
        "sealed_bids, random squire: 3 replayed, 3 differ",
    ]
