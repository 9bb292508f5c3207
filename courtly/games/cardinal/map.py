"""The board as data: reading, checks, and the tables that the rules use.

A board is a JSON file of the format `cardinal-board/1`. board.json is one; its `provenance` says what of it is
reconstructed. Any other file of that format can replace it: the rules do not depend on the numbers of countries, sites,
roads, alliances or colours. outline.json, with the coasts and borders, is optional: without it, countries are drawn
around their sites.

    python -m courtly.games.cardinal.map FILE        checks a file and prints the line that breaks a rule
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from json.scanner import py_make_scanner  # type: ignore[attr-defined]  # not in the type stubs
from pathlib import Path
from typing import Any

from courtly.engine.errors import CourtlyError

SCHEMA = "cardinal-board/1"
PLAYERS = 5  # the most seats
FEWEST = 3
HAND = 3  # cards in a hand
OPEN = 2  # open cards
REMOVED = (0, 0, 0, 2, 1, 0)  # cards of each colour that are left out, by the number of players
MAX_ITEMS = 120  # of sites, countries and alliances: their numbers are stored in one byte
KINDS = ("internal", "border", "sea")
DRAWINGS = ("square", "dashed")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class InvalidBoardError(CourtlyError, ValueError):
    """A board file that breaks a rule. `line` is the first such line, counted from 1."""

    def __init__(self, line: int, why: str):
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class Item(dict[str, Any]):
    """A JSON object that knows the line where it begins."""

    line = 1


class _Reader(json.JSONDecoder):
    parse_object: Callable[..., tuple[dict[str, Any], int]]

    def __init__(self) -> None:
        super().__init__()
        plain = self.parse_object

        def parse(place: tuple[str, int], *rest: Any) -> tuple[Item, int]:
            found, end = plain(place, *rest)
            item = Item(found)
            item.line = place[0].count("\n", 0, place[1]) + 1
            return item, end

        self.parse_object = parse
        self.scan_once = py_make_scanner(self)


def read(text: str) -> Item:
    """Return the checked content of a board file. Raises InvalidBoardError for the first line that breaks a rule."""
    try:
        board = _Reader().decode(text)
    except json.JSONDecodeError as wrong:
        raise InvalidBoardError(wrong.lineno, f"not JSON: {wrong.msg}") from None
    if not isinstance(board, Item):
        raise InvalidBoardError(1, "a board is a JSON object")
    check(board)
    return board


# --- checks -----------------------------------------------------------------------------------------------------------


def need(item: Item, what: str, **keys: type) -> None:
    """Raise InvalidBoardError unless the item has these keys, with values of these types."""
    for key, kind in keys.items():
        if key not in item:
            raise InvalidBoardError(item.line, f"{what} has no {key!r}")
        if not isinstance(item[key], kind) or isinstance(item[key], bool):
            raise InvalidBoardError(
                item.line, f"{what}: {key!r} must be {'a number' if kind is int else kind.__name__}, not {item[key]!r}"
            )


def items(board: Item, key: str) -> list[Item]:
    found = board.get(key)
    if not isinstance(found, list) or not found or not all(isinstance(item, Item) for item in found):
        raise InvalidBoardError(board.line, f"{key!r} must be a list of objects, and not empty")
    if len(found) > MAX_ITEMS:
        raise InvalidBoardError(found[MAX_ITEMS].line, f"more than {MAX_ITEMS} {key}")
    return found


def named(board: Item, key: str, what: str) -> dict[str, Item]:
    """Return the items of a list by their ids, which must be valid and unique."""
    found: dict[str, Item] = {}
    for item in items(board, key):
        need(item, what, id=str)
        if not WORD.fullmatch(item["id"]):
            raise InvalidBoardError(
                item.line, f"{what} id {item['id']!r}: letters, digits and _, beginning with a letter"
            )
        if item["id"] in found or item["id"] == "none":
            raise InvalidBoardError(item.line, f"{what} {item['id']!r} is named twice or is called none")
        found[item["id"]] = item
    return found


def known(item: Item, key: str, those: dict[str, Item], what: str) -> None:
    if item.get(key) not in those:
        raise InvalidBoardError(item.line, f"{key!r}: there is no {what} {item.get(key)!r}")


def on_map(board: Item, place: Any, what: str, line: int) -> None:
    size = board["map_size"]
    if not (
        isinstance(place, dict)
        and all(
            isinstance(place.get(k), (int, float)) and 0 <= place[k] <= size[limit]
            for k, limit in (("x", "w"), ("y", "h"))
        )
    ):
        raise InvalidBoardError(line, f"{what} must have an x and a y on a map of {size['w']} by {size['h']}")


def check(board: Item) -> None:
    """Raise InvalidBoardError unless all parts are well formed and consistent."""
    if board.get("schema") != SCHEMA:
        raise InvalidBoardError(board.line, f"'schema' must be {SCHEMA!r}, not {board.get('schema')!r}")
    need(board, "the board", map_size=dict)
    need(board["map_size"], "'map_size'", w=int, h=int)
    types = named(board, "card_types", "card type")
    countries = named(board, "countries", "country")
    sites = named(board, "sites", "site")
    check_cards(types, countries)
    check_countries(board, types, countries)
    check_sites(board, countries, sites)
    check_roads(board, sites)
    check_alliances(board, countries)


def check_countries(board: Item, types: dict[str, Item], countries: dict[str, Item]) -> None:
    for name, country in countries.items():
        need(country, f"country {name}", name_de=str, name_en=str, name_ja=str, site_count=int)
        known(country, "card_type", types, "card type")
        on_map(board, country.get("seal"), f"the seal of {name}", country.line)
        if name not in types[country["card_type"]].get("countries", ()):
            raise InvalidBoardError(
                country.line, f"country {name} has cards of type {country['card_type']}, which does not list it"
            )


def check_cards(types: dict[str, Item], countries: dict[str, Item]) -> None:
    for name, cards in types.items():
        need(cards, f"card type {name}", countries=list, count=int)
        if not cards["countries"]:
            raise InvalidBoardError(cards.line, f"card type {name} is good for no country")
        for country in cards["countries"]:
            if country not in countries:
                raise InvalidBoardError(cards.line, f"card type {name}: there is no country {country!r}")
            if countries[country].get("card_type") != name:
                raise InvalidBoardError(
                    cards.line,
                    f"card type {name} lists {country}, whose card type is {countries[country].get('card_type')}",
                )
        if not max(REMOVED) <= cards["count"] <= MAX_ITEMS:
            raise InvalidBoardError(
                cards.line, f"card type {name}: a count of {max(REMOVED)} to {MAX_ITEMS} cards, not {cards['count']}"
            )
    last = cards.line
    for players in range(FEWEST, PLAYERS + 1):
        total = sum(cards["count"] - REMOVED[players] for cards in types.values())
        if not HAND * players + OPEN + HAND < total <= MAX_ITEMS:
            raise InvalidBoardError(
                last,
                f"{total} cards for {players} players: "
                f"there must be more than {HAND * players + OPEN + HAND} and at most {MAX_ITEMS}",
            )


def check_sites(board: Item, countries: dict[str, Item], sites: dict[str, Item]) -> None:
    count = dict.fromkeys(countries, 0)
    for name, site in sites.items():
        known(site, "country", countries, "country")
        need(site, f"site {name}", name=str)
        on_map(board, site, f"site {name}", site.line)
        count[site["country"]] += 1
    for name, country in countries.items():
        if not 0 < count[name] == country["site_count"]:
            raise InvalidBoardError(
                country.line,
                f"country {name} says {country['site_count']} sites and has {count[name]}; it needs at least one",
            )


def check_roads(board: Item, sites: dict[str, Item]) -> None:
    found: set[frozenset[str]] = set()
    for road in items(board, "roads"):
        for end in ("a", "b"):
            if road.get(end) not in sites:
                raise InvalidBoardError(road.line, f"a road to nowhere: there is no site {road.get(end)!r}")
        pair = frozenset((road["a"], road["b"]))
        if len(pair) == 1:
            raise InvalidBoardError(road.line, f"a road from {road['a']} to itself")
        if pair in found:
            raise InvalidBoardError(road.line, f"the road {road['a']}-{road['b']} is there twice")
        found.add(pair)
        if road.get("kind") not in KINDS:
            raise InvalidBoardError(road.line, f"a road's kind is one of {', '.join(KINDS)}, not {road.get('kind')!r}")
        if (road["kind"] == "internal") != (sites[road["a"]]["country"] == sites[road["b"]]["country"]):
            raise InvalidBoardError(
                road.line, f"the road {road['a']}-{road['b']} is internal just if both ends are in one country"
            )


def check_alliances(board: Item, countries: dict[str, Item]) -> None:
    numbers: set[int] = set()
    found: set[frozenset[str]] = set()
    for alliance in items(board, "alliances"):
        need(alliance, "an alliance", number=int)
        what = f"alliance {alliance['number']}"
        for end in ("a", "b"):
            known(alliance, end, countries, "country")
        pair = frozenset((alliance["a"], alliance["b"]))
        if len(pair) == 1:
            raise InvalidBoardError(alliance.line, f"{what} joins {alliance['a']} to itself")
        if alliance["number"] in numbers:
            raise InvalidBoardError(alliance.line, f"{what} is there twice")
        if pair in found:
            raise InvalidBoardError(alliance.line, f"{what}: {alliance['a']} and {alliance['b']} are allied twice")
        numbers.add(alliance["number"])
        found.add(pair)
        if alliance.get("drawing") not in DRAWINGS:
            raise InvalidBoardError(
                alliance.line, f"{what}: 'drawing' is one of {', '.join(DRAWINGS)}, not {alliance.get('drawing')!r}"
            )
        on_map(board, alliance.get("label"), f"the label of {what}", alliance.line)


# --- tables for the rules ---------------------------------------------------------------------------------------------


def padded(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the rows padded with -1 to the same length."""
    longest = max(1, *map(len, rows))
    return tuple(tuple(row + [-1] * (longest - len(row))) for row in rows)


