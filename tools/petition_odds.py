"""Computes courtly/games/petition/odds.json: the probability that the best player meets each character's requirement by
rolling alone, for all dice set aside already.

`python tools/petition_odds.py` needs courtly[native].
"""

import json
import sys
from pathlib import Path

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.native.rows import make_row
from courtly.games.petition.dice import earned
from courtly.games.petition.odds import FILE, what_counts
from courtly.games.petition.solver import (
    CARDS,
    COUNT,
    FIRST,
    FREE,
    LIMIT,
    MOST,
    PAIRS,
    RESULT,
    TABLE,
    build,
    lay_out,
    rolled,
    work_out,
)
from courtly.games.petition.table import CHARACTERS, KINDS
from courtly.lab.provenance import source_commit

ENTRY_POINTS = ("prepare", "finish", "place")
CERTAINTY = 10**12
DIGITS = 6


def prepare(notes, dice):
    notes[FREE] = dice
    notes[LIMIT] = dice
    notes[CARDS] = 0
    build(notes, dice)


def finish(notes):
    lay_out(notes)
    work_out(notes)


def place(notes, dice):
    return rolled(notes, 0, dice, 0)


def odds_table() -> dict[str, dict[str, list[float]]]:
    """Return the probabilities by character, then by the relevant counts of the dice set aside: a list for 0, 1, 2, …
    dice to roll."""
    driver = loader.load_driver(find_game("petition"), driver="petition_odds")
    notes = make_row(TABLE + 2 + PAIRS[MOST] + FIRST[MOST + 1])
    notes[0] = len(notes)
    chances: dict[str, dict[str, list[float]]] = {}
    for card in range(KINDS):
        needs = CHARACTERS[card]["needs"]
        if not needs or "king" in needs:
            continue
        rows = chances[str(card)] = {}
        for dice in range(MOST + 1):
            driver.prepare(notes, dice)
            sets = [tuple(map(int, notes[COUNT + 6 * i : COUNT + 6 * i + 6])) for i in range(FIRST[dice + 1])]
            for i in range(FIRST[dice], FIRST[dice + 1]):
                notes[RESULT + i] = CERTAINTY * (earned(sets[i], (0,) * 6) >> card & 1)
            driver.finish(notes)
            place = driver.place(notes, dice)
            for i, aside in enumerate(sets):
                row, free = rows.setdefault(what_counts(card, aside), []), dice - sum(aside)
                if free == len(row):
                    row.append(round(int(notes[place + i]) / CERTAINTY, DIGITS))
                assert abs(row[free] - int(notes[place + i]) / CERTAINTY) < 10**-DIGITS, (card, aside, free)
    return chances


def main() -> None:
    content = {"made": "python tools/petition_odds.py", "commit": source_commit(), "chances": odds_table()}
    FILE.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
