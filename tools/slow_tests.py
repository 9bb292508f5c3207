"""Writes tests/slow.toml from a measured run of all tests:

    make test-all ARGS=--junitxml=all.xml && .venv/bin/python tools/slow_tests.py all.xml

A test whose cases take more than SLOW_S together is slow; `make test` runs as many of its cases as fit in that time.
ALWAYS lists features that would otherwise have no test, with the number of cases to run.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
SLOW_S = 2.5
HEAD = """# Tests that take long: the seconds of all their cases together, how many cases there are, and how many of
# them `make test` runs. `make test-all` runs all. Written by tools/slow_tests.py from a measured run.
"""
ALWAYS = {  # the only tests of a feature, as a player or another program meets it
    "browser/test_boards.py": {"test_every_board_passes_all_checks": 1},
    "browser/test_cheats.py": {
        "test_with_the_rules_the_page_proves_the_dice": 1,
        "test_two_people_exchange_numbers": 1,
    },
    "browser/test_clock_games.py": {"test_a_whole_game_with_clocks": 1},
    "browser/test_engines.py": {"test_every_game_is_played": 3},
    "browser/test_hints.py": {"test_a_hint_shows_on_the_board_what_it_is_about_and_makes_no_move": 1},
    "browser/test_lessons.py": {"test_a_lesson_is_played_to_its_end": 1},
    "browser/test_site.py": {"test_a_static_site_is_sufficient": 1},
    "browser/test_move_prediction.py": {"test_a_move_shows_its_effect_before_the_server_answers": 1},
    "browser/test_recent_moves.py": {"test_changes_by_others_are_outlined_until_the_reader_moves": 1},
    "browser/test_replay.py": {"test_a_finished_game_is_played_back": 1},
    "browser/test_chat.py": {"test_two_people_chat": 1},
    "browser/test_turn_notifications.py": {"test_notification_settings": 1},
    "browser/test_whole_games.py": {
        "test_a_whole_game_is_played_by_clicking": 1,
        "test_a_whole_game_is_played_by_keyboard_in_the_plain_rendering": 1,
    },
    "engine/compiler/test_javascript_match.py": {"test_random_matches_of_the_test_game": 1},
    "lab/test_measured_playout_driver.py": {"test_machine_code_measures_the_same": 1},
    "server/test_kill_under_load.py": {"test_no_acknowledged_move_is_lost_or_made_twice": 1},
    "server/test_peer_sync.py": {"test_two_people_and_a_bot_play_by_two_processes": 1},
    "test_javascript_review.py": {"test_decisions_are_judged_the_same": 1},
    "test_advice.py": {"test_the_chances_are_calibrated": 1},
    "test_review.py": {"test_a_record_is_reviewed": 1},
}


def read_durations(report: Path) -> dict[str, dict[str, list[float]]]:
    """Return `{file below tests: {test: [seconds of each case]}}` from a JUnit report."""
    times_by_file: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for case in ET.parse(report).getroot().iter("testcase"):
        if file := file_of(case.get("classname", "")):
            times_by_file[file][case.get("name", "").partition("[")[0]].append(float(case.get("time", 0)))
    return times_by_file


def file_of(test_class: str) -> str | None:
    """Return the file below tests that defines a class named like `tests.games.puppet.test_game.TestPuppet`."""
    parts = test_class.split(".")
    for end in range(len(parts), 1, -1):
        file = ROOT.joinpath(*parts[:end]).with_suffix(".py")
        if file.is_file():
            return file.relative_to(TESTS).as_posix()
    return None


def table(tests: dict[str, dict[str, list[float]]]) -> str:
    """Return the text of tests/slow.toml."""
    lines = [HEAD]
    for file in sorted(tests):
        slow_tests = {test: times for test, times in tests[file].items() if sum(times) > SLOW_S}
        rows = []
        for test, times in sorted(slow_tests.items()):
            seconds = sum(times)
            kept_cases = max(int(SLOW_S * len(times) / seconds), ALWAYS.get(file, {}).get(test, 0))
            if kept_cases < len(times):
                rows.append(f"{test} = {{ seconds = {seconds:.1f}, cases = {len(times)}, kept = {kept_cases} }}")
        if rows:
            lines += [f'["{file}"]', *rows, ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("report", type=Path, help="the JUnit report of a run of all tests")
    times_by_file = read_durations(parser.parse_args().report)
    for file, tests in ALWAYS.items():
        if missing := set(tests) - set(times_by_file.get(file, ())):
            sys.exit(f"ALWAYS names tests that the report lacks, in {file}: {', '.join(sorted(missing))}")
    (TESTS / "slow.toml").write_text(table(times_by_file), encoding="utf-8")


if __name__ == "__main__":
    main()
