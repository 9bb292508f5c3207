"""A report as one self-contained HTML page in all languages, between which the reader can switch."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from html import escape
from math import isfinite
from typing import Any

from courtly.engine.game import Game, find_game
from courtly.lab.report.collect import (
    NotableGame,
    OptionVariant,
    PlayerCountReport,
    ReportRequest,
    load_words,
    record_file_name,
    variant_estimates,
)
from courtly.lab.report.html_builder import (
    ReportPage,
    dim_interval,
    format_minutes,
    format_percent,
    format_plain,
    format_whole,
    mean_branching,
    scale_estimate,
    shield_icon,
)
from courtly.lab.statistics.game_measures import PROGRESS_PARTS, ComponentWorth, Estimate, GameMeasures, HypothesisTest
from courtly.lab.statistics.variance_decomposition import VarianceParts

MAX_RECORD_BYTES = 1 << 20  # largest record that a server accepts


class GameReport(ReportPage):
    """The page of one run. `house`: the address of the server that replays records."""

    def __init__(self, reports: Sequence[tuple[ReportRequest, list[PlayerCountReport]]], language: str, house: str):
        super().__init__(reports[0][0].game, language)
        self.reports, self.house = reports, house.rstrip("/")

    def table_section(self, table: PlayerCountReport, text: str, sample: int | None = None) -> str:
        """Return a section for a number of players, headed by the number of games."""
        many = table.measures.games if sample is None else sample
        return self.section(self.players(table.plan.players), many, text)

    # --- the page -----------------------------------------------------------------------------------------------------

    def html(self) -> str:
        """Return the whole page."""
        body = "".join(self.report(asked, tables) for asked, tables in self.reports)
        return self.page(
            lambda language: load_words(self.reports[0][0].game, language).say(
                "report-title",
                game=" · ".join(load_words(asked.game, language).say(asked.game) for asked, _ in self.reports),
            ),
            body + self.method(),
        )

    def report(self, asked: ReportRequest, tables: list[PlayerCountReport]) -> str:
        """Return the article on one game."""
        game = find_game(asked.game)
        self.use_words_of(game.id)
        sections = [
            ("glance", self.overview(game, tables)),
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
        made = self.paragraph(
            "report-made",
            games=format_whole(asked.games),
            bot=self.bot(asked.bots),
            version=game.version,
            seed=str(asked.seed),
        )
        made += self.settings(game, asked.options, asked.components, {asked.bots})
        return self.game_article(game, made, [(name, f"report-{name}", text) for name, text in sections])

    # --- its sections -------------------------------------------------------------------------------------------------

    def overview(self, game: Game, tables: list[PlayerCountReport]) -> str:
        """Return the table of the main figures."""
        share = "{:.1%}".format
        rows: list[tuple[str, Callable[[GameMeasures], Estimate], Any, Any]] = [
            ("decisions", lambda m: m.of("decisions"), format_plain, None),
            ("turns", lambda m: m.of("turns"), format_plain, None),
            ("events", lambda m: m.of("events"), format_plain, None),
            ("minutes", lambda m: m.seconds(), format_minutes, None),
            ("first", lambda m: m.each("place")[0], format_percent, lambda m: share(1 / m.players)),
            ("margin", lambda m: m.of("margin"), format_plain, None),
            ("tied", lambda m: m.part("tied"), format_percent, None),
            (
                "decided",
                lambda m: m.of("decided"),
                lambda f: format_percent(scale_estimate(f, 1 / PROGRESS_PARTS)),
                None,
            ),
            ("always", lambda m: m.part("always"), format_percent, None),
            ("leads", lambda m: m.of("leads"), format_plain, None),
            ("forced", lambda m: m.ratio("forced", "decisions"), format_percent, None),
            ("branching", mean_branching, format_plain, None),
        ]
        head = "".join(
            f'<th scope="col">{self.players(t.plan.players)}'
            f"<small>{self.say('report-sample', n=format_whole(t.measures.games))}</small></th>"
            for t in tables
        )
        body = ""
        for name, of, form, par in rows:
            cells = "".join(
                f"<td>{dim_interval(form(of(t.measures)))}"
                + (f"<small>{self.say('report-even', share=par(t.measures))}</small>" if par else "")
                + "</td>"
                for t in tables
            )
            box = self.say("report-box", minutes=game.card["minutes"]) if name == "minutes" else ""
            body += f'<tr><th scope="row">{self.say(f"report-{name}")}<small>{box}</small></th>{cells}</tr>'
        table = f'<div class="wide"><table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        return table + self.note("report-read")

    def table_sections(self, tables: list[PlayerCountReport], of: Callable[[GameMeasures], str]) -> str:
        """Return a section for each number of players."""
        return f'<div class="blocks">{"".join(self.table_section(t, of(t.measures)) for t in tables)}</div>'

    def length(self, tables: list[PlayerCountReport]) -> str:
        """Return the section on the length of games."""
        pace = tables[0].measures.pace
        notes = self.note("report-length-note", choice=pace.choice, rest=pace.rest) + self.note("report-plots-note")
        return self.table_sections(tables, self.length_section) + notes

    def seats(self, tables: list[PlayerCountReport]) -> str:
        """Return the section on the fairness of seats."""
        return self.table_sections(tables, self.seats_section) + self.note("report-ranges-note")

    def scores(self, tables: list[PlayerCountReport]) -> str:
        """Return the section on points."""
        return self.table_sections(tables, self.points_section)

    def drama(self, tables: list[PlayerCountReport]) -> str:
        """Return the section on when games are decided."""
        return self.table_sections(tables, self.drama_section) + self.note("report-drama-note")

    def choice(self, tables: list[PlayerCountReport]) -> str:
        """Return the section on the number of legal moves."""
        return self.table_sections(tables, self.choice_section)

    def skill(self, asked: ReportRequest, tables: list[PlayerCountReport]) -> str:
        """Return the section on luck and skill; "" without results."""
        blocks = ""
        for t in tables:
            if t.parts is None:
                continue
            weak, strong = asked.levels[-2:]
            rows = [
                (self.say(f"report-skill-{name}"), _clip_at_zero(getattr(t.parts, name)))
                for name in ("strength", "seats", "chance", "rest")
            ]
            ladder = [(self.in_each_language(self.bot(name)), figure) for name, figure in t.ladder]
            text = _stacked_bar(t.parts) + self.ranges("report-skill-part", rows, None)
            text += self.paragraph(
                "report-skill-said", strong=self.bot(strong), weak=self.bot(weak), won=format_percent(t.parts.won)
            )
            blocks += self.table_section(t, text + self.ranges("report-rating", ladder, None, 1), t.parts.won.sample)
        if not blocks:
            return ""
        notes = self.note("report-skill-note") + self.note("report-rating-note")
        return f'<div class="blocks">{blocks}</div>{notes}'

    def components(self, game: Game, tables: list[PlayerCountReport]) -> str:
        """Return the section on the worth of components."""
        if not game.owned.total:
            return self.note("report-components-none")
        told = "".join(
            self.folded_section(
                self.players(t.plan.players), t.measures.games, self.worth_table(game, t.measures), at == 0
            )
            for at, t in enumerate(tables)
        )
        return told + self.note("report-components-note")

    def ties(self, tables: list[PlayerCountReport]) -> str:
        """Return the section on ties."""
        return self.table_sections(tables, self.ties_section)

    def variants(self, game: Game, tables: list[PlayerCountReport]) -> str:
        """Return the section on options and presets."""
        return "".join(self.side_by_side(game, t, at == 0) for at, t in enumerate(tables))

    def side_by_side(self, game: Game, table: PlayerCountReport, opened: bool) -> str:
        """Return the table of variants for a number of players."""
        head = "".join(
            f'<th scope="col">{self.say(f"report-{name}")}</th>'
            for name in ("variant", *variant_estimates(table.measures))
        )
        usual = self.row(self.say("report-variant-usual"), variant_estimates(table.measures), frozenset())
        rows = "".join(self.row(self.variant(game, v), v.figures, v.different) for v in table.variants)
        if not rows:
            return f"<h3>{self.players(table.plan.players)}</h3>{self.note('report-variants-none')}"
        sample = table.variants[0].figures["margin"].sample
        return (
            f"<details{' open' if opened else ''}><summary><h3>{self.players(table.plan.players)}</h3></summary>"
            f'<div class="wide"><table class="variants"><thead><tr>{head}</tr></thead><tbody>{usual}{rows}</tbody>'
            f"</table></div>{self.note('report-variants-note', games=format_whole(sample))}</details>"
        )

    def variant(self, game: Game, of: OptionVariant) -> str:
        """Return the name of a variant."""
        if of.preset:
            return self.in_each_language(
                lambda words: words.say("report-variant-preset", name=words.say(f"{game.id}-preset-{of.preset}"))
            )
        return self.in_each_language(self.option(game, of.option, of.value))

    def row(self, name: str, of: dict[str, Estimate], different: frozenset[str]) -> str:
        """Return a row of the table of variants."""
        cells = ""
        for key, figure in of.items():
            share = key in ("first", "tied", "decided", "forced")
            told = dim_interval(format_percent(figure) if share else format_plain(figure))
            cells += f'<td class="{"different" if key in different else ""}">{told}</td>'
        return f'<tr><th scope="row">{name}</th>{cells}</tr>'

    def stories(self, asked: ReportRequest, tables: list[PlayerCountReport]) -> str:
        """Return the section on notable games."""
        told = "".join(
            f'<h3>{self.players(t.plan.players)}</h3><div class="stories">'
            + "".join(self.story(asked, t, story) for story in t.stories)
            + "</div>"
            for t in tables
        )
        return told + self.note("report-story-other-numbers" if asked.components else "report-story-note")

    def story(self, asked: ReportRequest, table: PlayerCountReport, of: NotableGame) -> str:
        """Return the article on a notable game."""
        kind, number, value = of.extreme
        packed = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = base64.urlsafe_b64encode(packed.compress(of.record.encode()) + packed.flush()).decode().rstrip("=")
        file = record_file_name(asked, table, of)
        best = max(of.scores)
        scores = "".join(
            f"<li{' class=won' if score == best else ''}>{self.seat(seat)} <b>{format_whole(score)}</b></li>"
            for seat, score in enumerate(of.scores)
        )
        log = "".join(
            f'<ol lang="{language}" start="{of.left_out + 1}">'
            + "".join(
                f"<li>{shield_icon(seat) if seat >= 0 else '<i></i>'}<span>{escape(text)}</span></li>"
                for seat, text in lines
            )
            + "</ol>"
            for language, lines in of.log.items()
        )
        left_out = self.note("report-story-left-out", n=format_whole(of.left_out)) if of.left_out else ""
        opened = (
            f'<a class="button" href="{escape(self.house)}/replay#record={data}" target="_blank" rel="noopener">'
            f"{self.say('report-story-open')}</a>"
            if len(of.record) < MAX_RECORD_BYTES
            else self.note("report-story-long")
        )
        buttons = (
            f'<p class="buttons">{opened}<a class="button quiet" download="{file}" data-record="{data}" href="#">'
            f"{self.say('report-story-save')}</a></p>"
            if not asked.components
            else ""
        )
        return (
            f"<article><h4>{self.say(f'report-story-{kind}')}</h4><p>"
            f"<b>{self.say(f'report-story-{kind}-said', n=format_whole(value))}</b> "
            f"<small>{self.say('report-story-number', number=format_whole(number))}</small></p>"
            f'<ul class="result">{scores}</ul>'
            f'{buttons}<details class="log"><summary>{self.say("report-story-log")}</summary>{left_out}{log}</details>'
            "</article>"
        )

    def method(self) -> str:
        """Return the section on the method, with the commands."""
        return self.method_section("\n".join(asked.command for asked, _ in self.reports))


def _clip_at_zero(of: Estimate) -> Estimate:
    """Return an estimate of a share, clipped at 0."""
    return Estimate(max(0.0, of.value), max(0.0, of.low), max(0.0, of.high), of.sample)


def _stacked_bar(parts: VarianceParts) -> str:
    """Return the shares of variance as a stacked bar."""
    shares = [max(0.0, figure.value) for figure in (parts.strength, parts.seats, parts.chance, parts.rest)]
    total = sum(shares) or 1
    bars = "".join(f'<span style="width:{100 * share / total:.2f}%"></span>' for share in shares)
    return f'<div class="stack" aria-hidden="true">{bars}</div>'


def as_json(reports: Sequence[tuple[ReportRequest, list[PlayerCountReport]]]) -> str:
    """Return every figure of the page as JSON."""

    def told(of: Any) -> Any:
        if isinstance(of, Estimate):
            ends = [x if isfinite(x) else None for x in of[:3]]
            return dict(zip(("value", "low", "high"), ends, strict=True)) | {"sample": of.sample}
        if isinstance(of, (HypothesisTest, ComponentWorth, VarianceParts)):
            return {name: told(value) for name, value in of._asdict().items()}
        return of

    games = []
    for asked, tables in reports:
        game = find_game(asked.game)
        rows = []
        for t in tables:
            m = t.measures
            worth = zip(game.owned.named(range(game.owned.total)), m.worth.estimate(), strict=False)
            rows.append(
                {
                    "players": t.plan.players,
                    "games": m.games,
                    "figures": {name: told(of) for name, of in variant_estimates(m).items()}
                    | {name: told(m.of(name)) for name in ("turns", "events", "leads", "behind")}
                    | {name: told(m.part(name)) for name in ("broken", "always")}
                    | {"branching": told(mean_branching(m))},
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
        games.append(
            {
                **asked._asdict(),
                "components": asked.components and asked.components.file,
                "command": asked.command,
                "version": game.version,
                "tables": rows,
            }
        )
    return json.dumps({"games": games}, ensure_ascii=False, indent=1) + "\n"
