"""The benchmark of other libraries measures the installed ones; missing ones are listed and affect no other."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))
peers = importlib.import_module("peers")


def make_row(library, game, includes, speeds, same_game="", interface=""):
    return peers.Row(
        library, game, includes, lambda: None, same_game, interface, [(speed, speed / 2) for speed in speeds]
    )


ROWS = [
    make_row("OpenSpiel", "chess", peers.IN_C, [1e6, 9e9, 2e6], "chess"),
    make_row("OpenSpiel", "go", peers.IN_C, [4e6], "go"),
    make_row("Pgx", "chess", peers.AT_ONCE, [1e6], "chess"),
    make_row("Courtly", "To Court the King", peers.AT_ONCE, [2e7]),
    make_row("Courtly", "To Court the King", peers.OBSERVED, [950], interface="PettingZoo"),
]


def test_the_table_has_medians_and_ratios():
    table_lines = peers.markdown_table(ROWS).split("\n")
    header, separator, *lines = ([cell.strip() for cell in line.strip("|").split("|")] for line in table_lines)
    assert [line[3:] for line in lines] == [
        ["2.0 M", "1.0 M", "1.0×"],
        ["4.0 M", "2.0 M", "1.0×"],
        ["1.0 M", "500 k", "0.50×"],  # of the same game
        ["20 M", "10 M", "5.0×"],  # of the fastest
        ["950", "475", "0.0002×"],
    ]
    assert len(header) == len(separator) == 6 and lines[4][2] == f"{peers.OBSERVED}, as PettingZoo"
    assert "×" not in peers.markdown_table(ROWS[2:]), "without OpenSpiel there is no comparison"


def test_the_picture_has_a_bar_for_each_in_the_colour_of_its_kind(tmp_path):
    from PIL import Image

    peers.draw_chart(ROWS, tmp_path / "peers.webp")
    with Image.open(tmp_path / "peers.webp") as picture:
        width, height = picture.size
        colours = {colour: n for n, colour in picture.convert("RGB").getcolors(1 << 24)}
    assert width == 1500
    assert colours[0x8C, 0x1C, 0x2B] > 10_000 and colours[0x8A, 0x83, 0x75] > 10_000
    assert max(colours, key=colours.get) == (0xFB, 0xF9, 0xF4), "its own background"
    peers.draw_chart(ROWS[:2], tmp_path / "peers.webp")
    with Image.open(tmp_path / "peers.webp") as picture:
        assert picture.size[1] < height


def test_the_text_between_the_marks_is_replaced(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{peers.BEGIN}\nold\n{peers.END}\nafter\n", encoding="utf-8")
    peers.write_between_marks("new", page)
    assert page.read_text(encoding="utf-8") == f"before\n{peers.BEGIN}\nnew\n{peers.END}\nafter\n"
    research = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    assert research.count(peers.BEGIN) == research.count(peers.END) == 1


def test_a_short_run_measures_installed_libraries_and_lists_missing_ones(tmp_path):
    """One library that is installed, and one that fails."""
    (tmp_path / "rlcard.py").write_text("raise ImportError('not for this machine')\n")
    short_run = ("--rounds", "1", "--seconds", "0.01", "--only", "OpenSpiel, Leduc", "--only", "RLCard, Leduc")
    result = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "peers.py"), *short_run],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if line.startswith("| OpenSpiel")]
    assert [line.count("Leduc poker") for line in lines] == [1, 1] and "1.0×" in lines[0]
    assert "not measured: RLCard, Leduc poker" in result.stdout and "not for this machine" in result.stdout
