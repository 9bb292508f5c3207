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

from .test_report import Parts


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A comparison of two options, each with the original components and with changed ones."""
    out = tmp_path_factory.mktemp("compared")
    own = (find_game("necklace").folder / "components.toml").read_text("utf-8")
    (out / "mine.toml").write_text(own.replace("[6, 4, 2, 1]", "[8, 5, 3, 1]", 1), encoding="utf-8")
    asked = ["necklace", "--games", "4", "--cores", "1", "--language", "ja", "--components", str(out / "mine.toml")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURTLY_NATIVE", "0")
        done = CliRunner().invoke(
            main, ["lab", "compare", *asked, "--option", "row_size=5", "--option", "row_size=4", "--out", str(out)]
        )
    assert done.exit_code == 0 and done.output.endswith(f"{out / 'comparison.html'}\n"), done.output
    return out


def test_it_is_self_contained_and_in_both_languages(made):
    text = (made / "comparison.html").read_text(encoding="utf-8")
    page = Parts(text)
    assert '<html lang="ja">' in text and 'value="ja" checked' in text
    assert all(link.startswith(("data:", "#")) for link in page.leads)
    assert page.sections == ["changed", "differences", "length", "seats", "scores", "drama", "had", "won", "components"]
    japanese = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
    assert not japanese.search(page.said["en"].replace("日本語", ""))
    assert len(japanese.findall(page.said["ja"])) > 500
    for language in LANGUAGES:
        assert not re.search(r"report-\w|compare-\w|measure-\w|necklace-\w|device-", page.said[language])
        assert page.said[language].count("mine.toml") > 4
    assert text.count('<figure class="plot">') == 4 * 4, "four charts of each variant"


def test_every_measure_is_shown_with_its_difference(made):
    text = (made / "comparison.html").read_text(encoding="utf-8")
    (table, *_) = re.findall(r'<table class="compared">.*?</table>', text, re.S)
    rows = re.findall(r"<tr>(<th scope=\"row\">.*?)</tr>", table, re.S)
    told = json.loads((made / "comparison.json").read_text())
    assert len(rows) == len(MEASURES) == len(told["measures"])
    for row in rows:
        assert row.count('class="figure"') == 4 + 3 and row.count('class="range') == 3


def test_changed_components_are_listed(made):
    game = find_game("necklace")
    assert list(find_changed_numbers(game, load_components(game, made / "mine.toml"))) == [
        ("cards.ruby_1.ladder", "6, 4, 2, 1", "8, 5, 3, 1")
    ]
    assert "<td>6, 4, 2, 1</td><td>8, 5, 3, 1</td>" in (made / "comparison.html").read_text(encoding="utf-8")
