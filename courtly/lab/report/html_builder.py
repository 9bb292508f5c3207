"""Parts of a self-contained HTML page in all languages, between which the reader can switch; and the format of
figures."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from math import ceil, inf, isfinite, log10
from pathlib import Path
from typing import Any

from courtly.bots.registry import POLICY, RANDOM, slip_interval
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import EMBLEM_PATH, Game
from courtly.i18n.catalog import SHELL_FOLDER
from courtly.lab.plan import Components
from courtly.lab.report import plots
from courtly.lab.report.collect import load_words
from courtly.lab.statistics.game_measures import (
    JACKKNIFE_BATCHES,
    PROGRESS_PARTS,
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
MISSING_TEXT = "–"  # shown in place of a missing figure


def format_whole(value: float) -> str:
    """Return a number rounded to an integer, with thousands separators."""
    return f"{value:,.0f}".replace("-", "\N{MINUS SIGN}")


def format_estimate(of: Estimate, unit: float = 1, sign: bool = False, most: int = 4) -> tuple[str, str]:
    """Return a figure and its interval as text, rounded to the precision of the interval: one digit of its half-width,
    or two if that begins with 1 or 2."""
    reach = (of.high - of.low) * unit / 2
    digits = max(0, min(most, ceil(log10(3 / reach)))) if isfinite(reach) and reach > 0 else min(most, 1)
    value, low, high = (_format_number(x * unit, digits, sign) for x in of[:3])
    return value, f"[{low}, {high}]"


def _format_number(x: float, digits: int, sign: bool) -> str:
    """Return a number with a minus sign, or a plus sign if `sign` is set, unless it rounds to 0."""
    told = f"{abs(x):,.{digits}f}" if isfinite(x) else "∞"
    some = any(digit in told for digit in "123456789∞")
    return ("\N{MINUS SIGN}" if x < 0 and some else "+" if sign and some else "") + told


def format_minutes(of: Estimate) -> str:
    """Return a figure in seconds as minutes with its interval."""
    return " ".join(format_estimate(of, 1 / 60, most=1))


def format_percent(of: Estimate) -> str:
    """Return a share as a percentage with its interval."""
    value, interval = format_estimate(of, 100)
    return f"{value}% {interval}"


def format_plain(of: Estimate, unit: float = 1, sign: bool = False) -> str:
    """Return a figure with its interval."""
    return " ".join(format_estimate(of, unit, sign))


def format_p_value(of: HypothesisTest) -> str:
    """Return a p-value as text."""
    return "p\u00a0<\u00a00.001" if of.p < 0.001 else f"p\u00a0=\u00a0{of.p:.{2 if of.p >= 0.1 else 3}f}"


class ReportPage:
    """What the pages have in common. `game`: the game whose texts are used at first."""

    def __init__(self, game: str, language: str):
        self.language = language
        self.use_words_of(game)

    def use_words_of(self, game: str) -> None:
        """Use the texts of this game from now on."""
        self.words = {one: load_words(game, one) for one in LANGUAGES}

    def in_each_language(self, told: Callable[[GameTexts], str]) -> str:
        """Return a text in each language as HTML, once if all are equal. `told` returns it, given the texts of a
        language."""
        texts = {language: told(words) for language, words in self.words.items()}
        if len(set(texts.values())) == 1:
            return escape(texts[LANGUAGES[0]])
        return "".join(f'<span lang="{language}">{escape(text)}</span>' for language, text in texts.items())

    def say(self, text: str, **args: Any) -> str:
        """Return a text of the catalogue in each language."""
        return self.in_each_language(lambda words: words.say(text, **args))

    def players(self, n: int) -> str:
        """Return the text for a number of players."""
        return self.say("report-players", n=n)

    def section(self, title: str, sample: int, text: str) -> str:
        """Return a section headed by a title and the number of games."""
        told = self.say("report-sample", n=format_whole(sample))
        return f'<div class="block"><h3>{title} <small>{told}</small></h3>{text}</div>'

    def paragraph(self, text: str, **args: Any) -> str:
        """Return a paragraph; arguments may be functions of the texts of a language."""
        return (
            "<p>"
            + self.in_each_language(
                lambda words: words.say(text, **{name: of(words) if callable(of) else of for name, of in args.items()})
            )
            + "</p>"
        )

    def plot(self, drawn: str, axis: str) -> str:
        """Return a figure with the title of its axis."""
        return f'<figure class="plot">{drawn}<figcaption>{self.say(axis)}</figcaption></figure>'

    def bot(self, name: str) -> Callable[[GameTexts], str]:
        """Return a function that names a bot."""
        if name.partition(":")[0] == POLICY:
            n = slip_interval(name)
            return lambda words: words.say("report-policy-slips", n=n) if n else words.say("report-policy")
        return lambda words: words.say(f"bot-{name}") if words.has(f"bot-{name}") else name

    def note(self, text: str, **args: Any) -> str:
        """Return a note."""
        return f'<p class="note">{self.say(text, **args)}</p>'

    def option(self, game: Game, name: str, value: int) -> Callable[[GameTexts], str]:
        """Return a function that names an option and its value."""
        text = f"{game.id}-option-{name}"
        return lambda words: words.say(
            "report-variant-option",
            option=words.say(text),
            value=words.say(f"{text}.value-{value}") if words.has(f"{text}.value-{value}") else str(value),
        )

    def seat(self, at: int) -> str:
        """Return a seat's shield and name."""
        return shield_icon(at) + self.say(f"device-{SEAT_DEVICES[at]}")

    def ranges(self, title: str, rows: list[tuple[str, Estimate]], par: float | None, unit: float = 100) -> str:
        """Return a table of figures with their intervals drawn on a common scale."""
        scale = interval_scale([figure for _, figure in rows], par)
        form = format_percent if unit == 100 else format_plain
        told = "".join(
            f'<tr><th scope="row">{name}</th><td>{dim_interval(form(figure))}</td>'
            f'<td class="drawn">{draw_interval(figure, scale, par)}</td></tr>'
            for name, figure in rows
        )
        return f'<table class="ranges"><caption>{self.say(title)}</caption><tbody>{told}</tbody></table>'

    # --- sections on the games of one plan ----------------------------------------------------------------------------

    def length_section(self, m: GameMeasures) -> str:
        """Return the text and plot on the length of games."""
        of = m.spread["decisions"]
        return self.plot(plots.draw_histogram(of), "report-length-axis") + self.paragraph(
            "report-length-said",
            low=format_quantile(of.at(0.25)),
            high=format_quantile(of.at(0.75)),
            long=format_quantile(of.at(0.95)),
            minutes=format_minutes(m.seconds()),
        )

    def seats_section(self, m: GameMeasures) -> str:
        """Return the text and tables on the fairness of seats."""
        order, seats, test = m.each("place"), m.each("share"), m.equal("place")
        best, worst = (pick(range(m.players), key=lambda i: order[i].value) for pick in (max, min))
        text = self.paragraph(
            "report-seats-differ" if test.p < SIGNIFICANCE_LEVEL else "report-seats-equal",
            best=lambda words: words.say("report-place", n=best + 1),
            worst=lambda words: words.say("report-place", n=worst + 1),
            much=format_percent(order[best]),
            little=format_percent(order[worst]),
            p=format_p_value(test),
        )
        places = [(self.say("report-order", n=i + 1), of) for i, of in enumerate(order)]
        text += self.ranges("report-by-order", places, 1 / m.players)
        text += self.ranges("report-by-seat", [(self.seat(i), of) for i, of in enumerate(seats)], 1 / m.players)
        return text + self.note("report-seats-test", p=format_p_value(m.equal("share")))

    def points_section(self, m: GameMeasures) -> str:
        """Return the text and plots on points and margins."""
        points, margin = m.spread["points"], m.spread["margin"]
        text = self.plot(plots.draw_histogram(points), "report-points-axis")
        text += self.paragraph(
            "report-points-said", low=format_quantile(points.at(0.25)), high=format_quantile(points.at(0.75))
        )
        text += self.plot(plots.draw_histogram(margin), "report-margin-axis")
        return text + self.paragraph(
            "report-margin-said",
            margin=format_plain(m.of("margin")),
            close=format_quantile(margin.at(0.1)),
            far=format_quantile(margin.at(0.9)),
        )

    def drama_section(self, m: GameMeasures) -> str:
        """Return the text and plot on when games are decided."""
        image = plots.draw_histogram(m.spread["decided"], PROGRESS_PARTS / 100, 0, whole=False)
        return self.plot(image, "report-drama-axis") + self.paragraph(
            "report-drama-said",
            always=format_percent(m.part("always")),
            late=format_percent(m.spread["decided"].share(PROGRESS_PARTS * 9 // 10)),
            leads=format_plain(m.of("leads")),
            behind=format_plain(m.of("behind")),
        )

    def choice_section(self, m: GameMeasures) -> str:
        """Return the text on the number of legal moves."""
        return self.paragraph(
            "report-choice-said",
            branching=format_plain(mean_branching(m)),
            forced=format_percent(m.ratio("forced", "decisions")),
            events=format_plain(m.of("events")),
        )

    def ties_section(self, m: GameMeasures) -> str:
        """Return the text on ties."""
        return self.paragraph(
            "report-ties-said", tied=format_percent(m.part("tied")), broken=format_percent(m.part("broken"))
        )

    def folded_section(self, title: str, sample: int, text: str, opened: bool) -> str:
        """Return a section that can be folded, headed by a title and the number of games."""
        told = self.say("report-sample", n=format_whole(sample))
        return (
            f"<details{' open' if opened else ''}><summary><h3>{title} <small>{told}</small></h3></summary>"
            f"{text}</details>"
        )

    def worth_table(self, game: Game, m: GameMeasures) -> str:
        """Return the table of the worth of components."""
        found = m.worth.estimate()
        used = [i for i, of in enumerate(found) if of.seats.value > 0]
        used.sort(key=lambda i: -(of.value if (of := found[i].points) else -inf))
        par = 1 / m.players
        scales = {
            name: interval_scale([of for i in used if (of := getattr(found[i], name))], line)
            for name, line in (("points", 0.0), ("wins", 0.0), ("share", par))
        }
        rows = ""
        for i in used:
            of = found[i]
            rows += (
                f'<tr><th scope="row">{self.owned(game, i)}</th><td>{dim_interval(format_percent(of.games))}</td>'
                f"<td>{dim_interval(format_percent(of.seats))}</td>"
                f"<td>{dim_interval(format_percent(of.share))}{draw_interval(of.share, scales['share'], par)}</td>"
                f"<td>{format_gain(of.points, scales['points'])}</td><td>"
                f"{format_gain(of.wins, scales['wins'])}</td></tr>"
            )
        names = (
            "component",
            "component-games",
            "component-seats",
            "component-share",
            "component-points",
            "component-wins",
        )
        head = "".join(f'<th scope="col">{self.say(f"report-{name}")}</th>' for name in names)
        text = scrollable_table("worth", head, rows)
        if any(found[i].points is None for i in used):
            text += self.note("report-components-open")
        text += self.component_list(game, "never", [i for i, of in enumerate(found) if of.seats.value == 0])
        return text + self.component_list(game, "always", [i for i, of in enumerate(found) if of.seats.value == 1])

    def owned(self, game: Game, at: int) -> str:
        """Return the name of a component."""
        return self.in_each_language(lambda words: words.owned(game.owned.decode(at).as_json()))

    def component_list(self, game: Game, name: str, which: list[int]) -> str:
        """Return a paragraph that lists components; "" if there are none."""
        if not which:
            return ""
        return self.paragraph(
            f"report-components-{name}",
            names=lambda words: words.say("report-names-and").join(
                words.owned(game.owned.decode(i).as_json()) for i in which
            ),
        )

    def method_section(self, commands: str) -> str:
        """Return the section on the method, with these commands."""
        return (
            f'<main class="method"><section><h2>{self.say("report-method")}</h2>'
            f"<p>{self.say('report-method-intervals', batches=JACKKNIFE_BATCHES)}</p><p>"
            f"{self.say('report-method-seed')}</p>"
            f"<p>{self.say('report-method-command')}:</p><pre>{escape(commands)}</pre></section></main>"
        )

    # --- the page -----------------------------------------------------------------------------------------------------

    def page(self, title: Callable[[str], str], body: str) -> str:
        """Return a whole page. `title` returns its title in a language."""
        titled = " · ".join(map(title, LANGUAGES))
        choices = "".join(
            f'<label><input type="radio" name="language" value="{language}"'
            f'{" checked" if language == self.language else ""}><span lang="{language}">{named}</span></label>'
            for language, named in zip(LANGUAGES, ("English", "日本語"), strict=True)
        )
        logo = embed_picture(SHELL_FOLDER / "logo.svg")
        style = "".join(
            file.read_text(encoding="utf-8")
            for file in (SHELL_FOLDER / "style" / "tokens.css", REPORT_FOLDER / "report.css")
        )
        script = (REPORT_FOLDER / "report.js").read_text(encoding="utf-8")
        shell = (
            f'<div class="bar"><img class="logo" src="{logo}" alt=""><b>{self.say("courtly")}</b>'
            f"<fieldset><legend>{self.say('report-language')}</legend>{choices}</fieldset></div>"
        )
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{escape(titled)}</title>\n<link rel="icon" href="{logo}">\n'
            f"<style>\n{embed_fonts(shell + body)}\n{style}</style>\n<body>{shell}{body}<script>\n{script}</script>\n"
        )

    def game_article(self, game: Game, made: str, sections: Iterable[tuple[str, str, str]]) -> str:
        """Return the article on a game: its header with `made`, and sections given as (name, title, content)."""
        emblem = game.folder / EMBLEM_PATH
        image = f'<span class="emblem"><img src="{embed_picture(emblem)}" alt=""></span>' if emblem.exists() else ""
        told = "".join(
            f'<section class="{name}" aria-labelledby="{game.id}-{name}"><h2 id="{game.id}-{name}">'
            f"{self.say(title)}</h2>{text}</section>"
            for name, title, text in sections
            if text
        )
        return (
            f'<main style="--tint: var(--{game.card["colour"]})"><header class="title">{image}<div><p class="eyebrow">'
            f"{self.say('report-eyebrow')}</p><h1>{self.say(game.id)}</h1>{made}</div></header>{told}</main>"
        )

    def settings(self, game: Game, options: Mapping[str, int], file: Components | None, bots: set[str]) -> str:
        """Return paragraphs on the options, components and bots that were played."""
        text = ""
        if options:
            text += self.paragraph(
                "report-options",
                options=lambda words: words.say("report-names-and").join(
                    self.option(game, name, value)(words) for name, value in options.items()
                ),
            )
        if file:
            text += self.paragraph("report-other-numbers", file=file.file)
        if POLICY in bots:
            text += self.paragraph("report-policy-help")
        if bots == {RANDOM}:
            text += f'<p class="warning">{self.say("report-at-random")}</p>'
        return text


def mean_branching(of: GameMeasures) -> Estimate:
    """Return the mean number of legal moves among decisions that have several."""
    return of.ratio({"choices": 1, "forced": -1}, {"decisions": 1, "forced": -1})


def format_gain(of: Estimate | None, scale: tuple[float, float]) -> str:
    """Return a regression coefficient with its interval drawn, or MISSING_TEXT if it is undetermined."""
    return MISSING_TEXT if of is None else dim_interval(format_plain(of, sign=True)) + draw_interval(of, scale, 0.0)


def format_quantile(of: Estimate) -> str:
    """Return a quantile with its interval as integers."""
    value, low, high = (format_whole(x) for x in of[:3])
    return f"{value} [{low}, {high}]"


def scale_estimate(of: Estimate, by: float) -> Estimate:
    """Return an estimate multiplied by a factor."""
    return Estimate(of.value * by, of.low * by, of.high * by, of.sample)


def scrollable_table(kind: str, head: str, rows: str) -> str:
    """Return a table that can be scrolled if it is wider than the page."""
    return f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def dim_interval(text: str) -> str:
    """Return a figure with its interval in a less prominent style."""
    value, _, interval = text.partition(" ")
    return f'<span class="figure">{value} <small>{interval}</small></span>'


def interval_scale(of: Iterable[Estimate], par: float | None) -> tuple[float, float]:
    """Return the range of a scale that holds all intervals and `par`."""
    ends = [end for figure in of for end in figure[:3] if isfinite(end)] + ([] if par is None else [par])
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = (high - low or 1) * 0.04
    return low - room, high + room


def draw_interval(of: Estimate, scale: tuple[float, float], par: float | None) -> str:
    """Return an interval, drawn on a scale, with a line at `par`."""
    low, high = scale

    def at(value: float) -> str:
        return f"{100 * (min(max(value, low), high) - low) / (high - low):.1f}%"

    line = "" if par is None else f"--par:{at(par)};"
    apart = par is not None and (of.low > par or of.high < par)
    return (
        f'<span class="range{" apart" if apart else ""}{"" if par is None else " with-par"}" aria-hidden="true" '
        f'style="{line}--at:{at(of.value)};--from:{at(of.low)};--to:{at(of.high)}"></span>'
    )


def shield_icon(seat: int) -> str:
    """Return a seat's shield."""
    return f'<i class="shield" style="--seat: var(--seat-{seat})">{seat + 1}</i>'


def embed_picture(file: Path) -> str:
    """Return an SVG file as a data URL."""
    return "data:image/svg+xml;base64," + base64.b64encode(file.read_bytes()).decode()


def embed_fonts(text: str) -> str:
    """Return @font-face rules with the parts of the page's fonts that this text needs, as data URLs."""
    css = (FONT_FOLDER / "fonts.css").read_text(encoding="utf-8")
    letters = {ord(letter) for letter in text}
    wanted: dict[tuple[str, str], set[int]] = {}
    found = []
    # the last of several faces with a character has precedence
    for family, weight, file, ranges in reversed(FONT_FACE_RULE.findall(css)):
        if family not in FONT_FAMILIES or (family, weight) == ("Courtly Gothic", "700"):
            continue
        rest = wanted.setdefault(
            (family, weight), letters - ASCII_CODE_POINTS if family in JAPANESE_FAMILIES else set(letters)
        )
        covered = rest & _parse_unicode_range(ranges)
        if covered:
            rest -= covered
            data = base64.b64encode((FONT_FOLDER / file).read_bytes()).decode()
            found.append(
                f"@font-face{{font-family:{family};font-weight:{weight};src:url(data:font/woff2;base64,{data})"
                f"format('woff2');unicode-range:{ranges}}}"
            )
    return "\n".join(reversed(found))


def _parse_unicode_range(ranges: str) -> set[int]:
    """Return the code points of a unicode-range."""
    found: set[int] = set()
    for one in ranges.removeprefix("U+").split(",U+"):
        low, _, high = one.partition("-")
        found.update(range(int(low, 16), int(high or low, 16) + 1))
    return found
