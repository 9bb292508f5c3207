"""The texts of the shell. Checks of games' texts are in courtly/testing/checks/catalog_checks.py."""

import os
import re
from pathlib import Path

import pytest
from fluent.syntax import ast, parse

import courtly
from courtly.bots.registry import BOT_LEVELS, RANDOM
from courtly.engine.game import find_game, game_ids
from courtly.i18n import catalog
from courtly.testing.checks import catalog_checks
from courtly.testing.checks.catalog_checks import (
    find_handwritten_signs,
    find_narrow_signs,
    find_untranslated,
    read_catalog,
)

PACKAGE = Path(courtly.__file__).parent
WEB = PACKAGE / "web"
LEVEE = PACKAGE.parent / "examples" / "levee"


def test_the_languages_have_the_same_texts():
    assert list(find_untranslated(WEB)) == []


def test_punctuation_beside_japanese_is_full_width():
    assert list(find_narrow_signs(WEB)) == []


SHELL = [path for path in WEB.rglob("*.js") if "vendor" not in path.parts]
FAMILIES = re.compile(
    r"form-(json|discord|slack|ntfy)|mail-(confirm|stop)(-do|-done)?|help-(at-once|more|less|open|denies|helps)"
    r"|device-.+|bot-.+|tables-(mine|open|live)|proof-(working|failed)|canned-message-.+"
    r"|colour-(gules|azure|vert|purpure|tenne)|error-.+"
)


def test_all_texts_of_the_shell_are_used_and_none_is_missing():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in [
            *sorted(SHELL),
            PACKAGE / "review" / "text.py",
            PACKAGE / "server" / "services" / "turn_notifications.py",
        ]
    )
    quoted = set(re.findall(r'"([a-z][a-z0-9-]*)"', source))
    texts = set(read_catalog(WEB, "en"))
    assert [text for text in sorted(texts - quoted) if not FAMILIES.fullmatch(text)] == []
    assert not set(re.findall(r'\b(?:t|say)\(\s*"([^"]+)"', source)) - texts


def test_every_error_has_a_text():
    raised = set()
    for folder, pattern in ((PACKAGE, "**/*.py"), (WEB, "**/*.js")):
        for path in folder.glob(pattern):
            raised |= set(re.findall(r'"(error-[a-z-]+)"', path.read_text(encoding="utf-8")))
    error_texts = {text for text in read_catalog(WEB, "en") if text.startswith("error-")}
    assert raised == error_texts


def test_every_bot_has_a_name():
    texts = read_catalog(WEB, "en")
    assert all(texts[f"bot-{name}"] and texts[f"bot-{name}.does"] for name in (*BOT_LEVELS, RANDOM))


def test_signs_of_numbers_are_formatted_by_language():
    """A page formats a signed number by `ui.formatSigned` or `ui.formatPlus`, so the form is the same everywhere."""
    files = [path for path in (*PACKAGE.rglob("*.js"), *LEVEE.rglob("*.js")) if "vendor" not in path.parts]
    assert list(find_handwritten_signs(files)) == []


def test_a_handwritten_sign_is_detected(tmp_path):
    for line, signs in (
        ("a = 余り＋1点", "＋"),
        ("a = 1個につき－1点", "－"),
        ("a = 3点で-1", "-"),
        ("a = +1と−1", ""),
    ):
        (tmp_path / "ja.ftl").write_text(line + "\n", encoding="utf-8")
        assert [finding.text[-1] for finding in find_narrow_signs(tmp_path)] == list(signs)


@pytest.mark.parametrize("game", ["cardinal", "newtown", "puppet"])
def test_points_have_one_form_in_japanese(game):
    """In hints and on the page of a player's games they are written as at the table."""
    texts = read_catalog(find_game(game).folder, "ja")
    assert "{ $n }点" in str(texts[f"{game}-counted-points"])


# --- banned words ----------------------------------------------------------------------------------------------------

