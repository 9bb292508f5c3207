"""Checks of a game's texts: catalogues parse, agree between languages, and contain exactly the texts that are used.
Each function yields findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

import courtly
from courtly.engine.constants import LANGUAGES
from courtly.engine.finding import Finding
from courtly.engine.game import Game
from courtly.testing.checks import lesson_checks
from courtly.testing.failure_location import CheckFailedError

WEB_FOLDER = Path(courtly.__file__).parent / "web"


class _VariableVisitor(Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.names.add(node.id.name)


class CatalogText(NamedTuple):
    """A text: its line, its variables and its source."""

    line: int
    variables: set[str]
    text: str


def _line_number(source: str, node: ast.SyntaxNode) -> int:
    return source.count("\n", 0, node.span.start if node.span else 0) + 1


@cache
def read_catalog(folder: Path, language: str) -> dict[str, CatalogText]:
    """Return a catalogue's texts by id, or id.attribute. Raises CheckFailedError if the file is missing, has a syntax
    error or defines a text twice."""
    texts: dict[str, CatalogText] = {}
    findings: list[Finding] = []
    file = folder / f"{language}.ftl"
    if not file.exists():
        # the same text as the warning of Game.list_warnings, so that it is reported once
        raise CheckFailedError([Finding(file, 1, f"there is no {file.name}")])
    source = file.read_text(encoding="utf-8")
    for entry in FluentParser().parse(source).body:
        if isinstance(entry, ast.Junk):
            content = f"cannot be read: {(entry.content or '').partition(chr(10))[0]}"
            findings.append(Finding(file, _line_number(source, entry), content))
        if not isinstance(entry, ast.Message):
            continue
        parts: list[ast.Message | ast.Attribute] = [entry, *entry.attributes]
        for part in parts:
            if part.value is not None:
                text = entry.id.name if part is entry else f"{entry.id.name}.{part.id.name}"
                if text in texts:
                    findings.append(Finding(file, _line_number(source, part), f"{text} is defined twice"))
                variables = _VariableVisitor()
                variables.visit(part.value)
                span = part.value.span
                content = source[span.start : span.end] if span else ""
                texts[text] = CatalogText(_line_number(source, part), variables.names, content)
    if findings:
        raise CheckFailedError(findings)
    return texts


def _missing_text(folder: Path, language: str, text: str) -> Finding:
    """Return the finding for a missing text, at the line of its message or of the text that precedes it in another
    language."""
    texts, before = read_catalog(folder, language), ""
    for other in LANGUAGES:
        if text in read_catalog(folder, other):
            for name in read_catalog(folder, other):
                if name == text:
                    break
                before = name if name in texts else before
    neighbour = texts.get(text.split(".")[0]) or texts.get(before)
    line = neighbour.line if neighbour else max((neighbour.line for neighbour in texts.values()), default=1)
    return Finding(folder / f"{language}.ftl", line, f"{text} is missing")


def _plain(variables: set[str]) -> set[str]:
    """Return the variables without the suffix `_id`, since languages may use `$card_id` or only `$card`."""
    return {name.removesuffix("_id") for name in variables}


def find_untranslated(folder: Path) -> Iterator[Finding]:
    """Yield texts that only one language has, or whose variables differ."""
    first = read_catalog(folder, LANGUAGES[0])
    for language in LANGUAGES[1:]:
        other = read_catalog(folder, language)
        for name in first.keys() - other.keys():
            yield _missing_text(folder, language, name)
        for name in other.keys() - first.keys():
            yield _missing_text(folder, LANGUAGES[0], name)
        for name in first.keys() & other.keys():
            if _plain(first[name].variables) != _plain(other[name].variables):
                problem = f"{name} has other variables than in {LANGUAGES[0]}.ftl"
                yield Finding(folder / f"{language}.ftl", other[name].line, problem)


def required_texts(game: Game) -> dict[str, set[str]]:
    """Return the variables of every text that the web interface asks of a game, by id."""
    texts: dict[str, set[str]] = {game.id: set()}
    described_moves = game.moves.describe(chance=False).values()
    move_args = {name + end for move in described_moves for name in move["args"] for end in ("", "_id")}
    for verbs, is_chance in ((game.moves.describe(chance=False), False), (game.moves.describe(chance=True), True)):
        for verb, description in verbs.items():
            args = {"times"} | {name + end for name in description["args"] for end in ("", "_id")}
            texts[f"{game.id}-do-{verb}"] = args
            for prefix in ("log", "open"):
                texts[f"{game.id}-do-{verb}.{prefix}"] = args if is_chance and prefix == "open" else args | {"name"}
            if is_chance:
                texts |= {f"{game.id}-do-{verb}.several": {"list"}, f"{game.id}-do-{verb}.item": args}
                texts[f"{game.id}-do-{verb}.joined"] = args | move_args | {"name"}
                texts[f"{game.id}-do-{verb}.joined-hidden"] = move_args | {"name"}
            for name, axis in description["args"].items():
                texts |= {f"{game.id}-{name}-{value}": set() for value in axis["values"] if isinstance(value, str)}
            if public_args := game.moves.public_args[verb]:
                texts[f"{game.id}-do-{verb}.hidden"] = {
                    name + end for name in ("name", "times", *public_args) for end in ("", "_id")
                }
    texts |= {f"{game.id}-do-{word}.hidden": {"name"} for word in game.moves.hidden.values()}
    for option, values in game.options.items():
        texts[f"{game.id}-option-{option}"] = set()
        texts |= {f"{game.id}-option-{option}.value-{value}": set() for value in values}
    texts |= {f"{game.id}-preset-{preset}": set() for preset in game.card["presets"]}  # also presets that are left out
    texts |= {f"{game.id}-refusal-{reason}": set() for reason in game.refusals}
    texts |= lesson_checks.lesson_texts(game)
    for kind, description in game.owned.describe(chance=False).items():
        texts[f"{game.id}-owned-{kind}"] = {name + end for name in description["args"] for end in ("", "_id")}
        for name, axis in description["args"].items():
            texts |= {f"{game.id}-{name}-{value}": set() for value in axis["values"] if isinstance(value, str)}
    texts[standing_text_id(game)] = {"points", "tens", "ones"}
    texts |= {f"{game.id}-part-{name}": set() for name in game.parts}
    logged_names = [name for logged in game.logged for name in logged.names]
    texts |= {f"{game.id}-counted-{name}": {"n", "many"} for name in (*game.counted, *logged_names)}
    return texts


def standing_text_id(game: Game) -> str:
    """Return the id of the optional text that shows a seat's standing instead of its plain points."""
    return f"{game.id}-standing"


