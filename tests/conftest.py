"""What all tests share: the test-only game is installed beside the real ones."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from courtly.testing import resources

HERE = Path(__file__).parent
# for what tests share
sys.path[:0] = map(str, [HERE, HERE / "server", HERE / "browser", *sorted(HERE.glob("games/*/"))])
import tiers  # noqa: E402  # tests/tiers.py is found only once the line above has put its folder on the path

resources.TEST_FOLDERS.update({folder.name: folder for folder in HERE.glob("games/*/")})
os.environ["COURTLY_GAMES"] = "sealed_bids"
os.environ["COURTLY_WORKSHOP"] = "1"  # games that are not ready for the lobby are tested all the same
# for processes that tests start
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
settings.register_profile("courtly", deadline=None, max_examples=60, derandomize=True)  # nothing is timed
settings.load_profile("courtly")


def pytest_addoption(parser):
    parser.addoption(
        "--tables",
        type=int,
        default=1,
        help="browser tests play at the tables of this number: another number, other cards",
    )
    parser.addoption(
        "--accept", action="store_true", help="write down what a screen reader is told now as what it should be told"
    )


def pytest_xdist_auto_num_workers():
    # One more than there are cores: who looks at a browser mostly waits for it. `--maxprocesses` limits it.
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config, log):
    if config.getoption("dist") == "loadfile":
        from xdist.scheduler import LoadFileScheduling

        class ByFolder(LoadFileScheduling):
            """One process tests all adapters: within it a game's rules are compiled once for all of them."""

            def _split_scope(self, nodeid):
                return "tests/adapters" if nodeid.startswith("tests/adapters/") else super()._split_scope(nodeid)

        return ByFolder(config, log)
    return None


def pytest_collection_finish():
    gc.freeze()  # what is there by now stays: to look through it again and again takes a twentieth of all time


@pytest.hookimpl(tryfirst=True)  # before cases are selected by their markers
def pytest_collection_modifyitems(items):
    for item in tiers.slow_among(items):
        item.add_marker("slow")
    # Browsers last: from then on Playwright keeps this thread's event loop running. The longest file of them first, or
    # at the end all would wait for the one that has it.
    items.sort(key=lambda item: (HERE / "browser" in item.path.parents, item.path.name != "test_whole_games.py"))


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: left out by `make test`, see tests/tiers.py")


def pytest_terminal_summary(terminalreporter, config):
    if config.option.markexpr == "not slow" and not hasattr(config, "workerinput"):
        terminalreporter.write_line(f"Left out by tests/slow.toml: {tiers.summary()}. `make test-all` runs everything.")
