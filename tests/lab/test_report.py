"""The page of a report is complete, in both languages, and self-contained."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

import courtly.lab
from courtly.cli import main
from courtly.engine import transcript
from courtly.engine.constants import LANGUAGES
from courtly.engine.game import find_game
from courtly.engine.transcript import write_record
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import _play_interpreted
from courtly.lab.runs.record_game import play_recorded
from courtly.lab.statistics.named_measures import MEASURES
from courtly.testing.checks.catalog_checks import find_narrow_signs, find_untranslated, read_catalog

LAB = Path(courtly.lab.__file__).parent
pytestmark = pytest.mark.usefixtures("known_values")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")


def run_report(out, *args):
    return CliRunner().invoke(main, ["lab", "report", "--out", str(out), "--cores", "1", *map(str, args)])


@pytest.fixture(scope="module")
def report_folder(tmp_path_factory):
    """Reports of one of our games and of a game with other texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURTLY_NATIVE", "0")
        folder = tmp_path_factory.mktemp("report")
        arguments = "necklace", "--players", 3, "--games", 5, "--levels", "random,policy", "--language", "ja"
        result = run_report(folder, *arguments, "--server", "https://court.example/")
        assert result.exit_code == 0, result.output
        return folder


def test_the_languages_have_the_same_texts():
    assert list(find_untranslated(LAB)) == []
    assert list(find_narrow_signs(LAB)) == []


FAMILIES = re.compile(
    r"report-(skill-(strength|seats|chance|rest)|story-(longest|shortest|margin|comeback)(-said)?"
    r"|component-(games|seats|share|points|wins)|components-(never|always))"
)


def test_all_texts_are_used():
    files = [*LAB.rglob("*.py"), *LAB.rglob("*.html")]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    quoted = set(re.findall(r"""["']([a-z][a-z0-9-]*)["']""", source))
    quoted |= {f"report-{name}" for name in quoted} | {f"measure-{name}" for name in MEASURES}
    assert [text for text in read_catalog(LAB, "en") if text not in quoted and not FAMILIES.fullmatch(text)] == []


class PageParts(HTMLParser):
    """What a page loads or links to, and its texts in each language."""

    def __init__(self, text):
        super().__init__()
        self.links, self.texts, self.open, self.sections = [], dict.fromkeys(LANGUAGES, ""), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.links += [attributes[name] for name in ("src", "href") if attributes.get(name)]
        self.sections += [attributes["class"]] if tag == "section" and attributes.get("class") else []
        if tag not in ("meta", "link", "img", "input", "wbr", "br"):
            self.open.append((tag, attributes.get("lang") if tag != "html" else None))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, text):
        if any(tag in ("title", "style", "script", "pre") for tag, _ in self.open):
            return
        current_language = next((language for _, language in reversed(self.open) if language), None)
        for language in LANGUAGES if current_language is None else [current_language]:
            self.texts[language] += text


def test_the_report_is_self_contained_and_in_both_languages(report_folder):
    text = (report_folder / "report.html").read_text(encoding="utf-8")
    page = PageParts(text)
    assert '<html lang="ja">' in text and 'value="ja" checked' in text
    external_links = [link for link in page.links if not link.startswith(("data:", "#"))]
    assert external_links and all(link.startswith("https://court.example/replay#record=") for link in external_links)
    assert not re.search(r"url\((?!data:)|@import|<script src", text)
    assert page.sections == [
        "glance",
        "length",
        "seats",
        "scores",
        "drama",
        "choice",
        "skill",
        "components",
        "ties",
        "variants",
        "games",
    ]
    japanese = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
    assert not japanese.search(page.texts["en"].replace("日本語", ""))
    assert len(japanese.findall(page.texts["ja"])) > 1000
    for language in LANGUAGES:
        assert not re.search(r"report-\w|necklace-\w|device-", page.texts[language])
    assert text.count("<svg") == 4  # length, points, margin, moment of decision
    assert text.count('<figure class="plot">') == 4


