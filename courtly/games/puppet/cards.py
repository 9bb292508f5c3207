"""The numbers of the cards, from components.toml and tuned.toml, and from a file of the same format that
COURTLY_PUPPET_CARDS names, if it is set.

    python -m courtly.games.puppet.cards FILE       # check a file
"""

import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from courtly.engine.enums import NamedInt, NamedIntType
from courtly.engine.errors import CourtlyError


class Servant(NamedInt):
    ALCHEMIST, SMITH, COOK, REAPER, ELEPHANT, FOUNDATION, GENERAL, HERMIT, IMP, PRINCESS = range(10)


class Event(NamedInt):
    WAR, TAX, GRIMOIRE, CONSCRIPTION = range(4)


class Good(NamedInt):
    GOLD, FOOD, SOLDIER, HONOUR = range(4)


class Helped(NamedInt):
    """What a building can increase for its owner; servants have their own numbers here."""

    ALCHEMIST, SMITH, COOK, WAR, CONSCRIPTION = range(5)


BUILDINGS = (
    "palace",
    "treasury",
    "garden",
    "quarry",
    "arena",
    "botanic",
    "ranch",
    "cathedral",
    "barracks",
    "store",
    "weapon",
    "diner",
    "arch",
    "island",
    "forest",
    "black",
)
CATEGORIES = ("royal", "large", "general", "natural", "shadow")
BRINGS = {
    "alchemist": "gold",
    "smith": "soldier",
    "cook": "food",
    "elephant": "honour",
    "war": "honour",
    "grimoire": "gold",
    "conscription": "soldier",
}
MAX_GAIN = 20  # the most that a servant or an event can bring at once, all increases included
MAX_AMOUNT = 99  # the highest cost, tax or number of points

KEYS = {
    "servants": {"number", "gain", "reconstructed"},
    "events": {"number", "gain", "on", "reconstructed"},
    "buildings": {"number", "category", "cost", "tax", "points", "effect", "reconstructed"},
}
NAMES: dict[str, Sequence[str] | NamedIntType] = {"servants": Servant, "events": Event, "buildings": BUILDINGS}


class InvalidCardsError(CourtlyError, ValueError):
    """A file of cards that is inconsistent; the message names the file, the card and the number."""


def read(path: Path) -> dict[str, Any]:
    """Return a file of cards. Raises InvalidCardsError, which names all faults, or OSError if the file cannot be
    read."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise InvalidCardsError(f"{path}: {wrong}") from None
    found = list(_complaints(data))
    if found:
        raise InvalidCardsError("\n".join(f"{path}: {text}" for text in found))
    return data


def _complaints(data: Mapping[str, Any]) -> Iterator[str]:
    wrong = list(_shape(data))
    yield from wrong
    if wrong:
        return
    yield from _number(data["game"]["goal"], 1, MAX_AMOUNT, "game.goal")
    for name in BRINGS:
        part = "servants" if name in Servant else "events"
        yield from _gain(data[part][name].get("gain"), BRINGS[name], f"{part}.{name}.gain")
    if data["events"]["grimoire"].get("on") != "alchemist":
        yield "events.grimoire.on is not alchemist"
    for name, card in data["buildings"].items():
        yield from _building(card, f"buildings.{name}")
    if not wrong:
        yield from _sums(data)


def _shape(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault for each missing or unknown card."""
    for part in data.keys() - {"game", *NAMES}:
        yield f"[{part}] is not a part of this file"
    if not isinstance(data.get("game"), dict) or data["game"].keys() != {"goal"}:
        yield "[game] has the number goal, and nothing else"
    for part, names in NAMES.items():
        cards = data.get(part)
        if not isinstance(cards, dict):
            yield f"[{part}] is missing"
            continue
        if len(cards) != len(names):
            yield f"there are {len(cards)} {part}; the game has {len(names)}"
        for name in names:
            if not isinstance(cards.get(name), dict):
                yield f"{part}.{name} is missing"
        for name, card in cards.items():
            if name not in names:
                yield f"{part}.{name} is not a card of this game"
            elif isinstance(card, dict):
                yield from _keys(part, name, card)


def _keys(part: str, name: str, card: Mapping[str, Any]) -> Iterator[str]:
    for key in card.keys() - KEYS[part]:
        yield f"{part}.{name}.{key} is not known; {part} have {', '.join(sorted(KEYS[part]))}"
    marked = card.get("reconstructed", [])
    if not isinstance(marked, list) or not all(key in KEYS[part] for key in marked):
        yield f"{part}.{name}.reconstructed is a list of the numbers that no source gives"


