"""A comparison as an HTML page: variants side by side with their differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from courtly.engine.game import find_game
from courtly.lab.design.compare import (
    OWN_FILE,
    Comparison,
    ComparisonRow,
    Variant,
    compare_command,
    find_changed_numbers,
    is_significant,
)
from courtly.lab.report.html_builder import (
    ReportPage,
    dim_interval,
    draw_interval,
    format_estimate,
    format_whole,
    interval_scale,
    scrollable_table,
)
from courtly.lab.statistics.batch_sums import component_names
from courtly.lab.statistics.game_measures import Estimate, GameMeasures
from courtly.review.text import GameTexts


class ComparisonReport(ReportPage):
    """The page of a comparison. `measured`: the statistics of each variant."""

    def __init__(self, comparison: Comparison, measured: Sequence[GameMeasures], language: str):
        self.comparison, self.measured = comparison, measured
        self.plan = comparison.variants[0].plan
        self.game = find_game(self.plan.game)
        super().__init__(self.game.id, language)

    def html(self) -> str:
        """Return the whole page."""
        plan, of = self.plan, self.comparison
        made = self.paragraph(
            "compare-made",
            games=format_whole(plan.games),
            players=lambda words: words.say("report-players", n=plan.players),
            bots=lambda words: words.say("report-names-and").join(
                self.bot(bot)(words) for bot in dict.fromkeys(plan.bots or ["random"])
            ),
            version=self.game.version,
            seed=str(plan.seed),
        )
        alike = {name: n for name, n in plan.options.items() if name not in of.variants[0].options}
        made += self.settings(self.game, alike, None, {*(plan.bots or ["random"])})
        own, every = component_names(self.game), [tally.components for tally in of.tallies]
        worth = [
            self.worth_table(self.game, m) if names == own else ""
            for m, names in zip(self.measured, every, strict=True)
        ]
        had, won = ([rows[i] for rows in of.components()] for i in (0, 1))
        body = self.game_article(
            self.game,
            made,
            [
                ("changed", "compare-changed", self.changed()),
                ("differences", "compare-differences", self.table(of.rows(), self.measure) + self.note("compare-note")),
                ("length", "report-length", self.each(self.length_section) + self.note("report-plots-note")),
                ("seats", "report-seats", self.each(self.seats_section) + self.note("report-ranges-note")),
                ("scores", "report-scores", self.each(self.points_section)),
                ("drama", "report-drama", self.each(self.drama_section) + self.note("report-drama-note")),
                ("had", "compare-had", self.table(had, self.component) if had else ""),
                ("won", "compare-won", self.table(won, self.component) if won else ""),
                ("components", "report-components", self.worth_sections(worth) if own else ""),
            ],
        )
        return self.page(
            lambda language: self.words[language].say("compare-title", game=self.words[language].say(self.game.id)),
            body + self.method_section(compare_command(of.variants)),
        )

    def named(self, of: Variant) -> Callable[[GameTexts], str]:
        """Return a function that names what is different about a variant."""

        def told(words: GameTexts) -> str:
            parts = [self.option(self.game, name, value)(words) for name, value in of.options.items()]
            if of.file:
                parts.append(words.say("compare-own") if of.file == OWN_FILE else of.file)
            return words.say("report-names-and").join(parts)

        return told

    def measure(self, name: str) -> str:
        """Return the name of a measure."""
        return self.say(f"measure-{name}")

    def component(self, name: str) -> str:
        """Return the name of a component: in words if the game itself has it."""
        own = component_names(self.game)
        return self.owned(self.game, own.index(name)) if name in own else escape(name)

    def each(self, of: Callable[[GameMeasures], str]) -> str:
        """Return a section for every variant."""
        told = "".join(
            self.section(self.in_each_language(self.named(variant)), m.games, of(m))
            for variant, m in zip(self.comparison.variants, self.measured, strict=True)
        )
        return f'<div class="blocks">{told}</div>'

    def worth_sections(self, told: Sequence[str]) -> str:
        """Return the tables of component worth, each in a section that can be folded."""
        folded = "".join(
            self.folded_section(self.in_each_language(self.named(variant)), m.games, text, at == 0)
            for at, (variant, m, text) in enumerate(zip(self.comparison.variants, self.measured, told, strict=True))
            if text
        )
        return folded + self.note("report-components-note")

    def changed(self) -> str:
        """Return the tables of numbers in which the component files differ from the game's own."""
        told = ""
        for variant in self.comparison.variants:
            if variant.plan.components and variant.options == self.comparison.variants[0].options:
                rows = "".join(
                    f'<tr><th scope="row">{escape(name)}</th><td>{escape(before)}</td><td>{escape(now)}</td></tr>'
                    for name, before, now in find_changed_numbers(self.game, variant.plan.components)
                )
                head = "".join(
                    f'<th scope="col">{text}</th>'
                    for text in (self.say("compare-number"), self.say("compare-own"), escape(variant.file))
                )
                told += (
                    scrollable_table("numbers", head, rows)
                    if rows
                    else self.note("compare-same-numbers", file=variant.file)
                )
        return told

    def table(self, rows: Iterable[ComparisonRow], name: Callable[[str], str]) -> str:
        """Return a table of every variant's figures and their differences from the first variant."""
        first, *others = self.comparison.variants
        head = f"<td></td>{self.head(first)}"
        for variant in others:
            head += f'{self.head(variant)}<th scope="col">{self.say("compare-difference")}</th>'
        body = ""
        for row in rows:
            scale = interval_scale(row.differences, 0.0)
            body += f'<tr><th scope="row">{name(row.name)}</th><td>{_format_count(row.figures[0], row.unit)}</td>'
            for figure, difference in zip(row.figures[1:], row.differences, strict=True):
                kind = ' class="different"' if is_significant(difference) else ""
                body += (
                    f"<td>{_format_count(figure, row.unit)}</td>"
                    f"<td{kind}>{_format_count(difference, row.unit, sign=True)}"
                    f"{draw_interval(difference, scale, 0.0)}</td>"
                )
            body += "</tr>"
        return scrollable_table("compared", head, body)

    def head(self, of: Variant) -> str:
        """Return the heading of a variant's column."""
        return (
            f'<th scope="col">{self.in_each_language(self.named(of))}'
            f"<small>{self.say('report-sample', n=format_whole(self.plan.games))}</small></th>"
        )


def _format_count(of: Estimate, unit: str, sign: bool = False) -> str:
    value, interval = format_estimate(of, sign=sign)
    return dim_interval(f"{value}{'%' if unit == '%' else ''} {interval}")
