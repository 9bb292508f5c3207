"""The page of a comparison is complete, in both languages, and self-contained."""

import json
import re

import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import find_game
from courtly.lab.design.compare import find_changed_numbers
from courtly.lab.runs.component_override import load_components
from courtly.lab.statistics.named_measures import MEASURES

from .test_report import PageParts


@pytest.fixture(scope="module")
def comparison_folder(tmp_path_factory):
    """A comparison of two options, each with the original components and with changed ones."""
    folder = tmp_path_factory.mktemp("compared")
    original = (find_game("necklace").folder / "components.toml").read_text("utf-8")
    (folder / "mine.toml").write_text(original.replace("[6, 4, 2, 1]", "[8, 5, 3, 1]", 1), encoding="utf-8")
    arguments = [
        "necklace",
        "--games",
        "4",
        "--cores",
        "1",
        "--language",
        "ja",
        "--components",
        str(folder / "mine.toml"),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURTLY_NATIVE", "0")
        result = CliRunner().invoke(
            main,
            ["lab", "compare", *arguments, "--option", "row_size=5", "--option", "row_size=4", "--out", str(folder)],
        )
    assert result.exit_code == 0 and result.output.endswith(f"{folder / 'comparison.html'}\n"), result.output
    return folder


def test_the_comparison_is_self_contained_and_in_both_languages(comparison_folder):
    text = (comparison_folder / "comparison.html").read_text(encoding="utf-8")
    page = PageParts(text)
    assert '<html lang="ja">' in text and 'value="ja" checked' in text
    assert all(link.startswith(("data:", "#")) for link in page.links)
    assert page.sections == ["changed", "differences", "length", "seats", "scores", "drama", "had", "won", "components"]
    japanese = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
    assert not japanese.search(page.texts["en"].replace("日本語", ""))
    assert len(japanese.findall(page.texts["ja"])) > 500
    for language in LANGUAGES:
        assert not re.search(r"report-\w|compare-\w|measure-\w|necklace-\w|device-", page.texts[language])
        assert page.texts[language].count("mine.toml") > 4
    assert text.count('<figure class="plot">') == 4 * 4, "four charts of each variant"


def test_every_measure_is_shown_with_its_difference(comparison_folder):
    text = (comparison_folder / "comparison.html").read_text(encoding="utf-8")
    (table, *_) = re.findall(r'<table class="compared">.*?</table>', text, re.S)
    rows = re.findall(r"<tr>(<th scope=\"row\">.*?)</tr>", table, re.S)
    comparison = json.loads((comparison_folder / "comparison.json").read_text())
    assert len(rows) == len(MEASURES) == len(comparison["measures"])
    for row in rows:
        assert row.count('class="figure"') == 4 + 3 and row.count('class="range') == 3


def test_changed_components_are_listed(comparison_folder):
    game = find_game("necklace")
    assert list(find_changed_numbers(game, load_components(game, comparison_folder / "mine.toml"))) == [
        ("cards.ruby_1.ladder", "6, 4, 2, 1", "8, 5, 3, 1")
    ]
    assert "<td>6, 4, 2, 1</td><td>8, 5, 3, 1</td>" in (comparison_folder / "comparison.html").read_text(
        encoding="utf-8"
    )
