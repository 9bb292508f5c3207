"""An analysed game as text, in the reader's language, from the catalogues that the browser uses too."""

from __future__ import annotations

import locale
from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from pathlib import Path
from typing import Any

from courtly.bots.shares import round_to_percents, shares_to_percents, to_percent
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import Game
from courtly.engine.schemas import Move
from courtly.i18n.catalog import Catalog
from courtly.review.schemas import Decision, ExaminedMove, Review

SEAT_DEVICES = ("lion", "eagle", "lily", "tower", "boar", "stag")  # coats of arms, for unnamed seats


def detect_language() -> str:
    """Return the language of the operating system's locale, or the first of LANGUAGES."""
    locale_name = locale.getlocale()[0] or ""
    return next((language for language in LANGUAGES if locale_name.startswith(language)), LANGUAGES[0])


class GameTexts(Catalog):
    """The texts of the shell and of a game in one language."""

    def __init__(self, game: Game, language: str, *folders: Path):
        super().__init__(language, game.folder, *folders)
        self.game = game
        self.kinds = game.moves.describe(chance=False) | game.moves.describe(chance=True)
        self.components = game.owned.describe(chance=False)

    def move(self, move: Move, names: Sequence[str]) -> str:
        """Return the text of the button with this move."""
        return self.format(f"{self.game.id}-do-{move['verb']}", **self._args(self.kinds, move, names))

    def describe_move(self, seat: int, move: Move, names: Sequence[str]) -> str:
        """Return the log's text for a move; if it has none, the text of its button."""
        return self.log(seat, move, names) or self.move(move, names)

    def log(self, seat: int, move: Move, names: Sequence[str]) -> str:
        """Return the log's text for a move or event with all its arguments; "" if it has none."""
        text = f"{self.game.id}-do-{move['verb']}"
        text += ".open" if self.has(f"{text}.open") else ".log"
        player_argument = {} if seat < 0 else {"name": names[seat]}
        return self.format(text, **player_argument, **self._args(self.kinds, move, names)) if self.has(text) else ""

    def describe_hidden_move(self, seat: int, verb: str, known_args: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return the log's text for an audience that may not see the move; "" if there is none. `known_args`: the
        arguments that it sees."""
        text = f"{self.game.id}-do-{verb}.hidden"
        player_argument = {} if seat < 0 else {"name": names[seat]}
        move: Move = {"id": -1, "verb": verb, "args": dict(known_args)}
        return (
            self.format(text, **player_argument, **(self._args(self.kinds, move, names) if known_args else {}))
            if self.has(text)
            else ""
        )

    def format_signed(self, n: int) -> str:
        """Return a number with its sign, formatted like in the browser."""
        return self.format("number-plus", n=n) if n > 0 else f"{n}".replace("-", "\N{MINUS SIGN}")

    def component_text(self, component: Move) -> str:
        """Return the name of a component that a seat owns at the end."""
        return self.format(f"{self.game.id}-owned-{component['verb']}", **self._args(self.components, component, ()))

    def _args(self, of: Mapping[str, Any], move: Move, names: Sequence[str]) -> dict[str, Any]:
        kinds, args = of[move["verb"]]["args"], {**move["args"], "times": 1}
        for name, value in move["args"].items():
            if kinds[name]["seat"]:
                args |= {name: names[value] if value < len(names) else str(value), f"{name}_id": value}
            elif isinstance(value, str):
                text = f"{self.game.id}-{name}-{value}"
                args |= {name: self.format(text) if self.has(text) else value, f"{name}_id": value}
        return args


def iter_review_lines(review: Review, game: Game, seat_names: Sequence[str], language: str) -> Iterator[str]:
    """Yield the lines of an analysed game as text. `seat_names`: the names of the seats, "" for seats without one."""
    words, many = GameTexts(game, language), len(review["decisions"])
    seats = range(review["players"])
    names = [seat_names[seat] or words.format(f"device-{SEAT_DEVICES[seat]}") for seat in seats]
    yield f"{words.format(game.id)}{words.format('colon')}" + words.format(
        "review-how", count=many, simulations=review["simulations"]
    )
    yield ""
    turning_points = [decision for decision in review["decisions"] if decision["turning"]]
    turning_points.sort(key=find_loss, reverse=True)
    yield words.format("review-turning") if turning_points else words.format("review-no-turning")
    for decision in turning_points:
        seat, best, played = decision["seat"], find_best_move(decision), decision["tallies"][decision["played"]]
        yield f"{decision['ply']:5}  " + words.format(
            "review-point", name=names[seat], played=words.move(played["move"], names)
        )
        yield " " * 7 + words.format(
            "review-better",
            better=words.move(best["move"], names),
            chance=(chance := to_percent(best["chances"][seat])),
            instead=(played_chance := to_percent(played["chances"][seat])),
            loss=chance - played_chance,
            error=to_percent(hypot(best["error"], played["error"])),
        )
    yield ""
    yield words.format("review-balance")
    begins, ends = (
        shares_to_percents([balance["begin"] for balance in review["balances"]]),
        shares_to_percents([balance["end"] for balance in review["balances"]]),
    )
    for seat, (balance, begin, end) in enumerate(zip(review["balances"], begins, ends, strict=True)):
        own_percent, others_percent, luck = round_to_percents(
            [balance[part] for part in ("choices", "others", "luck")], end - begin
        )
        yield "       " + words.format(
            "review-player",
            name=names[seat],
            begin=begin,
            choices=words.format_signed(own_percent),
            error=to_percent(balance["error"]),
            others=words.format_signed(others_percent),
            luck=words.format_signed(luck),
            end=end,
        )


def find_best_move(decision: Decision) -> ExaminedMove:
    """Return the best of the examined moves."""
    return max(decision["tallies"], key=lambda examined: examined["chances"][decision["seat"]])


def find_loss(decision: Decision) -> float:
    """Return what the player lost by not playing the best move."""
    played = decision["tallies"][decision["played"]]
    return find_best_move(decision)["chances"][decision["seat"]] - played["chances"][decision["seat"]]