def test_every_figure_has_its_interval_and_sample(report_folder):
    report = json.loads((report_folder / "report.json").read_text(encoding="utf-8"))
    (game,) = report["games"]
    (table,) = game["tables"]
    for entry in table["figures"].values():
        assert entry["low"] <= entry["value"] <= entry["high"] and entry["sample"] == 5
    assert len(table["by_order"]) == 3 and len(table["components"]) == find_game("necklace").owned.total
    variants = [
        {name: entry[name] for name in entry.keys() & {"preset", "option", "value"}} for entry in table["variants"]
    ]
    assert {"preset": "thin-deck"} in variants and {"option": "row_size", "value": 4} in variants
    assert table["luck"]["strength"]["sample"] == 15


def test_notable_games_can_be_replayed(report_folder):
    report = json.loads((report_folder / "report.json").read_text(encoding="utf-8"))
    extremes = report["games"][0]["tables"][0]["extremes"]
    assert [extreme["kind"] for extreme in extremes] == ["longest", "shortest", "margin", "comeback"]
    links = re.findall(r'#record=([\w-]+)"', (report_folder / "report.html").read_text(encoding="utf-8"))
    for extreme, link in zip(extremes, links, strict=True):
        file = (report_folder / f"necklace-3-{extreme['kind']}.jsonl").read_text(encoding="utf-8")
        match = transcript.check(file)
        assert match.over and match.scores == extreme["scores"]
        if extreme["kind"] in ("longest", "shortest"):
            assert match.decisions == extreme["value"]
        packed = base64.urlsafe_b64decode(link + "=" * (-len(link) % 4))
        assert zlib.decompress(packed, -15).decode() == file


@pytest.mark.parametrize("bots", [None, ("random", "policy"), ("squire", "policy:2")], ids=["dice", "policy", "squire"])
def test_a_game_is_recorded_as_it_was_played(bots):
    plan = Plan("puppet", 2, 3, 9, {"round_limit": 30}, bots)
    batch, decisions = _play_interpreted(plan, 2, 1, decisions=True)
    match = play_recorded(plan, 2)
    moves_made = [(entry.seat, entry.move) for entry in match.entries if entry.seat >= 0]
    assert moves_made == [(seat, move) for _, _, seat, move, _ in decisions.tolist()]
    assert match.scores == batch.scores[0].tolist()
    lines = write_record(match).splitlines()
    assert transcript.check("\n".join(lines)).scores == match.scores
    header = json.loads(lines[0])
    header["chance"]["game"] += 1
    with pytest.raises(transcript.InvalidRecordError, match="random outcome|was not possible|not legal|ends otherwise"):
        transcript.check("\n".join([json.dumps(header), *lines[1:]]))


def test_the_same_page_on_any_number_of_cores(tmp_path):
    arguments = "known_values", "--games", 30, "--levels", "random", "--language", "en"
    assert (
        run_report(tmp_path / "one", *arguments).exit_code
        == run_report(tmp_path / "two", *arguments, "--cores", 2).exit_code
        == 0
    )
    first_page, second_page = ((tmp_path / name / "report.html").read_text(encoding="utf-8") for name in ("one", "two"))
    assert first_page == second_page and "<svg" in first_page


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["whist"], "there is no game 'whist'"),
        (["puppet", "--option", "luck=1"], "luck"),
        (["puppet", "--option", "princess=7"], "princess"),
        (["puppet", "--players", "9"], "players may be one of (2, 3)"),
        (["puppet", "--bots", "owl"], "has no bot 'owl'"),
        (["puppet", "--levels", "random,owl"], "has no bot 'owl'"),
        (["puppet", "--bots", "policy:1"], "such as policy:4"),
        ([], "Missing argument"),
    ],
)
def test_invalid_arguments_give_a_one_line_error(tmp_path, args, message):
    result = run_report(tmp_path / "out", *args)
    assert result.exit_code and message in result.output
    assert result.output.strip().splitlines()[-1].startswith("Error: ")


def test_an_unwritable_output_is_reported_before_the_games(tmp_path):
    (tmp_path / "file").write_text("here")
    result = run_report(tmp_path / "file" / "out", "puppet")
    assert (
        result.exit_code == 1 and result.output.strip().startswith("Error: ") and len(result.output.splitlines()) == 1
    )
