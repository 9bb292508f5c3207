"""Games played with other component files."""

from pathlib import Path

import pytest

from courtly.engine.game import find_game
from courtly.lab.plan import Components, Plan
from courtly.lab.runs import component_override
from courtly.lab.runs.batch_runner import apply_components, run_batches
from courtly.lab.runs.component_override import InvalidComponentsError, load_components, own_components
from courtly.runtime.process_pool import ProcessPool

NECKLACE = find_game("necklace")
ORIGINAL_TEXT = (NECKLACE.folder / "components.toml").read_text("utf-8")

BROKEN_FILES = {
    "no TOML": ("[money]", "[money", "Expected ']'"),
    "a text for a number": ("budget = 10 ", 'budget = "10" ', "money.budget is '10', not a whole number"),
    "true for a number": ("budget = 10 ", "budget = true ", "money.budget is True, not a whole number"),
    "a text among numbers": ("[13, 10, 7, 4]", "[13, 10, 7, 'x']", "ladder[3] is 'x', not a whole number"),
    "a card that is missing": ("[cards.ring]", "[cards.rong]", "cards.ring is missing"),
    "what all cards have": ("count = 7\n", "", "cards.ruby_1.count is missing"),
    "what no card has": ("count = 7\n", "count = 7\ncolour = 1\n", "cards.ruby_1.colour is unknown"),
    "a part that is missing": ("[bonus]", "[bonuses]", "bonus is missing"),
    "a part that is unknown": ("[bonus]", "[more]\n[bonus]", "more is unknown; expected one of"),
}


def write_changed_file(tmp_path: Path, original: str, replacement: str) -> Path:
    assert original in ORIGINAL_TEXT
    file = tmp_path / "mine.toml"
    file.write_text(ORIGINAL_TEXT.replace(original, replacement, 1), encoding="utf-8")
    return file


@pytest.mark.parametrize(("original", "replacement", "message"), BROKEN_FILES.values(), ids=BROKEN_FILES)
def test_an_invalid_file_gives_a_one_line_error(tmp_path, original, replacement, message):
    file = write_changed_file(tmp_path, original, replacement)
    with pytest.raises(InvalidComponentsError) as error:
        load_components(NECKLACE, file)
    error_text = str(error.value)
    assert error_text.startswith(f"{file}: ") and message in error_text and "\n" not in error_text


def test_a_file_replaces_the_one_of_its_name_or_kind(tmp_path):
    cardinal = find_game("cardinal")
    assert load_components(cardinal, cardinal.folder / "board.json").file == "board.json"
    other_file = tmp_path / "mine.json"
    other_file.write_text("{}")
    with pytest.raises(
        InvalidComponentsError,
        match=r"cardinal has no component file of that name and type; it has board.json, outline.json",
    ):
        load_components(cardinal, other_file)
    other_file.write_text("[1]")
    with pytest.raises(InvalidComponentsError, match="expected a table at the top level"):
        load_components(cardinal, other_file)
    with pytest.raises(InvalidComponentsError, match="cardinal has no components.toml or components.json"):
        own_components(cardinal)
    with pytest.raises(InvalidComponentsError, match="No such file"):
        load_components(cardinal, tmp_path / "none.json")


@pytest.mark.parametrize("name", ["cardinal", "necklace", "newtown", "petition", "puppet"])
def test_every_file_in_the_package_is_valid(name):
    game = find_game(name)
    files = [game.folder / f for f in ("components.toml", "board.json") if (game.folder / f).exists()]
    assert files and all(load_components(game, f).text == f.read_text("utf-8") for f in files)


def numbers_with(text: str | None) -> tuple[int, int]:
    """Return, in a separate process, the money in the game and the number of rings."""
    apply_components("necklace", Components("components.toml", text) if text else None)
    from courtly.games.necklace import cards

    game = find_game("necklace")
    assert game.components["money"]["budget"] == cards.BUDGET
    return cards.BUDGET, cards.COUNT[cards.Card.RING]


def test_a_process_can_change_and_restore_components():
    rich_text = ORIGINAL_TEXT.replace("budget = 10 ", "budget = 20 ")
    rings_text = ORIGINAL_TEXT.replace(
        'count = 7\nladder = [6, 4, 2, 1]\nfrom = "reconstructed"', 'count = 8\nladder = [6, 4, 2, 1]\nfrom = ""'
    )
    with ProcessPool(1, inherit_state=False) as executor:
        results = [executor.submit(numbers_with, text).result() for text in (rich_text, None, rings_text, rich_text)]
        rejected = executor.submit(numbers_with, ORIGINAL_TEXT.replace("fashion = [30, 20, 10, 0]", "fashion = []"))
        with pytest.raises(InvalidComponentsError, match="the rules fail on it"):
            rejected.result()
        results.append(executor.submit(numbers_with, None).result())
    assert results == [(20, 7), (10, 7), (10, 8), (20, 7), (10, 7)]


def test_other_components_do_not_affect_this_process(tmp_path):
    file = write_changed_file(tmp_path, "budget = 10 ", "budget = 40 ")
    plan = Plan("necklace", 2, 6, 3, {}, None, checked=True)
    own_decisions, other_decisions = (
        [batch.decisions.tolist() for batch in run_batches(given_plan, cores=2)]
        for given_plan in (plan, plan._replace(components=load_components(NECKLACE, file)))
    )
    assert own_decisions != other_decisions and own_decisions == [
        batch.decisions.tolist() for batch in run_batches(plan, cores=1)
    ]


def test_files_are_copied_where_links_are_not_available(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError("a privilege is missing")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    (tmp_path / "board").mkdir()
    for name in ("rules.py", "board/board.js"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("rules.py", "board"):
        component_override._link_or_copy(tmp_path / name, copy / name)
    assert (copy / "rules.py").read_text("utf-8") == "rules.py"
    assert (copy / "board" / "board.js").read_text("utf-8") == "board/board.js"


def test_a_package_is_found_in_another_folder_with_and_without_init(tmp_path):
    finder = component_override.PackageFinder("bids", tmp_path)
    assert finder.find_spec("another", None) is None
    for origin in (None, str(tmp_path / "__init__.py")):
        spec = finder.find_spec("bids", None)
        assert spec.origin == origin and spec.submodule_search_locations == [str(tmp_path)]
        (tmp_path / "__init__.py").touch()


def test_a_place_without_example_may_hold_anything():
    assert list(component_override._check_value([], {"count": "many"}, "cards")) == []