BOARD = read(Path(__file__).with_name("board.json").read_text("utf-8"))
OUTLINE = Path(__file__).with_name("outline.json")
# the data for the browser
COMPONENTS = {**BOARD, "outline": json.loads(OUTLINE.read_text("utf-8")) if OUTLINE.exists() else None}

TYPES = tuple(item["id"] for item in BOARD["card_types"])
COUNTRIES = tuple(item["id"] for item in BOARD["countries"])
_SITES = [item for country in COUNTRIES for item in BOARD["sites"] if item["country"] == country]
SITES = tuple(item["id"] for item in _SITES)  # in the order of countries
_PACTS = sorted(BOARD["alliances"], key=lambda item: item["number"])
ALLIANCES = tuple(str(item["number"]) for item in _PACTS)  # in the order of their numbers

COUNT = tuple(item["count"] for item in BOARD["card_types"])  # cards of each colour with five players
TYPE_OF = tuple(TYPES.index(item["card_type"]) for item in BOARD["countries"])
COUNTRY_OF = tuple(COUNTRIES.index(item["country"]) for item in _SITES)
FIRST = tuple(COUNTRY_OF.index(country) for country in range(len(COUNTRIES)))  # a country's sites: FIRST to END - 1
END = tuple(FIRST[country] + COUNTRY_OF.count(country) for country in range(len(COUNTRIES)))
_NEAR: list[list[int]] = [[] for _ in SITES]
for _road in BOARD["roads"]:
    _a, _b = SITES.index(_road["a"]), SITES.index(_road["b"])
    _NEAR[_a].append(_b)
    _NEAR[_b].append(_a)
NEAR = padded(_NEAR)  # the sites at the other ends of a site's roads
DEGREE = tuple(len(row) for row in _NEAR)
PARTNERS = tuple((COUNTRIES.index(item["a"]), COUNTRIES.index(item["b"])) for item in _PACTS)
_PACTS_OF = [[k for k, pair in enumerate(PARTNERS) if country in pair] for country in range(len(COUNTRIES))]
PACTS_OF = padded(_PACTS_OF)  # the alliances of a country
PACTS = tuple(len(row) for row in _PACTS_OF)


if __name__ == "__main__":
    for _name in sys.argv[1:]:
        try:
            read(Path(_name).read_text("utf-8"))
        except InvalidBoardError as _wrong:
            sys.exit(f"{_name}, {_wrong}")
