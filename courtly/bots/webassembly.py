"""A game as WebAssembly with the search of its bots, for programs in JavaScript."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any

from courtly.bots import turn_plan
from courtly.bots.registry import BOT_LEVELS, FALLBACK_SIMULATIONS, is_search_bot, search_simulations
from courtly.bots.search import search
from courtly.bots.search.probability_calibration import load_trust
from courtly.bots.search.tree import EDGE_WIDTH, NODE_WIDTH, TALLIES
from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native.webassembly.module_compiler import (
    NUMBER,
    NUMBERS,
    ROWS,
    STATE,
    STATES,
    EntryPointSignature,
    WebAssemblyModule,
    compile_webassembly,
    list_entry_points,
)
from courtly.engine.rng import GENERATOR_SIZE

EQUIVALENTS_FILE = Path(__file__).parent / "browser_levels.json"
SEARCH_ENTRY_POINT = EntryPointSignature(
    search.TREE_DRIVER, "search", (STATES, ROWS, ROWS, NUMBER, NUMBER, NUMBER, *[NUMBERS] * 12)
)
SOLUTION_ENTRY_POINT = EntryPointSignature(
    search.EXACT_DRIVER, "solve_decision", (STATE, NUMBER, NUMBERS, NUMBERS, NUMBERS)
)

CONTINUATION_ENTRY_POINT = EntryPointSignature(
    "courtly.bots.continuation_driver",
    "continue_match",
    (STATES, NUMBER, NUMBER, NUMBER, NUMBERS, NUMBERS, NUMBERS, ROWS),
)
PLAN_ENTRY_POINT = EntryPointSignature(
    turn_plan.DRIVER, "continue_turn", (STATES, NUMBER, NUMBER, NUMBER, NUMBERS, NUMBERS, NUMBERS)
)
POLICY_ENTRY_POINT = EntryPointSignature(
    "courtly.bots.policy", "choose_move", (STATE, NUMBER, NUMBERS, NUMBER, NUMBERS, NUMBERS)
)


def compile_with_search(game: Game) -> WebAssemblyModule:
    """Compile a game's rules and the search of its bots to one module: `search` of tree.py; for a game whose policy
    computes decisions exactly, `solve_decision` of exact_driver.py instead; `choose_move` of policy.py; and for the
    reasons of hints `continue_match` of continuation_driver.py and, if they can have plans, `continue_turn` of
    turn_driver.py.

    Returns:
        The module. Its description has what `describe_search` returns as `search`.

    Raises:
        DialectError, RulesError, ObjectFileError, CompilerUnavailableError: As `compile_webassembly`.
    """
    entry_point = SOLUTION_ENTRY_POINT if _has_solution(game) else SEARCH_ENTRY_POINT
    plan = (PLAN_ENTRY_POINT,) if turn_plan.has_plans(game) else ()
    more = (entry_point, POLICY_ENTRY_POINT, CONTINUATION_ENTRY_POINT, *plan)
    module = compile_webassembly(game, (*list_entry_points(game), *more))
    return module._replace(description={**module.description, "search": describe_search(game)})


def browser_bot(game: Game, level: str) -> str:
    """Return the bot that plays a level where Python is missing: the same search, or for a page and a squire of the
    game's own a search or a policy that is as strong (browser_levels.json)."""
    if is_search_bot(game, level):
        return f"search:{search_simulations(game, level)}"
    equivalents: dict[str, dict[str, str]] = json.loads(EQUIVALENTS_FILE.read_text(encoding="utf-8"))["levels"]
    return equivalents[game.id][level] if game.id in equivalents else f"search:{FALLBACK_SIMULATIONS[level]}"


def _has_solution(game: Game) -> bool:
    """Return True if the game's policy computes decisions exactly, so that no tree is needed."""
    return hasattr(game.policy, "solve")


def describe_search(game: Game) -> dict[str, Any]:
    """Return what a caller of the search needs to know, as JSON.

    Returns:
        A dictionary with `levels`, the name of the bot of each level (`browser_bot`); `trust`, for each number of
        players the power that calibrates chances (probability_calibration.py); `counted`, the names of what players
        count, and `parts`, of what the first consists of; `secret_phases`, in which the others' decisions are open when
        chances are counted; `follows`, 1 if the policy can continue a match; and `weights_length`, of the row
        `weights`. For a game whose policy computes decisions exactly, also `certainty`, the number that stands for a
        chance of 1; the `lengths` of the rows `moves` and `out`; for the row `notes`, whose first number is its length,
        `notes_per_simulation`, and the most, `max_notes`; and if hints can have plans, `aims`, the first of the moves
        that a turn is played for and their number. For others

        - `lengths`: the length of each row that does not depend on the number of simulations. The others: `nodes` has
          `node_width` numbers times a power of two above 2 * simulations, `moved` up to `edge_width` * simulations *
          most legal moves, but at most `max_moved`, and `wins` `max_seats` numbers and one for each legal move. All
          but `moved` and `habits` begin with zeros;
        - `settings`: the numbers of `dials`, by name, in this order;
        - `masks`: for each seat the bytes of its row of `masks`, in hexadecimal: the bits of a record that it sees;
        - `reward_scale`: the best reward.

        `states` are two records, the first of which is the position; `words` are the same bytes as rows of 64-bit
        numbers. Results, by the number of the legal move: `moved[edge_width * move]` is how often it was made, and the
        number behind it the sum of rewards. `wins` has each seat's victories in 60ths, and from `max_seats` on the
        searching seat's by move.
    """
    common: dict[str, Any] = {
        "levels": {name: browser_bot(game, name) for name in BOT_LEVELS},
        "counted": list(game.counted),
        "parts": list(game.parts),
        "secret_phases": list(game.secret_phases),
        "follows": int(hasattr(game.policy, "priors")),
        "weights_length": game.room + POLICY_NOTES_LENGTH,
        "trust": {str(players): load_trust(game, players) for players in game.players},
    }
    if _has_solution(game):
        return common | {
            "certainty": search.CERTAINTY,
            "lengths": {"moves": game.room, "out": game.room + MAX_SEATS},
            **({"aims": [aims.start, len(aims)]} if (aims := turn_plan.find_aims(game)) else {}),
            "notes_per_simulation": search.NOTES_PER_SIMULATION,
            "max_notes": search.MAX_NOTES,
        }
    masks: Any = search._word_masks(game).tolist()  # its own: the search and this description must agree
    settings = search.load_search_settings(game)
    return common | {
        "lengths": {
            "rng": GENERATOR_SIZE,
            "moves": game.room,
            "weights": common["weights_length"],
            "gains": MAX_SEATS,
            "habits": 3 * MAX_SEATS * game.moves.count,
            "path": 2 * search.MAX_TREE_DEPTH,
            "done": search.MAX_LEARNED_DECISIONS,
            "tally": TALLIES,
            "dials": len(settings),
        },
        "node_width": NODE_WIDTH,
        "edge_width": EDGE_WIDTH,
        "max_moved": search.MAX_MOVE_NUMBERS,
        "settings": settings._asdict(),
        "masks": [array("q", row).tobytes().hex() for row in masks],
        "reward_scale": search.REWARD_SCALE,
    }