def find_missing_texts(game: Game, language: str) -> Iterator[Finding]:
    """Yield texts that the web interface or the board needs and this language lacks, and undefined variables."""
    texts = read_catalog(game.folder, language)
    required = required_texts(game)
    verbs = game.moves.describe(chance=False)
    for text, variables in required.items():
        # optional: the log of an event, which may show an icon; the text for games without hidden information; the text
        # of many events at once, whose items are then needed
        optional = text.endswith(".log") and text.removeprefix(f"{game.id}-do-").removesuffix(".log") not in verbs
        optional |= text.endswith((".open", ".several", ".joined", ".joined-hidden")) or text == standing_text_id(game)
        optional |= text.endswith(".item") and f"{text.removesuffix('.item')}.several" not in texts
        optional |= text in lesson_checks.lesson_texts(game) and text.endswith(".other")
        if text not in texts:
            if not optional:
                yield _missing_text(game.folder, language, text)
        elif undefined := texts[text].variables - variables:
            names = ", ".join(f"${name}" for name in sorted(undefined))
            yield Finding(
                game.folder / f"{language}.ftl", texts[text].line, f"{text} uses {names}, which is not provided"
            )


SECOND_PERSON = re.compile(r"\b[Yy]ou(r|rs)?\b|あなた")


def find_second_person(game: Game, language: str) -> Iterator[Finding]:
    """Yield texts of the log in the second person: it names players, the reader too."""
    texts = read_catalog(game.folder, language)
    for verb in game.moves.describe(chance=False).keys() | game.moves.describe(chance=True).keys():
        base_id = f"{game.id}-do-{verb}"
        for name in (f"{base_id}.{kind}" for kind in ("log", "hidden", "open", "joined", "joined-hidden", "several")):
            if name in texts and SECOND_PERSON.search(texts[name].text):
                problem = f"{name} addresses one player: the log names players"
                yield Finding(game.folder / f"{language}.ftl", texts[name].line, problem)


