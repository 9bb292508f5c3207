"""Every word on the screen: the catalogues parse, agree between languages, and say everything that can be asked of
them, and nothing else."""

import re
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

import courtly
from courtly.engine.game import find_game, game_ids

HOUSE = Path(courtly.__file__).parent
WEB = HOUSE / "web"
LANGUAGES = ("en", "ja")
FOLDERS = {
    "": WEB,
    **{
        name: find_game(name).folder
        for name in game_ids()
        if not find_game(name).card.get("workshop") or (find_game(name).folder / "en.ftl").exists()
    },
}
GAMES = [name for name in FOLDERS if name]


class Variables(Visitor):
    def __init__(self):
        self.found = set()

    def visit_VariableReference(self, node):
        self.found.add(node.id.name)


@cache
def catalogue(folder, language):
    """id or id.attribute -> names of its variables"""
    texts = {}
    resource = FluentParser().parse((folder / f"{language}.ftl").read_text(encoding="utf-8"))
    for entry in resource.body:
        assert not isinstance(entry, ast.Junk), f"{folder.name}/{language}.ftl cannot be read: {entry.content[:80]!r}"
        if isinstance(entry, ast.Message):
            for part, pattern in [("", entry.value), *((f".{a.id.name}", a.value) for a in entry.attributes)]:
                if pattern is not None:
                    assert entry.id.name + part not in texts, f"{entry.id.name} is said twice"
                    variables = Variables()
                    variables.visit(pattern)
                    texts[entry.id.name + part] = variables.found
    return texts


def plain(variables):
    """`$card_id` says which `$card` it is: a language may need it or not."""
    return {name.removesuffix("_id") for name in variables}


@pytest.mark.parametrize("game", FOLDERS)
def test_the_languages_say_the_same(game):
    first, *others = (catalogue(FOLDERS[game], language) for language in LANGUAGES)
    for other in others:
        assert first.keys() == other.keys()
        for name in first:
            assert plain(first[name]) == plain(other[name]), name


def said_by_contract(game):
    """id -> the variables it gets, for every text that the shell asks of a game; None: any."""
    texts = {game.id: set()}
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


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_can_say_everything(name, language):
    texts = catalogue(FOLDERS[name], language)
    asked = said_by_contract(find_game(name))
    optional = {text for text in asked if text.endswith(".log")}  # an event may leave its telling to a glyph
    assert sorted(asked.keys() - optional - texts.keys()) == []
    for text, variables in asked.items():
        assert texts.get(text, set()) <= variables, f"{text} uses a variable that it does not get"
    for verb in find_game(name).moves.describe(chance=False):
        assert f"{name}-do-{verb}.log" in texts


def literals(source):
    """Patterns of the strings in a module: what stands for `${…}` may be anything."""
    found = re.findall(r'"([a-z][\w.-]*)"', source) + re.findall(r"`([a-z][^`\n]*)`", source)
    return {re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(text)) for text in found}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_says_nothing_in_vain(name):
    board = "".join(path.read_text(encoding="utf-8") for path in sorted(FOLDERS[name].glob("*.js")))
    used = re.compile("|".join(literals(board)) or "$^")
    known = said_by_contract(find_game(name)).keys()
    for text in catalogue(FOLDERS[name], "en"):
        base = text.split(".")[0]
        by_shell = text in known or text == f"{name}.tagline" or (base in known and text.endswith((".hidden", ".help")))
        assert by_shell or not board or used.fullmatch(text), f"nothing says {text}"


SHELL = [path for path in WEB.rglob("*.js") if "vendor" not in path.parts]
FAMILIES = re.compile(r"device-.+|bot-.+|tables-(mine|open|live)|proof-(working|failed)|error-.+")


def test_the_shell_says_nothing_in_vain_and_lacks_nothing():
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(SHELL))
    quoted = set(re.findall(r'"([a-z][a-z0-9-]*)"', source))
    texts = set(catalogue(WEB, "en"))
    assert [text for text in sorted(texts - quoted) if not FAMILIES.fullmatch(text)] == []
    assert not set(re.findall(r'\bt\("([^"]+)"', source)) - texts


def test_every_error_has_its_words():
    raised = set()
    for folder, pattern in ((HOUSE, "**/*.py"), (WEB, "**/*.js")):
        for path in folder.glob(pattern):
            raised |= set(re.findall(r'"(error-[a-z-]+)"', path.read_text(encoding="utf-8")))
    said = {text for text in catalogue(WEB, "en") if text.startswith("error-")}
    assert raised == said


def test_every_bot_has_a_name():
    assert {"bot-heuristic", "bot-random"} <= catalogue(WEB, "en").keys()


JAPANESE = r"[\u3040-\u30ff\u4e00-\u9fff\uff01-\uff60]"
HALF = re.compile(rf"(?<={JAPANESE})[~+!?,:;()](?!\w*[=:])|[~+!?,:;()](?={JAPANESE})")


@pytest.mark.parametrize(
    "file",
    [path for folder in FOLDERS.values() for path in (folder / "ja.ftl", folder / "rules.ja.md") if path.exists()],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_signs_beside_japanese_are_as_wide_as_its_letters(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    found = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(lines, 1)
        if not line.startswith("#") and HALF.search(re.sub(r"\{[^}]*\}|\[[^\]]*\]\([^)]*\)", "", line))
    ]
    assert found == []