def _number(value: Any, low: int, high: int, where: str) -> Iterator[str]:
    if not isinstance(value, int) or isinstance(value, bool):
        yield f"{where} is {value!r}, not a whole number"
    elif not low <= value <= high:
        yield f"{where} is {value}; it may be {low} to {high}"


def _gain(value: Any, good: str, where: str) -> Iterator[str]:
    if not isinstance(value, dict) or value.keys() != {good}:
        yield f"{where} is a number of {good}: {{ {good} = 1 }}, not {value!r}"
    else:
        yield from _number(value[good], 1, MAX_GAIN, f"{where}.{good}")


def _building(card: Mapping[str, Any], where: str) -> Iterator[str]:
    for key in ("cost", "tax"):
        amounts = card.get(key)
        if not isinstance(amounts, dict) or amounts.keys() - set(Good):
            yield f"{where}.{key} says how many of {', '.join(Good)}, not {amounts!r}"
            continue
        for good, amount in amounts.items():
            yield from _number(amount, 0, MAX_AMOUNT, f"{where}.{key}.{good}")
    yield from _number(card.get("points"), 0, MAX_AMOUNT, f"{where}.points")
    if card.get("category") not in CATEGORIES:
        yield f"{where}.category is {card.get('category')!r}, not one of {', '.join(CATEGORIES)}"
    effect = card.get("effect")
    if effect is None or effect == {"untaxed": True}:
        return
    if not isinstance(effect, dict) or effect.keys() != {"on", "gain"} or effect["on"] not in Helped:
        on = ", ".join(Helped)
        yield f"{where}.effect is {{ untaxed = true }}, or {{ on, gain }} with on one of {on}, not {effect!r}"
    else:
        yield from _gain(effect["gain"], BRINGS[effect["on"]], f"{where}.effect.gain")


def _sums(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault if a sum exceeds what a move can express."""
    try:
        for name in Helped:
            total = base(data, name) + sum(bonus(data, building, name) for building in BUILDINGS)
            if name == "alchemist":
                total += max(base(data, "grimoire"), base(data, name))
            if total > MAX_GAIN:
                yield f"{name}, with everything that helps, could bring {total}; at most {MAX_GAIN}"
    except (TypeError, KeyError, AttributeError):
        return  # the fault has been reported


def base(data: Mapping[str, Any], name: str) -> int:
    """Return what a servant or an event brings by itself."""
    return data["servants" if name in Servant else "events"][name]["gain"][BRINGS[name]]


def bonus(data: Mapping[str, Any], building: str, name: str) -> int:
    """Return what a building adds for its owner to what a servant or an event brings."""
    effect = data["buildings"][building].get("effect") or {}
    return effect["gain"][BRINGS[name]] if effect.get("on") == name else 0


def untaxed(data: Mapping[str, Any], building: str) -> int:
    """Return 1 if the owner of this building owes no tax, else 0."""
    return int((data["buildings"][building].get("effect") or {}).get("untaxed", False))


def amounts(data: Mapping[str, Any], key: str) -> tuple[tuple[int, ...], ...]:
    """Return the cost or the tax of every building, in the order of Good."""
    return tuple(tuple(data["buildings"][name][key].get(good, 0) for good in Good) for name in BUILDINGS)


OURS, OWN, TUNED = range(3)  # the sets of numbers: of this project, of the owner, tuned


def sets() -> dict[int, dict[str, Any]]:
    """Return the sets of numbers: those of this project, those of the owner if they are valid, and the tuned ones.
    Faults of the owner's file are printed to stderr."""
    found = {OURS: read(Path(__file__).with_name("components.toml"))}
    own = os.environ.get("COURTLY_PUPPET_CARDS")
    if own:
        try:
            found[OWN] = read(Path(own))
        except (InvalidCardsError, OSError) as wrong:
            print(f"COURTLY_PUPPET_CARDS is left aside:\n{wrong}", file=sys.stderr)
    return found | {TUNED: read(Path(__file__).with_name("tuned.toml"))}


def main(paths: list[str]) -> int:
    for path in paths:
        try:
            read(Path(path))
        except (InvalidCardsError, OSError) as wrong:
            print(wrong)
            return 1
        print(f"{path}: ten servants, four events, sixteen buildings; it holds together")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
