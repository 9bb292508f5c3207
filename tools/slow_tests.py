"""Write tests/slow.toml from a measured run of all tests:

    make test-all ARGS=--junitxml=all.xml && .venv/bin/python tools/slow_tests.py all.xml

A test whose cases take more than SLOW_S together is slow; `make test` keeps as many of them as fit in that time. Where
a feature would have no test at all then, ALWAYS says how many cases stay.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
SLOW_S = 4.0
HEAD = """# Tests that take long: the seconds of all their cases together, how many cases there are, and how many of
# them `make test` runs. `make test-all` runs all. Written by tools/slow_tests.py from a measured run.
"""
ALWAYS = {  # no other test covers these in the browser, with the adapter or on the server
    "browser/test_whole_games.py": {"test_by_clicking": 1, "test_by_keyboard_in_the_plain_rendering": 1}
}


def measured(report: Path) -> dict[str, dict[str, list[float]]]:
    """Return `{file below tests: {test: [seconds of each case]}}` from a JUnit report."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for case in ET.parse(report).getroot().iter("testcase"):
        if file := file_of(case.get("classname", "")):
            found[file][case.get("name", "").partition("[")[0]].append(float(case.get("time", 0)))
    return found


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
        slow = {test: times for test, times in tests[file].items() if sum(times) > SLOW_S}
        rows = []
        for test, times in sorted(slow.items()):
            seconds = sum(times)
            kept = max(int(SLOW_S * len(times) / seconds), ALWAYS.get(file, {}).get(test, 0))
            if kept < len(times):
                rows.append(f"{test} = {{ seconds = {seconds:.1f}, cases = {len(times)}, kept = {kept} }}")
        if rows:
            lines += [f'["{file}"]', *rows, ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("report", type=Path, help="the JUnit report of a run of all tests")
    found = measured(parser.parse_args().report)
    for file, tests in ALWAYS.items():
        if missing := set(tests) - set(found.get(file, ())):
            sys.exit(f"ALWAYS names tests that the report lacks, in {file}: {', '.join(sorted(missing))}")
    (TESTS / "slow.toml").write_text(table(found), encoding="utf-8")


if __name__ == "__main__":
    main()
