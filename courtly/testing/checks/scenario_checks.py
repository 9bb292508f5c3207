"""Scenarios: one situation of a game each, in a TOML file beside its tests that reads like a sentence of the rulebook.

    title = "A roll must be followed by keeping a die"
    source = "W15"                              # where the rule comes from
    players = 2
    options = { first_player = 1 }              # optional

    [given]                                     # fields, on top of a game just set up
    phase = "ACTING"                            # a name of its numbers, or a constant of the game's rules
    active = [6, 5, 2]                          # a row: how often each value of its axis occurs
    owns.0 = ["laborer", "guard"]               # one row of a table
    mark = { count = 7, face = 2 }              # or by the values of the axis

    [[step]]                                    # as many as are needed: moves are made first, then all else is asked
    do = ["0 keep 2, roll", "* die 6, die 5"]   # who (a seat; * is chance), then moves, each legal when it is made
    legal = ["0 keep 6"]                        # these are legal now
    illegal = ["0 roll"]                        # these are not
    choices = ["0 finish, add guard"]           # exactly these are
    refused = { "0 roll" = "keep-first" }       # not legal, and this is the reason
    expect = { kept = 0, aside = [2] }          # fields, written as in given; `pending` is a list of seats, or "chance"
    scores = [0, 849]                           # the game is over with these

A field, name, value or move that does not exist is an error, and so is a position that cannot be: a game may have a
module `position.py` beside its scenarios with `complete(state, given)`, which fills in what follows from the named
fields and raises ValueError if the rest contradicts them.
"""

import re
import tomllib
from pathlib import Path

from courtly.engine.finding import Finding
from courtly.engine.game import Game
from courtly.engine.moves import UnknownMoveError
from courtly.engine.scenarios.files import read_scenario
from courtly.engine.scenarios.scenario import ScenarioError
from courtly.testing.failure_location import CheckFailedError, find_line


def check_scenario(game: Game, path: Path) -> None:
    """The scenario in a file, which holds: else CheckFailedError says which line of it does not."""
    try:
        read_scenario(game, path).run()
    except (ScenarioError, UnknownMoveError, tomllib.TOMLDecodeError, OverflowError) as wrong:
        raise CheckFailedError([Finding(path, find_step_line(path, wrong), str(wrong))]) from wrong


def find_step_line(path: Path, wrong: Exception) -> int:
    """The line of a file with steps in which that is wrong."""
    if at := re.search(r"at line (\d+)", str(wrong)):
        return int(at[1])
    step, key = getattr(wrong, "place", (0, ""))
    line = find_line(path, r"^\s*\[given" if not step else r"^\s*\[\[step")
    for _ in range(1, step):
        line = find_line(path, r"^\s*\[\[step", line + 1)
    return find_line(path, rf"^\s*{re.escape(key)}\b", line) if key else line
