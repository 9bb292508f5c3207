"""Play the games of golden/ again: `python tests/golden_again.py`, after a change of rules and `version`."""

from pathlib import Path

import courtly
from courtly.bots.registry import find_bot
from courtly.engine.rng import make_generator
from courtly.engine.transcript import write_record

GOLDEN = Path(__file__).parent / "golden"
GAMES = {f"players-{n}": (n, {}) for n in (2, 3, 4, 5)} | {"brief": (3, {"rounds": 6}), "frugal": (4, {"dice": 4})}

for name, (players, options) in GAMES.items():
    match = courtly.new_match("levee", players, seed=players, options=options)
    choose, rng = find_bot(match.game, "heuristic"), make_generator(players)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, choose(match.game, match.view(seat), rng))
    GOLDEN.mkdir(exist_ok=True)
    (GOLDEN / f"{name}.jsonl").write_text(write_record(match), encoding="utf-8")
