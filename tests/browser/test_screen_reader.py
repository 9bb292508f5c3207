"""The announcements of a screen reader in the plain rendering, word for word and in order. `pytest --accept` stores the
current ones as expected.
"""

from pathlib import Path

import pytest
from local_table import LocalTable, load_scenario

SNAPSHOTS = Path(__file__).parent / "screen_reader"
POSITIONS = {  # a scenario's position, and the viewer's seat
    "cardinal": ("w15-refill", 0),
    "necklace": ("show-by-the-rules", 0),
    "newtown": ("w08-first-house", 0),
    "petition": ("every-power-at-once", 0),
    "puppet": ("v16-names-on-offer", 0),
}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", POSITIONS)
def test_announcements_are_complete_and_in_order(person, request, game, language):
    name, seat = POSITIONS[game]
    scenario = load_scenario(game, name)
    table = person(language=language)
    LocalTable(table, scenario.game, scenario.state, seat)
    table.plain()
    snapshot = table.page.locator("body").aria_snapshot() + "\n"
    file = SNAPSHOTS / f"{game}.{language}.yaml"
    if request.config.getoption("--accept"):
        file.write_text(snapshot, encoding="utf-8")
    assert snapshot == file.read_text(encoding="utf-8")
