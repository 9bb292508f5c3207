"""Scenarios: TOML files beside a game's tests, each of which checks one situation of the rules.

    title = "A roll must be followed by keeping a die"
    source = "W15"                              # reference to the rulebook
    players = 2
    options = { first_player = 1 }              # optional

    [given]                                     # changes to the fields of a game after setup
    phase = "ACTING"                            # the name of a value, or a constant of the game's rules
    active = [6, 5, 2]                          # a row: the values of its axis, repeated by their counts
    owns.0 = ["laborer", "guard"]               # one row of a table
    mark = { count = 7, face = 2 }              # a row by the names of its axis

    [[step]]                                    # any number: moves are made first, then the conditions are checked
    do = ["0 keep 2, roll", "* die 6, die 5"]   # a seat (* for chance), then its moves, each legal when made
    legal = ["0 keep 6"]                        # legal now
    illegal = ["0 roll"]                        # not legal now
    choices = ["0 finish, add guard"]           # the complete list of legal moves
    refused = { "0 roll" = "keep-first" }       # not legal, for this reason
    expect = { kept = 0, aside = [2] }          # fields, written as in given; `pending` is a list of seats, or "chance"
    scores = [0, 849]                           # the game is over with these scores

A field, name, value or move that does not exist is an error. So is an impossible position: a module `position.py`
beside the scenarios may define `complete(state, given)`, which derives further fields from the given ones and raises
ValueError if they are contradictory.
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
    """Run the scenario in a file. Raises CheckFailedError, with the line, if it does not hold."""
    try:
        read_scenario(game, path).run()
    except (ScenarioError, UnknownMoveError, tomllib.TOMLDecodeError, OverflowError) as error:
        raise CheckFailedError([Finding(path, find_step_line(path, error), str(error))]) from error


def find_step_line(path: Path, error: Exception) -> int:
    """Return the line of a scenario or lesson file that an error refers to."""
    if line_match := re.search(r"at line (\d+)", str(error)):
        return int(line_match[1])
    step, key = getattr(error, "place", (0, ""))
    line = find_line(path, r"^\s*\[given" if not step else r"^\s*\[\[step")
    for _ in range(1, step):
        line = find_line(path, r"^\s*\[\[step", line + 1)
    return find_line(path, rf"^\s*{re.escape(key)}\b", line) if key else line
