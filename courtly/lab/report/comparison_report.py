"""A comparison as an HTML page: variants side by side with their differences."""

from __future__ import annotations

from collections.abc import Sequence

from courtly.engine.game import Game, find_game
from courtly.lab.design.compare import (
    OWN_FILE,
    Comparison,
    Variant,
    compare_command,
    find_changed_numbers,
    is_significant,
)
from courtly.lab.report.report_page import ReportPage, Text, format_estimate, join_texts, make_text, option_texts
from courtly.lab.statistics.game_measures import Estimate, GameMeasures
from courtly.lab.statistics.named_measures import component_names


class ComparisonReport(ReportPage):
    """The page of a comparison. `measures`: the statistics of each variant."""

    def __init__(self, comparison: Comparison, measures: Sequence[GameMeasures], language: str):
        self.comparison, self.measures = comparison, measures
        self.plan = comparison.variants[0].plan
        self.game = find_game(self.plan.game)
        super().__init__(self.game.id, language)
        self.templates.filters["count"] = format_count
        self.templates.tests["significant"] = is_significant

    def html(self) -> str:
        """Return the whole page."""
        game, first, variants = self.game, self.comparison.variants[0], self.comparison.variants
        samples = [
            (variant_text(variant, game), measures) for variant, measures in zip(variants, self.measures, strict=True)
        ]
        own_components = component_names(game)
        article = self.article(
            "comparison.html",
            game,
            plan=self.plan,
            options={name: value for name, value in self.plan.options.items() if name not in first.options},
            components=None,
            bots=[*dict.fromkeys(self.plan.bots or ["random"])],
            comparison=self.comparison,
            samples=samples,
            changed=[
                (variant.file, list(find_changed_numbers(game, variant.plan.components)))
                for variant in variants
                if variant.plan.components and variant.options == first.options
            ],
            common=list(self.comparison.components()),
            own=own_components,
            samples_of_own=[sample for sample in samples if sample[1].components == own_components],
        )
        return self.page(
            lambda language: self.words[language].format("compare-title", game=self.words[language].format(game.id)),
            [article],
            compare_command(variants),
        )


def variant_text(variant: Variant, game: Game) -> Text:
    """Return what is different about a variant."""
    parts: list[Text | str] = [*option_texts(variant.options, game)]
    if variant.file:
        parts.append(make_text("compare-own") if variant.file == OWN_FILE else variant.file)
    return join_texts(parts)


def format_count(estimate: Estimate, unit: str, sign: bool = False) -> str:
    """Return a figure with its unit and interval."""
    value, interval = format_estimate(estimate, sign=sign)
    return f"{value}{'%' if unit == '%' else ''} {interval}"
