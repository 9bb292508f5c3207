"""A report as one self-contained HTML page in all languages, between which the reader can switch."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from markupsafe import Markup

from courtly.engine.game import Game, find_game
from courtly.lab.report.collect import (
    OptionVariant,
    PlayerCountReport,
    ReportRequest,
    load_words,
    record_file_name,
    variant_estimates,
)
from courtly.lab.report.report_page import (
    ReportPage,
    Text,
    format_minutes,
    format_percent,
    format_plain,
    make_text,
    mean_branching,
    option_texts,
)
from courtly.lab.statistics.game_measures import ComponentWorth, Estimate, GameMeasures, HypothesisTest
from courtly.lab.statistics.variance_decomposition import VarianceParts

MAX_RECORD_BYTES = 1 << 20  # largest record that a server accepts


class GameReport(ReportPage):
    """The page of one run. `server_url`: the address of the server that replays records."""

    def __init__(
        self, reports: Sequence[tuple[ReportRequest, list[PlayerCountReport]]], language: str, server_url: str
    ):
        super().__init__(reports[0][0].game, language)
        self.reports, self.server_url = reports, server_url.rstrip("/")
        self.templates.globals |= {"MAX_RECORD_BYTES": MAX_RECORD_BYTES}
        self.templates.filters |= {
            "pack_record": pack_record,
            "record_file_name": record_file_name,
            "variance_shares": variance_shares,
            "variant_estimates": variant_estimates,
            "variant_text": variant_text,
        }

    def html(self) -> str:
        """Return the whole page."""
        articles = [self.report(request, tables) for request, tables in self.reports]
        games = [request.game for request, _ in self.reports]
        return self.page(
            lambda language: load_words(games[0], language).format(
                "report-title", game=" · ".join(load_words(game, language).format(game) for game in games)
            ),
            articles,
            "\n".join(request.command for request, _ in self.reports),
        )

    def report(self, request: ReportRequest, tables: list[PlayerCountReport]) -> Markup:
        """Return the article on one game."""
        self.use_words_of(request.game)
        return self.article(
            "game.html",
            find_game(request.game),
            request=request,
            options=request.options,
            components=request.components,
            bots=[request.bots],
            tables=tables,
            samples=[(make_text("report-players", n=table.plan.players), table.measures) for table in tables],
            main_figures=[main_figures(table.measures) for table in tables],
            server_url=self.server_url,
        )


def main_figures(m: GameMeasures) -> dict[str, str]:
    """Return the main figures by name, as text."""
    return {
        "decisions": format_plain(m.mean("decisions")),
        "turns": format_plain(m.mean("turns")),
        "events": format_plain(m.mean("events")),
        "minutes": format_minutes(m.seconds()),
        "first": format_percent(m.mean_by_seat("place")[0]),
        "margin": format_plain(m.mean("margin")),
        "tied": format_percent(m.share_of_games("tied")),
        "decided": format_percent(variant_estimates(m)["decided"]),
        "always": format_percent(m.share_of_games("always")),
        "leads": format_plain(m.mean("leads")),
        "forced": format_percent(m.ratio("forced", "decisions")),
        "branching": format_plain(mean_branching(m)),
    }


def variant_text(variant: OptionVariant, game: Game) -> Text:
    """Return the name of a variant."""
    if variant.preset:
        return make_text("report-variant-preset", name=make_text(f"{game.id}-preset-{variant.preset}"))
    return option_texts({variant.option: variant.value}, game)[0]


def variance_shares(parts: VarianceParts, names: Iterable[str]) -> list[Estimate]:
    """Return the shares of variance with these names, clipped at 0."""
    estimates: list[Estimate] = [getattr(parts, name) for name in names]
    return [
        Estimate(max(0.0, estimate.value), max(0.0, estimate.low), max(0.0, estimate.high), estimate.sample)
        for estimate in estimates
    ]


def pack_record(record: str) -> str:
    """Return a record compressed for the fragment of a URL."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packed.compress(record.encode()) + packed.flush()).decode().rstrip("=")


def as_json(reports: Sequence[tuple[ReportRequest, list[PlayerCountReport]]]) -> str:
    """Return every figure of the page as JSON."""

    def value_json(figure: Any) -> Any:
        if isinstance(figure, Estimate):
            ends = [x if isfinite(x) else None for x in figure[:3]]
            return dict(zip(("value", "low", "high"), ends, strict=True)) | {"sample": figure.sample}
        if isinstance(figure, (HypothesisTest, ComponentWorth, VarianceParts)):
            return {name: value_json(value) for name, value in figure._asdict().items()}
        return figure

    games = []
    for request, tables in reports:
        game = find_game(request.game)
        rows = []
        for t in tables:
            m = t.measures
            worth = zip(game.owned.named(range(game.owned.total)), m.worth.estimate(), strict=False)
            rows.append(
                {
                    "players": t.plan.players,
                    "games": m.games,
                    "figures": {name: value_json(estimate) for name, estimate in variant_estimates(m).items()}
                    | {name: value_json(m.mean(name)) for name in ("turns", "events", "leads", "behind")}
                    | {name: value_json(m.share_of_games(name)) for name in ("broken", "always")}
                    | {"branching": value_json(mean_branching(m))},
                    "by_order": [value_json(estimate) for estimate in m.mean_by_seat("place")],
                    "by_seat": [value_json(estimate) for estimate in m.mean_by_seat("share")],
                    "order_test": value_json(m.test_equality("place")),
                    "seat_test": value_json(m.test_equality("share")),
                    "luck": None if t.parts is None else value_json(t.parts),
                    "ladder": [{"bot": name, "rating": value_json(estimate)} for name, estimate in t.ladder],
                    "components": [{"component": str(move), **value_json(estimate)} for move, estimate in worth],
                    "variants": [
                        {
                            **({"preset": v.preset} if v.preset else {"option": v.option, "value": v.value}),
                            "figures": {name: value_json(estimate) for name, estimate in v.figures.items()},
                            "different": sorted(v.different),
                        }
                        for v in t.variants
                    ],
                    "extremes": [{**s.extreme._asdict(), "scores": s.scores} for s in t.stories],
                }
            )
        games.append(
            {
                **request._asdict(),
                "components": request.components and request.components.file,
                "command": request.command,
                "version": game.version,
                "tables": rows,
            }
        )
    return json.dumps({"games": games}, ensure_ascii=False, indent=1) + "\n"
