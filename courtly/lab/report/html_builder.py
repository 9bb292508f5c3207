"""A page that needs nothing else: both languages stand in it, and whoever reads chooses. And what figures look like."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from math import ceil, inf, isfinite, log10
from pathlib import Path
from typing import Any

from courtly.bots.registry import POLICY, RANDOM, slip_interval
from courtly.engine.game import EMBLEM_PATH, LANGUAGES, Game
from courtly.i18n.catalog import SHELL_FOLDER
from courtly.lab.plan import Components
from courtly.lab.report import plots
from courtly.lab.report.collect import words_of
from courtly.lab.statistics.game_measures import BATCHES, FINE, Figure, Measures, Test
from courtly.review.text import SEAT_DEVICES, GameTexts

HERE = Path(__file__).parent
FONTS = SHELL_FOLDER / "fonts"
JAPANESE = ("Courtly Gothic", "Courtly Mincho", "Courtly Signs")
FAMILIES = ("Courtly Sans", "Courtly Serif", *JAPANESE)
ASCII = set(range(0x80))
FACE = re.compile(
    r"@font-face\{font-family:([^;]+);font-weight:(\d+);font-style:normal;"
    r"[^}]*?url\(([\w-]+\.woff2)\)[^}]*?unicode-range:([^}]+)\}"
)
SURE = 0.01  # differences of seats are told of below this chance
UNLESS = "–"  # stands where there is no figure


def whole(value: float) -> str:
    return f"{value:,.0f}".replace("-", "\N{MINUS SIGN}")


def shown(of: Figure, unit: float = 1, sign: bool = False, most: int = 4) -> tuple[str, str]:
    """A figure and its interval, with as many digits as the interval has to tell: of half its length one, two where
    that begins with a 1 or 2."""
    reach = (of.high - of.low) * unit / 2
    digits = max(0, min(most, ceil(log10(3 / reach)))) if isfinite(reach) and reach > 0 else min(most, 1)
    value, low, high = (_number(x * unit, digits, sign) for x in of[:3])
    return value, f"[{low}, {high}]"


def _number(x: float, digits: int, sign: bool) -> str:
    """With a sign before what is more than nothing, if it shall have one."""
    told = f"{abs(x):,.{digits}f}" if isfinite(x) else "∞"
    some = any(digit in told for digit in "123456789∞")
    return ("\N{MINUS SIGN}" if x < 0 and some else "+" if sign and some else "") + told


def minutes(of: Figure) -> str:
    return " ".join(shown(of, 1 / 60, most=1))


def percent(of: Figure) -> str:
    value, interval = shown(of, 100)
    return f"{value}% {interval}"


def plain(of: Figure, unit: float = 1, sign: bool = False) -> str:
    return " ".join(shown(of, unit, sign))


def chance(of: Test) -> str:
    return "p\u00a0<\u00a00.001" if of.p < 0.001 else f"p\u00a0=\u00a0{of.p:.{2 if of.p >= 0.1 else 3}f}"


class Sheet:
    """What pages have in common. `game`: whose words are said."""

    def __init__(self, game: str, language: str):
        self.language = language
        self.speak(game)

    def speak(self, game: str) -> None:
        """In the words of this game, from now on."""
        self.words = {one: words_of(game, one) for one in LANGUAGES}

    def both(self, told: Callable[[GameTexts], str]) -> str:
        """What is told in each language."""
        texts = {language: told(words) for language, words in self.words.items()}
        if len(set(texts.values())) == 1:
            return escape(texts[LANGUAGES[0]])
        return "".join(f'<span lang="{language}">{escape(text)}</span>' for language, text in texts.items())

    def say(self, text: str, **args: Any) -> str:
        return self.both(lambda words: words.say(text, **args))

    def players(self, n: int) -> str:
        return self.say("report-players", n=n)

    def sampled(self, title: str, sample: int, text: str) -> str:
        """A part, and of how many games it tells."""
        told = self.say("report-sample", n=whole(sample))
        return f'<div class="block"><h3>{title} <small>{told}</small></h3>{text}</div>'

    def said(self, text: str, **args: Any) -> str:
        """A paragraph; arguments may be functions of the words."""
        return (
            "<p>"
            + self.both(
                lambda words: words.say(text, **{name: of(words) if callable(of) else of for name, of in args.items()})
            )
            + "</p>"
        )

    def plot(self, drawn: str, axis: str) -> str:
        """A picture, with what its axis counts."""
        return f'<figure class="plot">{drawn}<figcaption>{self.say(axis)}</figcaption></figure>'

    def bot(self, name: str) -> Callable[[GameTexts], str]:
        if name.partition(":")[0] == POLICY:
            n = slip_interval(name)
            return lambda words: words.say("report-policy-slips", n=n) if n else words.say("report-policy")
        return lambda words: words.say(f"bot-{name}") if words.has(f"bot-{name}") else name

    def note(self, text: str, **args: Any) -> str:
        return f'<p class="note">{self.say(text, **args)}</p>'

    def option(self, game: Game, name: str, value: int) -> Callable[[GameTexts], str]:
        text = f"{game.id}-option-{name}"
        return lambda words: words.say(
            "report-variant-option",
            option=words.say(text),
            value=words.say(f"{text}.value-{value}") if words.has(f"{text}.value-{value}") else str(value),
        )

    def seat(self, at: int) -> str:
        return shield(at) + self.say(f"device-{SEAT_DEVICES[at]}")

    def ranges(self, title: str, rows: list[tuple[str, Figure]], par: float | None, unit: float = 100) -> str:
        """Figures below one another, with their intervals drawn."""
        scale = scale_of([figure for _, figure in rows], par)
        form = percent if unit == 100 else plain
        told = "".join(
            f'<tr><th scope="row">{name}</th><td>{standing_back(form(figure))}</td>'
            f'<td class="drawn">{drawn(figure, scale, par)}</td></tr>'
            for name, figure in rows
        )
        return f'<table class="ranges"><caption>{self.say(title)}</caption><tbody>{told}</tbody></table>'

    # --- what is told of the games of one plan ------------------------------------------------------------------------

    def length_of(self, m: Measures) -> str:
        of = m.spread["decisions"]
        return self.plot(plots.bars(of), "report-length-axis") + self.said(
            "report-length-said",
            low=quantile(of.at(0.25)),
            high=quantile(of.at(0.75)),
            long=quantile(of.at(0.95)),
            minutes=minutes(m.seconds()),
        )

    def seats_of(self, m: Measures) -> str:
        order, seats, test = m.each("place"), m.each("share"), m.equal("place")
        best, worst = (pick(range(m.players), key=lambda i: order[i].value) for pick in (max, min))
        text = self.said(
            "report-seats-differ" if test.p < SURE else "report-seats-equal",
            best=lambda words: words.say("report-place", n=best + 1),
            worst=lambda words: words.say("report-place", n=worst + 1),
            much=percent(order[best]),
            little=percent(order[worst]),
            p=chance(test),
        )
        places = [(self.say("report-order", n=i + 1), of) for i, of in enumerate(order)]
        text += self.ranges("report-by-order", places, 1 / m.players)
        text += self.ranges("report-by-seat", [(self.seat(i), of) for i, of in enumerate(seats)], 1 / m.players)
        return text + self.note("report-seats-test", p=chance(m.equal("share")))

    def points_of(self, m: Measures) -> str:
        points, margin = m.spread["points"], m.spread["margin"]
        text = self.plot(plots.bars(points), "report-points-axis")
        text += self.said("report-points-said", low=quantile(points.at(0.25)), high=quantile(points.at(0.75)))
        text += self.plot(plots.bars(margin), "report-margin-axis")
        return text + self.said(
            "report-margin-said",
            margin=plain(m.of("margin")),
            close=quantile(margin.at(0.1)),
            far=quantile(margin.at(0.9)),
        )

    def drama_of(self, m: Measures) -> str:
        image = plots.bars(m.spread["decided"], FINE / 100, 0, whole=False)
        return self.plot(image, "report-drama-axis") + self.said(
            "report-drama-said",
            always=percent(m.part("always")),
            late=percent(m.spread["decided"].share(FINE * 9 // 10)),
            leads=plain(m.of("leads")),
            behind=plain(m.of("behind")),
        )

    def choice_of(self, m: Measures) -> str:
        return self.said(
            "report-choice-said",
            branching=plain(branching(m)),
            forced=percent(m.ratio("forced", "decisions")),
            events=plain(m.of("events")),
        )

    def ties_of(self, m: Measures) -> str:
        return self.said("report-ties-said", tied=percent(m.part("tied")), broken=percent(m.part("broken")))

    def folded(self, title: str, sample: int, text: str, opened: bool) -> str:
        """A part that can be folded, and of how many games it tells."""
        told = self.say("report-sample", n=whole(sample))
        return (
            f"<details{' open' if opened else ''}><summary><h3>{title} <small>{told}</small></h3></summary>"
            f"{text}</details>"
        )

    def worth_of(self, game: Game, m: Measures) -> str:
        """Of every component of the game."""
        found = m.worth.found()
        used = [i for i, of in enumerate(found) if of.seats.value > 0]
        used.sort(key=lambda i: -(of.value if (of := found[i].points) else -inf))
        par = 1 / m.players
        scales = {
            name: scale_of([of for i in used if (of := getattr(found[i], name))], line)
            for name, line in (("points", 0.0), ("wins", 0.0), ("share", par))
        }
        rows = ""
        for i in used:
            of = found[i]
            rows += (
                f'<tr><th scope="row">{self.owned(game, i)}</th><td>{standing_back(percent(of.games))}</td>'
                f"<td>{standing_back(percent(of.seats))}</td>"
                f"<td>{standing_back(percent(of.share))}{drawn(of.share, scales['share'], par)}</td>"
                f"<td>{more(of.points, scales['points'])}</td><td>{more(of.wins, scales['wins'])}</td></tr>"
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
        text = spread("worth", head, rows)
        if any(found[i].points is None for i in used):
            text += self.note("report-components-open")
        text += self.listed(game, "never", [i for i, of in enumerate(found) if of.seats.value == 0])
        return text + self.listed(game, "always", [i for i, of in enumerate(found) if of.seats.value == 1])

    def owned(self, game: Game, at: int) -> str:
        return self.both(lambda words: words.owned(game.owned.decode(at).as_json()))

    def listed(self, game: Game, name: str, which: list[int]) -> str:
        if not which:
            return ""
        return self.said(
            f"report-components-{name}",
            names=lambda words: words.say("report-names-and").join(
                words.owned(game.owned.decode(i).as_json()) for i in which
            ),
        )

    def how_found(self, commands: str) -> str:
        return (
            f'<main class="method"><section><h2>{self.say("report-method")}</h2>'
            f"<p>{self.say('report-method-intervals', batches=BATCHES)}</p><p>{self.say('report-method-seed')}</p>"
            f"<p>{self.say('report-method-command')}:</p><pre>{escape(commands)}</pre></section></main>"
        )

    # --- the page -----------------------------------------------------------------------------------------------------

    def page(self, title: Callable[[str], str], body: str) -> str:
        """A whole page. `title`: in a language."""
        titled = " · ".join(map(title, LANGUAGES))
        choices = "".join(
            f'<label><input type="radio" name="language" value="{language}"'
            f'{" checked" if language == self.language else ""}><span lang="{language}">{named}</span></label>'
            for language, named in zip(LANGUAGES, ("English", "日本語"), strict=True)
        )
        logo = picture(SHELL_FOLDER / "logo.svg")
        style = "".join(
            file.read_text(encoding="utf-8") for file in (SHELL_FOLDER / "style" / "tokens.css", HERE / "report.css")
        )
        script = (HERE / "report.js").read_text(encoding="utf-8")
        shell = (
            f'<div class="bar"><img class="logo" src="{logo}" alt=""><b>{self.say("courtly")}</b>'
            f"<fieldset><legend>{self.say('report-language')}</legend>{choices}</fieldset></div>"
        )
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{escape(titled)}</title>\n<link rel="icon" href="{logo}">\n'
            f"<style>\n{fonts(shell + body)}\n{style}</style>\n<body>{shell}{body}<script>\n{script}</script>\n"
        )

    def of_game(self, game: Game, made: str, sections: Iterable[tuple[str, str, str]]) -> str:
        """What is told of a game: what was played, and sections, each a name, its title and what stands in it."""
        emblem = game.folder / EMBLEM_PATH
        image = f'<span class="emblem"><img src="{picture(emblem)}" alt=""></span>' if emblem.exists() else ""
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
        """With which options and numbers it was played, and what is to be known of the bots."""
        text = ""
        if options:
            text += self.said(
                "report-options",
                options=lambda words: words.say("report-names-and").join(
                    self.option(game, name, value)(words) for name, value in options.items()
                ),
            )
        if file:
            text += self.said("report-other-numbers", file=file.file)
        if POLICY in bots:
            text += self.said("report-policy-help")
        if bots == {RANDOM}:
            text += f'<p class="warning">{self.say("report-at-random")}</p>'
        return text


def branching(of: Measures) -> Figure:
    """Legal moves where there is a choice."""
    return of.ratio({"choices": 1, "forced": -1}, {"decisions": 1, "forced": -1})


def more(of: Figure | None, scale: tuple[float, float]) -> str:
    """What is more by it, if that can be told."""
    return UNLESS if of is None else standing_back(plain(of, sign=True)) + drawn(of, scale, 0.0)


def quantile(of: Figure) -> str:
    value, low, high = (whole(x) for x in of[:3])
    return f"{value} [{low}, {high}]"


def times(of: Figure, by: float) -> Figure:
    return Figure(of.value * by, of.low * by, of.high * by, of.sample)


def spread(kind: str, head: str, rows: str) -> str:
    """A table that may be wider than the page."""
    return f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def standing_back(text: str) -> str:
    """A figure whose interval stands back."""
    value, _, interval = text.partition(" ")
    return f'<span class="figure">{value} <small>{interval}</small></span>'


def scale_of(of: Iterable[Figure], par: float | None) -> tuple[float, float]:
    """From where to where intervals are drawn."""
    ends = [end for figure in of for end in figure[:3] if isfinite(end)] + ([] if par is None else [par])
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = (high - low or 1) * 0.04
    return low - room, high + room


def drawn(of: Figure, scale: tuple[float, float], par: float | None) -> str:
    """An interval, drawn; a line stands at what would be equal."""
    low, high = scale

    def at(value: float) -> str:
        return f"{100 * (min(max(value, low), high) - low) / (high - low):.1f}%"

    line = "" if par is None else f"--par:{at(par)};"
    apart = par is not None and (of.low > par or of.high < par)
    return (
        f'<span class="range{" apart" if apart else ""}{"" if par is None else " with-par"}" aria-hidden="true" '
        f'style="{line}--at:{at(of.value)};--from:{at(of.low)};--to:{at(of.high)}"></span>'
    )


def shield(seat: int) -> str:
    return f'<i class="shield" style="--seat: var(--seat-{seat})">{seat + 1}</i>'


def picture(file: Path) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(file.read_bytes()).decode()


def fonts(text: str) -> str:
    """The house's faces, as far as these words need them, inside the page."""
    css = (FONTS / "fonts.css").read_text(encoding="utf-8")
    letters = {ord(letter) for letter in text}
    wanted: dict[tuple[str, str], set[int]] = {}
    found = []
    for family, weight, file, ranges in reversed(FACE.findall(css)):  # of two with a letter the later one is taken
        if family not in FAMILIES or (family, weight) == ("Courtly Gothic", "700"):
            continue
        rest = wanted.setdefault((family, weight), letters - ASCII if family in JAPANESE else set(letters))
        covered = rest & _points(ranges)
        if covered:
            rest -= covered
            data = base64.b64encode((FONTS / file).read_bytes()).decode()
            found.append(
                f"@font-face{{font-family:{family};font-weight:{weight};src:url(data:font/woff2;base64,{data})"
                f"format('woff2');unicode-range:{ranges}}}"
            )
    return "\n".join(reversed(found))


def _points(ranges: str) -> set[int]:
    """The letters that a face is for."""
    found: set[int] = set()
    for one in ranges.removeprefix("U+").split(",U+"):
        low, _, high = one.partition("-")
        found.update(range(int(low, 16), int(high or low, 16) + 1))
    return found
