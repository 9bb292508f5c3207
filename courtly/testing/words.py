"""Every word of a game: its catalogues parse, agree between languages, and say everything that can be asked of them,
and nothing else. Each function raises AssertionError where that is not so."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from courtly.engine.game import Game

LANGUAGES = ("en", "ja")


class _Variables(Visitor):
    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.found.add(node.id.name)


@cache
def catalogue(folder: Path, language: str) -> dict[str, set[str]]:
    """id or id.attribute -> names of its variables"""
    texts: dict[str, set[str]] = {}
    resource = FluentParser().parse((folder / f"{language}.ftl").read_text(encoding="utf-8"))
    for entry in resource.body:
        if isinstance(entry, ast.Junk):
            raise AssertionError(f"{folder.name}/{language}.ftl cannot be read: {(entry.content or '')[:80]}")
        if isinstance(entry, ast.Message):
            for part, pattern in [("", entry.value), *((f".{a.id.name}", a.value) for a in entry.attributes)]:
                if pattern is not None:
                    assert entry.id.name + part not in texts, f"{entry.id.name} is said twice"
                    variables = _Variables()
                    variables.visit(pattern)
                    texts[entry.id.name + part] = variables.found
    return texts


def _plain(variables: set[str]) -> set[str]:
    """`$card_id` says which `$card` it is: a language may need it or not."""
    return {name.removesuffix("_id") for name in variables}


def the_languages_say_the_same(folder: Path) -> None:
    first, *others = (catalogue(folder, language) for language in LANGUAGES)
    for language, other in zip(LANGUAGES[1:], others, strict=True):
        only = sorted(first.keys() ^ other.keys())
        assert not only, f"{LANGUAGES[0]}.ftl or {language}.ftl alone has {', '.join(only)}"
        for name in first:
            assert _plain(first[name]) == _plain(other[name]), f"{name} has other variables in {language}.ftl"


def said_by_contract(game: Game) -> dict[str, set[str]]:
    """id -> the variables it gets, for every text that the shell asks of a game."""
    texts: dict[str, set[str]] = {game.id: set()}
    for verbs, is_chance in ((game.moves.describe(chance=False), False), (game.moves.describe(chance=True), True)):
        for verb, about in verbs.items():
            args = {name + end for name in about["args"] for end in ("", "_id")}
            texts[f"{game.id}-do-{verb}"] = args
            texts[f"{game.id}-do-{verb}.log"] = args if is_chance else args | {"name"}
            for name, axis in about["args"].items():
                texts |= {f"{game.id}-{name}-{value}": set() for value in axis["values"] if isinstance(value, str)}
    texts |= {f"{game.id}-do-{word}.hidden": {"name"} for word in game.moves.hidden.values()}
    for option, values in game.options.items():
        texts[f"{game.id}-option-{option}"] = set()
        texts |= {f"{game.id}-option-{option}.value-{value}": set() for value in values}
    texts |= {f"{game.id}-preset-{preset}": set() for preset in game.presets}
    texts |= {f"{game.id}-refusal-{reason}": set() for reason in game.refusals}
    return texts


def everything_is_said(game: Game, language: str) -> None:
    texts = catalogue(game.folder, language)
    asked = said_by_contract(game)
    verbs = game.moves.describe(chance=False)
    for text, variables in asked.items():
        # an event may leave its telling to a glyph
        optional = text.endswith(".log") and text.removeprefix(f"{game.id}-do-").removesuffix(".log") not in verbs
        assert text in texts or optional, f"{language}.ftl does not say {text}"
        assert texts.get(text, set()) <= variables, f"{text} uses a variable that it does not get"


def _literals(source: str) -> set[str]:
    """Patterns of the strings in a module: what stands for `${…}` may be anything."""
    found = re.findall(r'"([a-z][\w.-]*)"', source) + re.findall(r"`([a-z][^`\n]*)`", source)
    return {re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(text)) for text in found}


def nothing_is_said_in_vain(game: Game) -> None:
    board = "".join(path.read_text(encoding="utf-8") for path in sorted((game.folder / "board").glob("*.js")))
    used = re.compile("|".join(_literals(board)) or "$^")
    known = said_by_contract(game).keys()
    for text in catalogue(game.folder, LANGUAGES[0]):
        base = text.split(".")[0]
        by_shell = text in known or base in known and text.endswith((".tagline", ".hidden", ".help"))
        assert by_shell or not board or used.fullmatch(text), f"nothing says {text}"


JAPANESE = r"[\u3040-\u30ff\u4e00-\u9fff\uff01-\uff60]"
HALF = re.compile(rf"(?<={JAPANESE})[~+!?,:;()](?!\w*[=:])|[~+!?,:;()](?={JAPANESE})")


def signs_are_as_wide_as_letters(folder: Path) -> None:
    """Those beside Japanese."""
    found: list[Any] = []
    for file in (folder / "ja.ftl", folder / "rules.ja.md"):
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        found += [
            f"{file.name}, line {number}: {line.strip()}"
            for number, line in enumerate(lines, 1)
            if not line.startswith("#") and HALF.search(re.sub(r"\{[^}]*\}|\[[^\]]*\]\([^)]*\)", "", line))
        ]
    assert not found, found