GAMES = ("necklace", "petition", "cardinal", "puppet", "newtown")
# Other packages with texts: the shell, the pages of the laboratory, the game that authors begin with, an example.
OTHER_PACKAGES = {
    "web": WEB,
    "lab": PACKAGE / "lab",
    "favours": PACKAGE / "template" / "favours",
    "levee": LEVEE / "levee",
}
NON_ASCII = r"[^\x00-\x7f]"
# For each language: banned pattern and replacement; then those of one game (as in its rulebook) or of the shell.
BANNED = {
    "ja": {
        r"(?<!食)卓": "テーブル",
        r"点数": "得点, or in Puppet Kingdom 勝利点",
        r"ブラウザ(?!ー)": "ブラウザー",
        r"助言": "ヒント",
        r"この家": "このサーバー",
        r"だれ": "誰",
        r"(?<!その)他の": "ほかの",
        r"しだい": "次第",
        rf"(?<={NON_ASCII})~|~(?={NON_ASCII})": "〜",
    },
    "en": {
        r"\b[Pp]arent\b": "first player",
        r"\b[Ll]aps?\b": "turn",
        r"\bof at most\b": "a slash",
        r"\b[Ww]ho (has|owns|holds) the most\b|\b[Ww]ho owns\b": "whoever",
        r"\b(has|have|with) most \w+s\b": "the most",
        r"\bthis house\b": "this server",
        r"\b[Aa]t turn\b": "to move",
        r"\b[Oo]f (as|equally) many\b": "on a tie",
        r"\bevery (second|other) time\b": "half the time",
        r"\bwere searched\b": "were chosen",
        r"(?<![Tt]he )\b[Mm]ost points\b": "the most points",
        r"\bamong \d": "between",
        r"\b(anew|so many|is told|are told|shall|heed|thereof|as it were|as it must)\b": "everyday English",
    },
}
SHELL_BANNED = {
    "ja": {
        r"さいころ|サイコロ": "ダイス",
        r"家": "サーバー",
        r"記録を保存|保存した記録": "棋譜",
        r"？(?=[^\s）」］])": "a space after ？",
    },
    "en": {r"\b[Hh]ouses?\b": "server", r"[a-z]'s\b|s' ": "’", r"\bguests?\b": "player"},
}
GAME_BANNED = {
    "petition": {r"人物": "キャラクター", r"能力": "効果", r"さいころ|サイコロ": "ダイス"},
    "necklace": {r"ダイヤモンド": "ダイヤ"},
    "newtown": {r"住民": "入居者", r"ダイス|サイコロ": "さいころ"},
    "puppet": {r"Reconstructed:|復元値：": "nothing: the rules page tells of it"},
}
POLITE = re.compile(r"(ます|です|ません|ました|でした|ください|ましょう|でしょう|\dつ)$")
PLAIN_VERB_ENDINGS = "るたいうくすむぶつぐぬだ"
POLITE_TEXTS = re.compile(r"[a-z]+-(prompt|refusal|explain|why)-|.+\.(help|detail)$")


@pytest.mark.parametrize("language", BANNED)
@pytest.mark.parametrize("package", (*GAMES, *OTHER_PACKAGES))
def test_no_text_has_a_banned_word(package, language):
    banned = BANNED[language] | (SHELL_BANNED[language] if package in ("web", "lab") else GAME_BANNED.get(package, {}))
    if package == "newtown":  # houses are built there
        banned = {word: replacement for word, replacement in banned.items() if "house" not in word and "家" not in word}
    folder = OTHER_PACKAGES[package] if package in OTHER_PACKAGES else find_game(package).folder
    files = [file for name in (f"{language}.ftl", f"rules.{language}.md") if (file := folder / name).exists()]
    assert files
    problems = []
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            text = re.sub(r"^\s*\.?[\w-]+ =|\{.*?\}|<!--.*?-->|\(lesson:.*?\)|`.*?`", "", line)
            replacements = {replacement for word, replacement in banned.items() if re.search(word, text)}
            problems += (
                [f"{package}/{file.name}:{number}: say {', '.join(replacements)} in: {line.strip()}"]
                if replacements
                else []
            )
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("game", GAMES)
def test_japanese_texts_are_polite(game):
    """Each sentence of a prompt, a refusal, a help text or an explanation ends politely, or with a noun."""
    text = ""
    for line in (find_game(game).folder / "ja.ftl").read_text(encoding="utf-8").splitlines():
        message, attribute = re.match(r"([a-z][\w-]*) =", line), re.match(r"    (\.[\w-]+) =", line)
        text = message[1] if message else text.split(".")[0] + attribute[1] if attribute else text
        if POLITE_TEXTS.match(text):
            for sentence in re.findall(r"([^。]+)。", re.sub(r"（[^）]*）", "", line)):
                is_plain = sentence[-1] in PLAIN_VERB_ENDINGS and not POLITE.search(sentence)
                assert not is_plain, f"{game}/ja.ftl, {text}: {sentence}"