def find_unknown_texts(game: Game) -> Iterator[Finding]:
    """Yield texts that the board uses and no catalogue has."""
    defined = read_catalog(game.folder, LANGUAGES[0]).keys() | read_catalog(WEB_FOLDER, LANGUAGES[0]).keys()
    for path in board_modules(game):
        source = path.read_text(encoding="utf-8")
        for use in re.finditer(r"""\bt\(\s*("[^"\n]*"|`[^`\n]*`)""", source):
            pattern = re.compile("|".join(_string_patterns(use[1])))
            if not any(map(pattern.fullmatch, defined)):
                line = source.count("\n", 0, use.start(1)) + 1
                yield Finding(path, line, f"{use[1]} is used but not defined")


def board_modules(game: Game) -> list[Path]:
    """Return the JavaScript modules of the board."""
    return sorted((game.folder / "board").rglob("*.js"))


def _string_patterns(source: str) -> set[str]:
    """Return patterns of the strings in a module; `${…}` matches anything."""
    strings = re.findall(r'"([a-z][\w.-]*)"', source) + re.findall(r"`([a-z][^`\n]*)`", source)
    return {re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(text)) for text in strings}


def find_unused_texts(game: Game) -> Iterator[Finding]:
    """Yield texts that neither the web interface nor the board nor another text uses."""
    board = "".join(path.read_text(encoding="utf-8") for path in board_modules(game))
    used = re.compile("|".join(_string_patterns(board)) or "$^")
    required = required_texts(game).keys()
    texts = read_catalog(game.folder, LANGUAGES[0])
    parts = {name for entry in texts.values() for name in re.findall(r"\{ *([a-z][\w.-]*) *\}", entry.text)}
    for text, entry in texts.items():
        base = text.split(".")[0]
        by_shell = text in required or base in required and text.endswith((".tagline", ".hidden", ".help"))
        if board and not by_shell and text not in parts and not used.fullmatch(text):
            yield Finding(game.folder / f"{LANGUAGES[0]}.ftl", entry.line, f"{text} is not used")


JAPANESE_CHARACTERS = r"[\u3040-\u30ff\u4e00-\u9fff\uff01-\uff60]"
HALF_WIDTH_SIGN = re.compile(rf"(?<={JAPANESE_CHARACTERS})[~+!?,:;()](?!\w*[=:])|[~+!?,:;()](?={JAPANESE_CHARACTERS})")

# a signed number in another form than +1 and −1, whose signs have the same width
SIGNED_NUMBER = re.compile(r"(?<![\d}）])＋(?=\d|\{)|(?<![)}）])－(?=\d|\{)|(?<![\w\-(\[{}.:/])-(?=\d)", re.ASCII)
PLUS_OF_NUMBER = re.compile(r"\+(?=\d|\{)")


def find_narrow_signs(folder: Path) -> Iterator[Finding]:
    """Yield half-width punctuation beside Japanese characters."""
    for file in (folder / "ja.ftl", folder / "rules.ja.md"):
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        for number, line in enumerate(lines, 1):
            sign = SIGNED_NUMBER.search(line) or HALF_WIDTH_SIGN.search(
                re.sub(r"\{[^}]*\}|\[[^\]]*\]\([^)]*\)", "", PLUS_OF_NUMBER.sub("", line))
            )
            if sign and not line.startswith("#"):
                yield Finding(file, number, f"half-width punctuation beside Japanese characters: {sign[0]}")


HANDWRITTEN_SIGN = re.compile(r"[>`][+−－＋]\$\{|\? \"[+−]\" : \"[^\"]")


def find_handwritten_signs(modules: Iterable[Path]) -> Iterator[Finding]:
    """Yield places where a module writes a number's sign itself instead of formatting it by the language."""
    for module in modules:
        for number, line in enumerate(module.read_text(encoding="utf-8").splitlines(), 1):
            if sign := HANDWRITTEN_SIGN.search(line):
                problem = f"format signed numbers with ui.formatPlus or ui.formatSigned instead of {sign[0]}"
                yield Finding(module, number, problem)
