"""What lines of the log say beside their move, and how a result is headed."""

import re
from pathlib import Path

import pytest
from local_table import show_scripted_table, table_info
from playwright.sync_api import expect

from courtly.engine import transcript
from courtly.engine.match import Match

SCENARIOS = Path(__file__).parent.parent / "games"
READER = 0
AMOUNTS = r"( \(.+\)|（.+）)?"  # behind a line


def show_end(page, game, record, seat=READER, bots=()):
    """Show a finished game to a seat, or to a spectator."""
    match = transcript.check((SCENARIOS / game / "golden" / f"{record}.jsonl").read_text(encoding="utf-8"))
    info = table_info(match, seat)
    for bot in bots:
        info["seats"][bot] |= {"kind": "bot", "bot": "squire"}
    show_scripted_table(page, info, [{"type": "table", "table": info}, {"type": "view", "view": match.view(seat, 0)}])
    expect(page.locator(".side .log .turn").first).to_be_visible()
    return match


def log_lines(page):
    return [line.strip().replace("\xa0", " ") for line in page.locator(".side .log li li").all_text_contents()]


def test_the_log_says_amounts(person):
    """Prices, costs and points stand behind their line, without the name of the player whom it is about."""
    purchase = r"\w+ buys .+ \(−(1 ducat|\d+ ducats)\)"
    page = person().page
    show_end(page, "necklace", "thief-arrested", None)
    lines = [line for line in log_lines(page) if " buys " in line]
    assert lines and all(re.fullmatch(purchase, line) for line in lines), lines
    page = person().page
    show_end(page, "puppet", "2-players-fewest-honour", None)
    lines = [line for line in log_lines(page) if " buys " in line]
    assert lines and all(re.fullmatch(r"\w+ buys .+ \((\+\d points?, )?−\d .+\)", line) for line in lines), lines
    page = person().page
    match = show_end(page, "cardinal", "three-players", None)
    [scoring] = [line for line in log_lines(page) if line.startswith("Final scoring")]
    [cue] = [cue for cue in match.view(None, 0)["cues"] if cue["verb"] == "final"]
    gains = [int(number) for number in re.findall(r"\w+: \+(\d+) points", scoring)]
    assert gains == [change["n"] for change in cue["changes"]] and len(gains) == 3


def test_a_theft_names_both_players_to_all(person):
    page = person().page
    show_end(page, "necklace", "thief-arrested", None)
    thefts = [line for line in log_lines(page) if "Thief" in line and "buys" not in line and "offer" not in line]
    assert thefts
    arrest = r"\w+ sends the Thief to (\w+), a Musketeer arrests him, and \1 takes a card in return"
    for line in thefts:
        assert re.fullmatch(rf"\w+’s Thief takes .+ from \w+|{arrest}", line), line
    assert [line for line in log_lines(page) if "drawn in return" in line]


@pytest.mark.parametrize(
    ("language", "patterns"),
    [
        (
            "en",
            (
                r"\w+ takes a block of size [1-6] with the (green|red|black) die",
                r"\w+ builds on (land \d+|the King’s land): \d×\d.+",
                r"\w+ (extends|takes over) the (first|second) house on (land \d+|the King’s land)( from \w+)?: .+",
            ),
        ),
        (
            "ja",
            (
                r"\w+：(緑|赤|黒)のさいころで資材[1-6]を得た",
                r"\w+：(土地\d+|王様の土地)に\d×\d.+を建てた",
                r"\w+：(土地\d+|王様の土地)の[12]軒目を(\w+から引き継ぎ、)?.+に増築した",
            ),
        ),
    ],
)
@pytest.mark.parametrize("record", ["version-2-four-players", "version-2-other-options", "other-options"])
def test_new_town_names_land_and_material(person, record, language, patterns):
    page = person(language).page
    match = show_end(page, "newtown", record)
    lines = log_lines(page)
    verbs = [cue["verb"] for cue in match.view(READER, 0)["cues"]]
    for pattern, kinds in zip(patterns, (["block"], ["build"], ["extend", "take_over"]), strict=True):
        found = [line for line in lines if re.fullmatch(rf"{pattern}( ×\d)?{AMOUNTS}", line)]
        assert len(found) == sum(verbs.count(kind) for kind in kinds), (kinds, found)


def test_blocks_have_the_size_of_their_dice(person):
    """Compared with the state before the move."""
    page = person().page
    match = show_end(page, "newtown", "version-2-four-players")
    sizes, entries = [], match.entries
    for ply, past in enumerate(Match.iter_replay(match.game, match.players, match.options, match.source, entries)):
        if ply == len(entries) or entries[ply].seat < 0 or entries[ply].undo:
            continue
        move = match.moves.decode(entries[ply].move)
        if move.verb == "block":
            colour = ["green", "red", "black"].index(move.args["die"])
            sizes.append(int(past.state.coloured[entries[ply].seat][colour]))
    found = re.findall(r"takes a block of size (\d)", "\n".join(log_lines(page)))
    assert [int(size) for size in found] == sizes and sizes


def test_the_first_dice_of_a_game_are_a_line_of_their_own(person):
    page = person().page
    match = show_end(page, "petition", sorted((SCENARIOS / "petition" / "golden").glob("*.jsonl"))[0].stem)
    assert match.players
    assert re.fullmatch(r"\w+ is the start player", log_lines(page)[0])


HEADINGS = {
    "en": (r"\w+ wins", "You win!", "You came second", "You came third"),
    "ja": (r"\w+の勝ちです", "あなたの勝ちです！", "あなたは2位です", "あなたは3位です"),
}


@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize(("language", "level"), [("en", "Bot: Squire"), ("ja", "ボット：従騎士")])
def test_the_result_says_how_the_reader_did(person, language, level, seat):
    page = person(language).page
    match = show_end(page, "newtown", "three-players", seat, [other for other in range(3) if other != seat])
    place = 0 if seat is None else 1 + sum(score > match.scores[seat] for score in match.scores)
    expect(page.locator("#end-heading")).to_have_text(re.compile(f"^{HEADINGS[language][place]}$"))
    expect(page.locator(".ranks .tag", has_text=level)).to_have_count(3 if seat is None else 2)