@pytest.mark.parametrize("language", BANNED)
@pytest.mark.parametrize("game", GAMES)
def test_a_line_of_the_log_has_one_colon_at_most(game, language):
    for text, message in read_catalog(find_game(game).folder, language).items():
        if text.endswith((".log", ".open", ".hidden")):
            for line in message.text.splitlines():
                assert len(re.findall("[:：]", line)) < 2, f"{game}/{language}.ftl, {text}: {line}"


def last_texts(pattern):
    """Yield what a pattern ends with, in each of its variants."""
    last = pattern.elements[-1]
    if isinstance(last, ast.Placeable) and isinstance(last.expression, ast.SelectExpression):
        for variant in last.expression.variants:
            yield from last_texts(variant.value)
    else:
        yield last.value if isinstance(last, ast.TextElement) else "…"


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", game_ids())
def test_a_prompt_is_a_sentence(game, language):
    resource = parse((find_game(game).folder / f"{language}.ftl").read_text(encoding="utf-8"))
    prompts = [
        message for message in resource.body if isinstance(message, ast.Message) and "-prompt-" in message.id.name
    ]
    endings = [(prompt.id.name, text) for prompt in prompts if prompt.value for text in last_texts(prompt.value)]
    assert [ending for ending in endings if not ending[1].rstrip().endswith(tuple(".?!。？！"))] == []


def test_a_catalogue_is_parsed_again_only_if_it_was_modified(tmp_path, monkeypatch):
    parsed_texts = []
    parse = catalog.FluentResource
    monkeypatch.setattr(catalog, "FluentResource", lambda text: parsed_texts.append(text) or parse(text))
    file = tmp_path / "en.ftl"
    file.write_text("greeting = Welcome", encoding="utf-8")
    for _ in range(3):
        assert catalog.Catalog("en", tmp_path).format("greeting") == "Welcome"
    assert parsed_texts.count("greeting = Welcome") == 1
    file.write_text("greeting = Welcome back", encoding="utf-8")
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
    assert catalog.Catalog("en", tmp_path).format("greeting") == "Welcome back"


def test_the_text_of_many_events_needs_what_it_lists(monkeypatch):
    game = find_game("petition")
    texts = {text: message for text, message in read_catalog(game.folder, "en").items() if not text.endswith(".item")}
    monkeypatch.setattr(catalog_checks, "read_catalog", lambda folder, language: texts)
    assert [finding.text for finding in catalog_checks.find_missing_texts(game, "en")] == [
        "petition-do-die.item is missing"
    ]


@pytest.mark.parametrize(("language", "equal_dice"), [("en", "2 × 3"), ("ja", "3が2つ|3[をも]2つ|2つの3")])
def test_to_court_the_king_says_equal_dice_in_one_form(language, equal_dice):
    """The number of dice, then their face, as a group of the last round is written."""
    texts = catalog.Catalog(language, find_game("petition").folder)
    repeated = ("keep", "merchant", "noblewoman", "nobleman", "alchemist", "turn")
    for text in [f"{verb}{kind}" for verb in repeated for kind in ("", ".log")] + ["die.item"]:
        assert re.search(equal_dice, texts.format(f"petition-do-{text}", name="A", face=3, times=2)), text
        assert "2" not in texts.format(f"petition-do-{text}", name="A", face=3, times=1).replace("2を加え", "").replace(
            "by 2", ""
        ).replace("+ 2", "")


def test_queens_necklace_has_one_word_for_gems():
    """The rules' term, also for a single one on a card: a kind of gem is called that."""
    folder = find_game("necklace").folder
    texts = {name: text.text.replace("$stones", "") for name, text in read_catalog(folder, "en").items()}
    texts |= {
        f"rules.en.md {number}": line
        for number, line in enumerate(
            re.sub("<!--.*?-->", "", (folder / "rules.en.md").read_text(encoding="utf-8")).splitlines(), 1
        )
    }
    assert [name for name, text in texts.items() if re.search(r"(?<!-)\bstones?\b", text, re.IGNORECASE)] == []
