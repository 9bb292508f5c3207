"""Games played with other component files."""

from pathlib import Path

import pytest

from courtly.engine.game import find_game
from courtly.lab.plan import Components, Plan
from courtly.lab.runs.batch_runner import apply_components, run_batches
from courtly.lab.runs.component_override import InvalidComponentsError, load_components
from courtly.runtime.process_pool import ProcessPool

NECKLACE = find_game("necklace")
OWN = (NECKLACE.folder / "components.toml").read_text("utf-8")

BROKEN = {
    "no TOML": ("[money]", "[money", "Expected ']'"),
    "a text for a number": ("budget = 10 ", 'budget = "10" ', "money.budget is '10', not a whole number"),
    "true for a number": ("budget = 10 ", "budget = true ", "money.budget is True, not a whole number"),
    "a text among numbers": ("[13, 10, 7, 4]", "[13, 10, 7, 'x']", "ladder[3] is 'x', not a whole number"),
    "a card that is missing": ("[cards.ring]", "[cards.rong]", "cards.ring is missing"),
    "what all cards have": ("count = 7\n", "", "cards.ruby_1.count is missing"),
    "what no card has": ("count = 7\n", "count = 7\ncolour = 1\n", "cards.ruby_1.colour is unknown"),
    "a part that is missing": ("[bonus]", "[bonuses]", "bonus is missing"),
}


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert old in OWN
    file = tmp_path / "mine.toml"
    file.write_text(OWN.replace(old, new, 1), encoding="utf-8")
    return file


@pytest.mark.parametrize(("old", "new", "said"), BROKEN.values(), ids=BROKEN)
def test_an_invalid_file_gives_a_one_line_error(tmp_path, old, new, said):
    file = changed(tmp_path, old, new)
    with pytest.raises(InvalidComponentsError) as refused:
        load_components(NECKLACE, file)
    told = str(refused.value)
    assert told.startswith(f"{file}: ") and said in told and "\n" not in told


def test_a_file_replaces_the_one_of_its_name_or_kind(tmp_path):
    cardinal = find_game("cardinal")
    assert load_components(cardinal, cardinal.folder / "board.json").file == "board.json"
    other = tmp_path / "mine.json"
    other.write_text("{}")
    with pytest.raises(
        InvalidComponentsError,
        match=r"cardinal has no component file of that name and type; it has board.json, outline.json",
    ):
        load_components(cardinal, other)
    with pytest.raises(InvalidComponentsError, match="No such file"):
        load_components(cardinal, tmp_path / "none.json")


@pytest.mark.parametrize("name", ["cardinal", "necklace", "newtown", "petition", "puppet"])
def test_every_file_in_the_package_is_valid(name):
    game = find_game(name)
    files = [game.folder / f for f in ("components.toml", "board.json") if (game.folder / f).exists()]
    assert files and all(load_components(game, f).text == f.read_text("utf-8") for f in files)


def played_with(text: str | None) -> tuple[int, int]:
    """Return, in a separate process, the money in the game and the number of rings."""
    apply_components("necklace", Components("components.toml", text) if text else None)
    from courtly.games.necklace import cards

    game = find_game("necklace")
    assert game.components["money"]["budget"] == cards.BUDGET
    return cards.BUDGET, cards.COUNT[cards.Card.RING]


def test_a_process_can_change_and_restore_components():
    rich = OWN.replace("budget = 10 ", "budget = 20 ")
    rings = OWN.replace(
        'count = 7\nladder = [6, 4, 2, 1]\nfrom = "reconstructed"', 'count = 8\nladder = [6, 4, 2, 1]\nfrom = ""'
    )
    with ProcessPool(1, alike=False) as executor:
        worn = [executor.submit(played_with, text).result() for text in (rich, None, rings, rich)]
        refused = executor.submit(played_with, OWN.replace("fashion = [30, 20, 10, 0]", "fashion = []"))
        with pytest.raises(InvalidComponentsError, match="the rules fail on it"):
            refused.result()
        worn.append(executor.submit(played_with, None).result())
    assert worn == [(20, 7), (10, 7), (10, 8), (20, 7), (10, 7)]


def test_other_components_do_not_affect_this_process(tmp_path):
    file = changed(tmp_path, "budget = 10 ", "budget = 40 ")
    plan = Plan("necklace", 2, 6, 3, {}, None, checked=True)
    own, other = (
        [p.decisions.tolist() for p in run_batches(given_plan, cores=2)]
        for given_plan in (plan, plan._replace(components=load_components(NECKLACE, file)))
    )
    assert own != other and own == [p.decisions.tolist() for p in run_batches(plan, cores=1)]
