"""A report as one page that needs nothing else: both languages stand in it, and whoever reads chooses."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, inf, isfinite, log10
from pathlib import Path
from typing import Any

from courtly.bots import POLICY, RANDOM, slips
from courtly.engine.game import EMBLEM, LANGUAGES, Game, find_game
from courtly.lab.luck import Parts
from courtly.lab.measure import BATCHES, FINE, Component, Figure, Measures, Test
from courtly.lab.report import plots
from courtly.lab.report.gathered import Asked, Story, Table, Variant, figures, file_of, words_of
from courtly.review.said import DEVICES, Words
from courtly.texts import SHELL

HERE = Path(__file__).parent
FONTS = SHELL / "fonts"
JAPANESE = ("Courtly Gothic", "Courtly Mincho", "Courtly Signs")
FAMILIES = ("Courtly Sans", "Courtly Serif", *JAPANESE)
ASCII = set(range(0x80))
FACE = re.compile(
    r"@font-face\{font-family:([^;]+);font-weight:(\d+);font-style:normal;"
    r"[^}]*?url\(([\w-]+\.woff2)\)[^}]*?unicode-range:([^}]+)\}"
)
LONGEST = 1 << 20  # bytes of a record that a house reads
SURE = 0.01  # differences of seats are told of below this chance
Number = Callable[[float], str]
UNLESS = "–"  # stands where there is no figure


def whole(value: float) -> str:
    return f"{value:,.0f}".replace("-", "\N{MINUS SIGN}")


def shown(of: Figure, unit: float = 1, sign: bool = False, most: int = 4) -> tuple[str, str]:
    """A figure and its interval, with as many digits as the interval has to tell: of half its length one, two where
    that begins with a 1 or 2."""
    reach = (of.high - of.low) * unit / 2
    digits = max(0, min(most, ceil(log10(3 / reach)))) if isfinite(reach) and reach > 0 else min(most, 1)
    form = f"{{:{'+' if sign else ''},.{digits}f}}"
    value, low, high = (
        form.format(x * unit).replace("-", "\N{MINUS SIGN}") if isfinite(x) else ("∞" if x > 0 else "\N{MINUS SIGN}∞")
        for x in of[:3]
    )
    return value, f"[{low}, {high}]"


def minutes(of: Figure) -> str:
    return " ".join(shown(of, 1 / 60, most=1))


def percent(of: Figure) -> str:
    value, interval = shown(of, 100)
    return f"{value}% {interval}"


def plain(of: Figure, unit: float = 1, sign: bool = False) -> str:
    return " ".join(shown(of, unit, sign))


def chance(of: Test) -> str:
    return "p\u00a0<\u00a00.001" if of.p < 0.001 else f"p\u00a0=\u00a0{of.p:.{2 if of.p >= 0.1 else 3}f}"


class Page:
    """The page of one run. `house`: where games are played back."""

    def __init__(self, reports: Sequence[tuple[Asked, list[Table]]], language: str, house: str):
        self.reports, self.language, self.house = reports, language, house.rstrip("/")
        self.words = {one: words_of(reports[0][0].game, one) for one in LANGUAGES}

    # --- words --------------------------------------------------------------------------------------------------------

    def both(self, told: Callable[[Words], str]) -> str:
        """What is told in each language."""
        texts = {language: told(words) for language, words in self.words.items()}
        if len(set(texts.values())) == 1:
            return escape(texts[LANGUAGES[0]])
        return "".join(f'<span lang="{language}">{escape(text)}</span>' for language, text in texts.items())

    def say(self, text: str, **args: Any) -> str:
        return self.both(lambda words: words.say(text, **args))

    def players(self, n: int) -> str:
        return self.say("report-players", n=n)

    def said(self, text: str, **args: Any) -> str:
        """A paragraph; arguments may be functions of the words."""
        return "<p>" + self.both(
            lambda words: words.say(text, **{name: of(words) if callable(of) else of for name, of in args.items()})
        ) + "</p>"  # fmt: skip

    def block(self, table: Table, text: str, sample: int | None = None) -> str:
        """What there is to say for a number of players, and of how many games it is said."""
        told = self.say("report-sample", n=whole(table.measures.games if sample is None else sample))
        return f'<div class="block"><h3>{self.players(table.plan.players)} <small>{told}</small></h3>{text}</div>'

    def plot(self, drawn: str, axis: str) -> str:
        """A picture, with what its axis counts."""
        return f'<figure class="plot">{drawn}<figcaption>{self.say(axis)}</figcaption></figure>'

    def bot(self, name: str) -> Callable[[Words], str]:
        if name.partition(":")[0] == POLICY:
            n = slips(name)
            return lambda words: words.say("report-policy-slips", n=n) if n else words.say("report-policy")
        return lambda words: words.say(f"bot-{name}") if words.has(f"bot-{name}") else name

    def note(self, text: str, **args: Any) -> str:
        return f'<p class="note">{self.say(text, **args)}</p>'

    # --- the page -----------------------------------------------------------------------------------------------------

    def html(self) -> str:
        body = "".join(self.report(asked, tables) for asked, tables in self.reports)
        title = " · ".join(
            words.say(
                "report-title", game=" · ".join(words_of(asked.game, one).say(asked.game) for asked, _ in self.reports)
            )
            for one, words in self.words.items()
        )
        choices = "".join(
            f'<label><input type="radio" name="language" value="{language}"'
            f'{" checked" if language == self.language else ""}><span lang="{language}">{named}</span></label>'
            for language, named in zip(LANGUAGES, ("English", "日本語"), strict=True)
        )
        logo = _picture(SHELL / "logo.svg")
        style = (SHELL / "style" / "tokens.css").read_text(encoding="utf-8") + (HERE / "page.css").read_text(
            encoding="utf-8"
        )
        script = (HERE / "page.js").read_text(encoding="utf-8")
        shell = (
            f'<div class="bar"><img class="logo" src="{logo}" alt=""><b>{self.say("courtly")}</b>'
            f"<fieldset><legend>{self.say('report-language')}</legend>{choices}</fieldset></div>"
        )
        method = self.method()
        faces = fonts(shell + body + method)
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{escape(title)}</title>\n<link rel="icon" href="{logo}">\n'
            f"<style>\n{faces}\n{style}</style>\n<body>{shell}{body}{method}<script>\n{script}</script>\n"
        )

    def report(self, asked: Asked, tables: list[Table]) -> str:
        game = find_game(asked.game)
        self.words = {one: words_of(game.id, one) for one in LANGUAGES}
        colour = game.card["colour"]
        sections = [
            ("glance", self.glance(game, tables)),
            ("length", self.length(tables)),
            ("seats", self.seats(tables)),
            ("scores", self.scores(tables)),
            ("drama", self.drama(tables)),
            ("choice", self.choice(tables)),
            ("skill", self.skill(asked, tables)),
            ("components", self.components(game, tables)),
            ("ties", self.ties(tables)),
            ("variants", self.variants(game, tables)),
            ("games", self.stories(asked, tables)),
        ]
        emblem = game.folder / EMBLEM
        picture = f'<span class="emblem"><img src="{_picture(emblem)}" alt=""></span>' if emblem.exists() else ""
        told = "".join(
            f'<section class="{name}" aria-labelledby="{asked.game}-{name}"><h2 id="{asked.game}-{name}">'
            f"{self.say(f'report-{name}')}</h2>{text}</section>"
            for name, text in sections
            if text
        )
        return (
            f'<main style="--tint: var(--{colour})"><header class="title">{picture}<div><p class="eyebrow">'
            f"{self.say('report-eyebrow')}</p><h1>{self.say(asked.game)}</h1>{self.made(game, asked)}</div></header>"
            f"{told}</main>"
        )

    def made(self, game: Game, asked: Asked) -> str:
        """What was played."""
        text = "<p>" + self.both(
            lambda words: words.say(
                "report-made",
                games=whole(asked.games),
                bot=self.bot(asked.bots)(words),
                version=game.version,
                seed=str(asked.seed),
            )
        ) + "</p>"  # fmt: skip
        if asked.options:
            text += "<p>" + self.both(
                lambda words: words.say(
                    "report-options",
                    options=words.say("report-names-and").join(
                        self.option(game, name, value)(words) for name, value in asked.options.items()
                    ),
                )
            ) + "</p>"  # fmt: skip
        if asked.bots == POLICY:
            text += f"<p>{self.say('report-policy-help')}</p>"
        if asked.bots == RANDOM:
            text += f'<p class="warning">{self.say("report-at-random")}</p>'
        return text

    def option(self, game: Game, name: str, value: int) -> Callable[[Words], str]:
        text = f"{game.id}-option-{name}"
        return lambda words: words.say(
            "report-variant-option",
            option=words.say(text),
            value=words.say(f"{text}.value-{value}") if words.has(f"{text}.value-{value}") else str(value),
        )

    # --- its sections -------------------------------------------------------------------------------------------------

    def glance(self, game: Game, tables: list[Table]) -> str:
        share = "{:.1%}".format
        rows: list[tuple[str, Callable[[Measures], Figure], Any, Any]] = [
            ("decisions", lambda m: m.of("decisions"), plain, None),
            ("turns", lambda m: m.of("turns"), plain, None),
            ("events", lambda m: m.of("events"), plain, None),
            ("minutes", lambda m: m.seconds(), minutes, None),
            ("first", lambda m: m.each("place")[0], percent, lambda m: share(1 / m.players)),
            ("margin", lambda m: m.of("margin"), plain, None),
            ("tied", lambda m: m.part("tied"), percent, None),
            ("decided", lambda m: m.of("decided"), lambda f: percent(_times(f, 1 / FINE)), None),
            ("always", lambda m: m.part("always"), percent, None),
            ("leads", lambda m: m.of("leads"), plain, None),
            ("forced", lambda m: m.ratio("forced", "decisions"), percent, None),
            ("branching", branching, plain, None),
        ]
        head = "".join(
            f'<th scope="col">{self.players(t.plan.players)}'
            f"<small>{self.say('report-sample', n=whole(t.measures.games))}</small></th>"
            for t in tables
        )
        body = ""
        for name, of, form, par in rows:
            cells = "".join(
                f"<td>{_figure(form(of(t.measures)))}"
                + (f"<small>{self.say('report-even', share=par(t.measures))}</small>" if par else "")
                + "</td>"
                for t in tables
            )
            box = self.say("report-box", minutes=game.card["minutes"]) if name == "minutes" else ""
            body += f'<tr><th scope="row">{self.say(f"report-{name}")}<small>{box}</small></th>{cells}</tr>'
        table = f'<div class="wide"><table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        return table + self.note("report-read")

    def length(self, tables: list[Table]) -> str:
        blocks = ""
        for t in tables:
            of, m = t.measures.spread["decisions"], t.measures
            text = self.said(
                "report-length-said",
                low=quantile(of.at(0.25)),
                high=quantile(of.at(0.75)),
                long=quantile(of.at(0.95)),
                minutes=minutes(m.seconds()),
            )
            blocks += self.block(t, self.plot(plots.bars(of), "report-length-axis") + text)
        pace = tables[0].measures.pace
        notes = self.note("report-length-note", choice=pace.choice, rest=pace.rest) + self.note("report-plots-note")
        return f'<div class="blocks">{blocks}</div>{notes}'

    def seats(self, tables: list[Table]) -> str:
        blocks = ""
        for t in tables:
            m, n = t.measures, t.plan.players
            order, seats, test = m.each("place"), m.each("share"), m.equal("place")
            best, worst = (pick(range(n), key=lambda i: order[i].value) for pick in (max, min))
            text = self.said(
                "report-seats-differ" if test.p < SURE else "report-seats-equal",
                best=lambda words, i=best: words.say("report-place", n=i + 1),
                worst=lambda words, i=worst: words.say("report-place", n=i + 1),
                much=percent(order[best]),
                little=percent(order[worst]),
                p=chance(test),
            )
            places = [(self.say("report-order", n=i + 1), of) for i, of in enumerate(order)]
            text += self.ranges("report-by-order", places, 1 / n)
            text += self.ranges("report-by-seat", [(self.seat(i), of) for i, of in enumerate(seats)], 1 / n)
            text += self.note("report-seats-test", p=chance(m.equal("share")))
            blocks += self.block(t, text)
        return f'<div class="blocks">{blocks}</div>{self.note("report-ranges-note")}'

    def seat(self, at: int) -> str:
        return _shield(at) + self.say(f"device-{DEVICES[at]}")

    def ranges(self, title: str, rows: list[tuple[str, Figure]], par: float | None, unit: float = 100) -> str:
        """Figures below one another, with their intervals drawn."""
        scale = _scale([figure for _, figure in rows], par)
        told = "".join(
            f'<tr><th scope="row">{name}</th><td>{_figure(percent(figure) if unit == 100 else plain(figure))}</td>'
            f'<td class="drawn">{_range(figure, scale, par)}</td></tr>'
            for name, figure in rows
        )
        return f'<table class="ranges"><caption>{self.say(title)}</caption><tbody>{told}</tbody></table>'

    def scores(self, tables: list[Table]) -> str:
        blocks = ""
        for t in tables:
            points, margin = t.measures.spread["points"], t.measures.spread["margin"]
            text = self.plot(plots.bars(points), "report-points-axis")
            text += self.said("report-points-said", low=quantile(points.at(0.25)), high=quantile(points.at(0.75)))
            text += self.plot(plots.bars(margin), "report-margin-axis")
            text += self.said(
                "report-margin-said",
                margin=plain(t.measures.of("margin")),
                close=quantile(margin.at(0.1)),
                far=quantile(margin.at(0.9)),
            )
            blocks += self.block(t, text)
        return f'<div class="blocks">{blocks}</div>'

    def drama(self, tables: list[Table]) -> str:
        blocks = ""
        for t in tables:
            m = t.measures
            text = self.said(
                "report-drama-said",
                always=percent(m.part("always")),
                late=percent(m.spread["decided"].share(FINE * 9 // 10)),
                leads=plain(m.of("leads")),
                behind=plain(m.of("behind")),
            )
            drawn = plots.bars(m.spread["decided"], FINE / 100, 0, whole=False)
            blocks += self.block(t, self.plot(drawn, "report-drama-axis") + text)
        return f'<div class="blocks">{blocks}</div>{self.note("report-drama-note")}'

    def choice(self, tables: list[Table]) -> str:
        blocks = "".join(
            self.block(
                t,
                self.said(
                    "report-choice-said",
                    branching=plain(branching(t.measures)),
                    forced=percent(t.measures.ratio("forced", "decisions")),
                    events=plain(t.measures.of("events")),
                ),
            )
            for t in tables
        )
        return f'<div class="blocks">{blocks}</div>'

    def skill(self, asked: Asked, tables: list[Table]) -> str:
        blocks = ""
        for t in tables:
            if t.parts is None:
                continue
            weak, strong = asked.levels[-2:]
            rows = [
                (self.say(f"report-skill-{name}"), _positive(getattr(t.parts, name)))
                for name in ("strength", "seats", "chance", "rest")
            ]
            ladder = [(self.both(self.bot(name)), figure) for name, figure in t.ladder]
            text = _stack(t.parts) + self.ranges("report-skill-part", rows, None)
            text += self.said(
                "report-skill-said", strong=self.bot(strong), weak=self.bot(weak), won=percent(t.parts.won)
            )
            blocks += self.block(t, text + self.ranges("report-rating", ladder, None, 1), t.parts.won.sample)
        if not blocks:
            return ""
        notes = self.note("report-skill-note") + self.note("report-rating-note")
        return f'<div class="blocks">{blocks}</div>{notes}'

    def components(self, game: Game, tables: list[Table]) -> str:
        if not game.owned.total:
            return self.note("report-components-none")
        return "".join(self.worth(game, t, at == 0) for at, t in enumerate(tables)) + self.note(
            "report-components-note"
        )

    def worth(self, game: Game, table: Table, opened: bool) -> str:
        found = table.measures.worth.found()
        used = [i for i, of in enumerate(found) if of.seats.value > 0]
        used.sort(key=lambda i: -(of.value if (of := found[i].points) else -inf))
        scales = {
            name: _scale([of for i in used if (of := getattr(found[i], name))], par)
            for name, par in (("points", 0.0), ("wins", 0.0), ("share", 1 / table.plan.players))
        }
        rows = ""
        for i in used:
            of = found[i]
            rows += (
                f'<tr><th scope="row">{self.owned(game, i)}</th><td>{_figure(percent(of.games))}</td>'
                f"<td>{_figure(percent(of.seats))}</td>"
                f"<td>{_figure(percent(of.share))}{_range(of.share, scales['share'], 1 / table.plan.players)}</td>"
                f"<td>{self.told(of.points, scales['points'])}</td><td>{self.told(of.wins, scales['wins'])}</td></tr>"
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
        sample = self.say("report-sample", n=whole(table.measures.games))
        listed = self.listed(game, "never", [i for i, of in enumerate(found) if of.seats.value == 0])
        listed += self.listed(game, "always", [i for i, of in enumerate(found) if of.seats.value == 1])
        return (
            f"<details{' open' if opened else ''}><summary><h3>{self.players(table.plan.players)} "
            f'<small>{sample}</small></h3></summary><div class="wide"><table class="worth"><thead><tr>{head}</tr>'
            f"</thead><tbody>{rows}</tbody></table></div>{listed}</details>"
        )

    def told(self, of: Figure | None, scale: tuple[float, float]) -> str:
        if of is None:
            return f'<abbr title="{escape(self.words[self.language].say("report-components-open"))}">{UNLESS}</abbr>'
        return _figure(plain(of, sign=True)) + _range(of, scale, 0.0)

    def owned(self, game: Game, at: int) -> str:
        return self.both(lambda words: words.owned(game.owned.decode(at).as_json()))

    def listed(self, game: Game, name: str, which: list[int]) -> str:
        if not which:
            return ""
        return "<p>" + self.both(
            lambda words: words.say(
                f"report-components-{name}",
                names=words.say("report-names-and").join(words.owned(game.owned.decode(i).as_json()) for i in which),
            )
        ) + "</p>"  # fmt: skip

    def ties(self, tables: list[Table]) -> str:
        blocks = "".join(
            self.block(
                t,
                self.said(
                    "report-ties-said", tied=percent(t.measures.part("tied")), broken=percent(t.measures.part("broken"))
                ),
            )
            for t in tables
        )
        return f'<div class="blocks">{blocks}</div>'

    def variants(self, game: Game, tables: list[Table]) -> str:
        return "".join(self.side_by_side(game, t, at == 0) for at, t in enumerate(tables))

    def side_by_side(self, game: Game, table: Table, opened: bool) -> str:
        head = "".join(
            f'<th scope="col">{self.say(f"report-{name}")}</th>' for name in ("variant", *figures(table.measures))
        )
        usual = self.row(self.say("report-variant-usual"), figures(table.measures), frozenset())
        rows = "".join(self.row(self.variant(game, v), v.figures, v.different) for v in table.variants)
        if not rows:
            return f"<h3>{self.players(table.plan.players)}</h3>{self.note('report-variants-none')}"
        sample = table.variants[0].figures["margin"].sample
        return (
            f"<details{' open' if opened else ''}><summary><h3>{self.players(table.plan.players)}</h3></summary>"
            f'<div class="wide"><table class="variants"><thead><tr>{head}</tr></thead><tbody>{usual}{rows}</tbody>'
            f"</table></div>{self.note('report-variants-note', games=whole(sample))}</details>"
        )

    def variant(self, game: Game, of: Variant) -> str:
        if of.preset:
            return self.both(
                lambda words: words.say("report-variant-preset", name=words.say(f"{game.id}-preset-{of.preset}"))
            )
        return self.both(self.option(game, of.option, of.value))

    def row(self, name: str, of: dict[str, Figure], different: frozenset[str]) -> str:
        cells = ""
        for key, figure in of.items():
            share = key in ("first", "tied", "decided", "forced")
            told = _figure(percent(figure) if share else plain(figure))
            cells += f'<td class="{"different" if key in different else ""}">{told}</td>'
        return f'<tr><th scope="row">{name}</th>{cells}</tr>'

    def stories(self, asked: Asked, tables: list[Table]) -> str:
        told = "".join(
            f'<h3>{self.players(t.plan.players)}</h3><div class="stories">'
            + "".join(self.story(asked, t, story) for story in t.stories)
            + "</div>"
            for t in tables
        )
        return told + self.note("report-story-note")

    def story(self, asked: Asked, table: Table, of: Story) -> str:
        kind, number, value = of.extreme
        packed = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = base64.urlsafe_b64encode(packed.compress(of.record.encode()) + packed.flush()).decode().rstrip("=")
        file = file_of(asked, table, of)
        best = max(of.scores)
        scores = "".join(
            f"<li{' class=won' if score == best else ''}>{self.seat(seat)} <b>{whole(score)}</b></li>"
            for seat, score in enumerate(of.scores)
        )
        log = "".join(
            f'<ol lang="{language}" start="{of.left_out + 1}">'
            + "".join(
                f"<li>{_shield(seat) if seat >= 0 else '<i></i>'}<span>{escape(text)}</span></li>"
                for seat, text in lines
            )
            + "</ol>"
            for language, lines in of.log.items()
        )
        left_out = self.note("report-story-left-out", n=whole(of.left_out)) if of.left_out else ""
        opened = (
            f'<a class="button" href="{escape(self.house)}/replay#record={data}" target="_blank" rel="noopener">'
            f"{self.say('report-story-open')}</a>"
            if len(of.record) < LONGEST
            else self.note("report-story-long")
        )
        return (
            f"<article><h4>{self.say(f'report-story-{kind}')}</h4><p>"
            f"<b>{self.say(f'report-story-{kind}-said', n=whole(value))}</b> "
            f"<small>{self.say('report-story-number', number=whole(number))}</small></p>"
            f'<ul class="result">{scores}</ul>'
            f'<p class="buttons">{opened}<a class="button quiet" download="{file}" data-record="{data}" href="#">'
            f"{self.say('report-story-save')}</a></p>"
            f'<details class="log"><summary>{self.say("report-story-log")}</summary>{left_out}{log}</details></article>'
        )

    def method(self) -> str:
        commands = "\n".join(asked.command for asked, _ in self.reports)
        return (
            f'<main class="method"><section><h2>{self.say("report-method")}</h2>'
            f"<p>{self.say('report-method-intervals', batches=BATCHES)}</p><p>{self.say('report-method-seed')}</p>"
            f"<p>{self.say('report-method-command')}:</p><pre>{escape(commands)}</pre></section></main>"
        )


def branching(of: Measures) -> Figure:
    """Legal moves where there is a choice."""
    return of.ratio({"choices": 1, "forced": -1}, {"decisions": 1, "forced": -1})


def quantile(of: Figure) -> str:
    value, low, high = (whole(x) for x in of[:3])
    return f"{value} [{low}, {high}]"


def _times(of: Figure, by: float) -> Figure:
    return Figure(of.value * by, of.low * by, of.high * by, of.sample)


def _positive(of: Figure) -> Figure:
    """A part of a whole, which is not less than nothing, though an estimate may be."""
    return Figure(max(0.0, of.value), max(0.0, of.low), max(0.0, of.high), of.sample)


def _figure(text: str) -> str:
    """A figure whose interval stands back."""
    value, _, interval = text.partition(" ")
    return f'<span class="figure">{value} <small>{interval}</small></span>'


def _scale(of: Iterable[Figure], par: float | None) -> tuple[float, float]:
    """From where to where intervals are drawn."""
    ends = [end for figure in of for end in figure[:3] if isfinite(end)] + ([] if par is None else [par])
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = (high - low or 1) * 0.04
    return low - room, high + room


def _range(of: Figure, scale: tuple[float, float], par: float | None) -> str:
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


def _stack(parts: Parts) -> str:
    """The parts of the whole, side by side."""
    shares = [max(0.0, figure.value) for figure in (parts.strength, parts.seats, parts.chance, parts.rest)]
    total = sum(shares) or 1
    bars = "".join(f'<span style="width:{100 * share / total:.2f}%"></span>' for share in shares)
    return f'<div class="stack" aria-hidden="true">{bars}</div>'


def _shield(seat: int) -> str:
    return f'<i class="shield" style="--seat: var(--seat-{seat})">{seat + 1}</i>'


def _picture(file: Path) -> str:
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


def as_json(reports: Sequence[tuple[Asked, list[Table]]]) -> str:
    """Every figure of the page, for programs."""

    def told(of: Any) -> Any:
        if isinstance(of, Figure):
            ends = [x if isfinite(x) else None for x in of[:3]]
            return dict(zip(("value", "low", "high"), ends, strict=True)) | {"sample": of.sample}
        if isinstance(of, (Test, Component, Parts)):
            return {name: told(value) for name, value in of._asdict().items()}
        return of

    games = []
    for asked, tables in reports:
        game = find_game(asked.game)
        rows = []
        for t in tables:
            m = t.measures
            worth = zip(game.owned.named(range(game.owned.total)), m.worth.found(), strict=False)
            rows.append(
                {
                    "players": t.plan.players,
                    "games": m.games,
                    "figures": {name: told(of) for name, of in figures(m).items()}
                    | {name: told(m.of(name)) for name in ("turns", "events", "leads", "behind")}
                    | {name: told(m.part(name)) for name in ("broken", "always")}
                    | {"branching": told(branching(m))},
                    "by_order": [told(of) for of in m.each("place")],
                    "by_seat": [told(of) for of in m.each("share")],
                    "order_test": told(m.equal("place")),
                    "seat_test": told(m.equal("share")),
                    "luck": None if t.parts is None else told(t.parts),
                    "ladder": [{"bot": name, "rating": told(of)} for name, of in t.ladder],
                    "components": [{"component": str(move), **told(of)} for move, of in worth],
                    "variants": [
                        {
                            **({"preset": v.preset} if v.preset else {"option": v.option, "value": v.value}),
                            "figures": {name: told(of) for name, of in v.figures.items()},
                            "different": sorted(v.different),
                        }
                        for v in t.variants
                    ],
                    "extremes": [{**s.extreme._asdict(), "scores": s.scores} for s in t.stories],
                }
            )
        games.append({**asked._asdict(), "command": asked.command, "version": game.version, "tables": rows})
    return json.dumps({"games": games}, ensure_ascii=False, indent=1) + "\n"
