"""A self-contained HTML page in all languages, between which the reader can switch: what its templates have in common,
and the format of figures."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, inf, isfinite, log10
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from courtly.bots.registry import POLICY, slip_interval
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import EMBLEM_PATH, Game
from courtly.i18n.catalog import SHELL_FOLDER
from courtly.lab.report import plots
from courtly.lab.report.collect import load_words
from courtly.lab.statistics.game_measures import (
    JACKKNIFE_BATCHES,
    PROGRESS_PARTS,
    ComponentWorth,
    Estimate,
    GameMeasures,
    HypothesisTest,
)
from courtly.review.text import SEAT_DEVICES, GameTexts

REPORT_FOLDER = Path(__file__).parent
FONT_FOLDER = SHELL_FOLDER / "fonts"
JAPANESE_FAMILIES = ("Courtly Gothic", "Courtly Mincho", "Courtly Signs")
FONT_FAMILIES = ("Courtly Sans", "Courtly Serif", *JAPANESE_FAMILIES)
ASCII_CODE_POINTS = set(range(0x80))
FONT_FACE_RULE = re.compile(
    r"@font-face\{font-family:([^;]+);font-weight:(\d+);font-style:normal;"
    r"[^}]*?url\(([\w-]+\.woff2)\)[^}]*?unicode-range:([^}]+)\}"
)
SIGNIFICANCE_LEVEL = 0.01  # p-value below which the text reports a difference between seats


def format_whole(value: float) -> str:
    """Return a number rounded to an integer, with thousands separators."""
    return f"{value:,.0f}".replace("-", "\N{MINUS SIGN}")


def format_estimate(estimate: Estimate, unit: float = 1, sign: bool = False, max_digits: int = 4) -> tuple[str, str]:
    """Return a figure and its interval as text, rounded to the precision of the interval: one digit of its half-width,
    or two if that begins with 1 or 2."""
    reach = (estimate.high - estimate.low) * unit / 2
    digits = max(0, min(max_digits, ceil(log10(3 / reach)))) if isfinite(reach) and reach > 0 else min(max_digits, 1)
    value, low, high = (_format_number(x * unit, digits, sign) for x in estimate[:3])
    return value, f"[{low}, {high}]"


def _format_number(x: float, digits: int, sign: bool) -> str:
    """Return a number with a minus sign, or a plus sign if `sign` is set, unless it rounds to 0."""
    text = f"{abs(x):,.{digits}f}" if isfinite(x) else "∞"
    is_nonzero = any(digit in text for digit in "123456789∞")
    return ("\N{MINUS SIGN}" if x < 0 and is_nonzero else "+" if sign and is_nonzero else "") + text


def format_minutes(estimate: Estimate) -> str:
    """Return a figure in seconds as minutes with its interval."""
    return " ".join(format_estimate(estimate, 1 / 60, max_digits=1))


def format_percent(estimate: Estimate) -> str:
    """Return a share as a percentage with its interval."""
    value, interval = format_estimate(estimate, 100)
    return f"{value}% {interval}"


def format_plain(estimate: Estimate, unit: float = 1, sign: bool = False) -> str:
    """Return a figure with its interval."""
    return " ".join(format_estimate(estimate, unit, sign))


def format_p_value(test: HypothesisTest) -> str:
    """Return a p-value as text."""
    return "p\u00a0<\u00a00.001" if test.p < 0.001 else f"p\u00a0=\u00a0{test.p:.{2 if test.p >= 0.1 else 3}f}"


def format_quantile(estimate: Estimate) -> str:
    """Return a quantile with its interval as integers."""
    value, low, high = (format_whole(x) for x in estimate[:3])
    return f"{value} [{low}, {high}]"


Text = Callable[[GameTexts], str]  # a text that depends on the language


class ReportPage:
    """What the pages have in common. `game`: the game whose texts are used at first.

    In a template, `make_text` and some filters return a `Text`; where it is shown, it is shown in each language.
    """

    def __init__(self, game: str, language: str):
        self.language = language
        self.templates = Environment(
            loader=PackageLoader("courtly.lab.report"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            finalize=self.in_each_language,
        )
        self.templates.globals |= {
            "make_text": make_text,
            "JACKKNIFE_BATCHES": JACKKNIFE_BATCHES,
            "PROGRESS_PARTS": PROGRESS_PARTS,
            "SEAT_DEVICES": SEAT_DEVICES,
            "SIGNIFICANCE_LEVEL": SIGNIFICANCE_LEVEL,
        }
        self.templates.filters |= {
            "bot": bot_text,
            "branching": mean_branching,
            "component": component_text,
            "components_owned": components_owned,
            "embed_fonts": embed_fonts,
            "histogram": plots.draw_histogram,
            "interval_scale": interval_scale,
            "join_texts": join_texts,
            "minutes": format_minutes,
            "option_texts": option_texts,
            "p_value": format_p_value,
            "percent": format_percent,
            "place_on": place_on_scale,
            "plain": format_plain,
            "quantile": format_quantile,
            "rank_components": rank_components,
            "whole": format_whole,
        }
        self.use_words_of(game)

    def use_words_of(self, game: str) -> None:
        """Use the texts of this game from now on."""
        self.words = {language: load_words(game, language) for language in LANGUAGES}

    def in_each_language(self, value: Any) -> Any:
        """Return a `Text` in each language as HTML, once if all are equal; any other value unchanged."""
        if not callable(value):
            return value
        texts = {language: value(words) for language, words in self.words.items()}
        if len({*texts.values()}) == 1:
            return texts[LANGUAGES[0]]
        span = Markup('<span lang="{}">{}</span>')
        return Markup("").join(span.format(language, text) for language, text in texts.items())

    def article(self, template: str, game: Game, **values: Any) -> Markup:
        """Return the article on a game. `values`: the variables of the template."""
        emblem = game.folder / EMBLEM_PATH
        picture = embed_picture(emblem) if emblem.exists() else None
        return Markup(self.templates.get_template(template).render(game=game, emblem=picture, **values))

    def page(self, title: Callable[[str], str], articles: Sequence[Markup], commands: str) -> str:
        """Return a whole page: its articles, and a section on the method with these commands. `title` returns its title
        in a language."""
        styles = SHELL_FOLDER / "style" / "tokens.css", REPORT_FOLDER / "report.css"
        return self.templates.get_template("page.html").render(
            language=self.language,
            title=" · ".join(map(title, LANGUAGES)),
            logo=embed_picture(SHELL_FOLDER / "logo.svg"),
            articles=articles,
            commands=commands,
            style="".join(file.read_text(encoding="utf-8") for file in styles),
            script=(REPORT_FOLDER / "report.js").read_text(encoding="utf-8"),
        )


def make_text(text: str, **args: Any) -> Text:
    """Return a text of the catalogue; arguments may be texts, too."""
    return lambda words: words.format(
        text, **{name: value(words) if callable(value) else value for name, value in args.items()}
    )


def join_texts(texts: Iterable[Text | str]) -> Text:
    """Return an enumeration."""
    text_list = list(texts)
    return lambda words: words.format("report-names-and").join(
        text(words) if callable(text) else text for text in text_list
    )


def bot_text(name: str) -> Text:
    """Return the name of a bot."""
    if name.partition(":")[0] == POLICY:
        n = slip_interval(name)
        return make_text("report-policy-slips", n=n) if n else make_text("report-policy")
    return lambda words: words.format(f"bot-{name}") if words.has(f"bot-{name}") else name


def option_texts(options: Mapping[str, int], game: Game) -> list[Text]:
    """Return the name and value of each option."""

    def value_text(text: str, value: int) -> Text:
        return lambda words: words.format(text) if words.has(text) else str(value)

    return [
        make_text(
            "report-variant-option",
            option=make_text(f"{game.id}-option-{name}"),
            value=value_text(f"{game.id}-option-{name}.value-{value}", value),
        )
        for name, value in options.items()
    ]


def component_text(game: Game, component: int) -> Text:
    """Return the name of a component."""
    return lambda words: words.component_text(game.owned.decode(component).as_json())


def components_owned(game: Game, worth: Iterable[ComponentWorth], share: float) -> list[Text]:
    """Return the names of the components that this share of the seats owned."""
    return [component_text(game, i) for i, component in enumerate(worth) if component.seats.value == share]


def rank_components(worth: Iterable[ComponentWorth]) -> list[tuple[int, ComponentWorth]]:
    """Return index and worth of the components that some seat owned, the most valuable first."""
    owned = [(i, component) for i, component in enumerate(worth) if component.seats.value > 0]
    return sorted(owned, key=lambda row: -(row[1].points.value if row[1].points else -inf))


def mean_branching(measures: GameMeasures) -> Estimate:
    """Return the mean number of legal moves among decisions that have several."""
    return measures.ratio({"choices": 1, "forced": -1}, {"decisions": 1, "forced": -1})


def interval_scale(estimates: Iterable[Estimate], par: float | None) -> tuple[float, float]:
    """Return the range of a scale that holds all intervals and `par`."""
    ends = [end for figure in estimates for end in figure[:3] if isfinite(end)] + ([] if par is None else [par])
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    margin = (high - low or 1) * 0.04
    return low - margin, high + margin


def place_on_scale(value: float, scale: tuple[float, float]) -> str:
    """Return the place of a value on a scale, as a CSS percentage."""
    low, high = scale
    return f"{100 * (min(max(value, low), high) - low) / (high - low):.1f}%"


def embed_picture(file: Path) -> str:
    """Return an SVG file as a data URL."""
    return "data:image/svg+xml;base64," + base64.b64encode(file.read_bytes()).decode()


def embed_fonts(text: str) -> str:
    """Return @font-face rules with the parts of the page's fonts that this text needs, as data URLs."""
    css = (FONT_FOLDER / "fonts.css").read_text(encoding="utf-8")
    letters = {ord(letter) for letter in text}
    code_points: dict[tuple[str, str], set[int]] = {}
    rules = []
    # the last of several faces with a character has precedence
    for family, weight, file, ranges in reversed(FONT_FACE_RULE.findall(css)):
        if family not in FONT_FAMILIES or (family, weight) == ("Courtly Gothic", "700"):
            continue
        rest = code_points.setdefault(
            (family, weight), letters - ASCII_CODE_POINTS if family in JAPANESE_FAMILIES else set(letters)
        )
        covered = rest & _parse_unicode_range(ranges)
        if covered:
            rest -= covered
            data = base64.b64encode((FONT_FOLDER / file).read_bytes()).decode()
            rules.append(
                f"@font-face{{font-family:{family};font-weight:{weight};src:url(data:font/woff2;base64,{data})"
                f"format('woff2');unicode-range:{ranges}}}"
            )
    return "\n".join(reversed(rules))


def _parse_unicode_range(ranges: str) -> set[int]:
    """Return the code points of a unicode-range."""
    code_points: set[int] = set()
    for item in ranges.removeprefix("U+").split(",U+"):
        low, _, high = item.partition("-")
        code_points.update(range(int(low, 16), int(high or low, 16) + 1))
    return code_points
