"""Configuration of all tests; installs the games that exist only for tests beside the real ones."""

import gc
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from courtly.engine.game import Game, find_game
from courtly.testing import resources

HERE = Path(__file__).parent
# shared test modules
sys.path[:0] = map(str, [HERE, HERE / "server", HERE / "browser"])
import tiers  # noqa: E402  # tests/tiers.py needs the path that the line above sets

resources.TEST_FOLDERS.update({folder.name: folder for folder in HERE.glob("games/*/")})
os.environ["COURTLY_GAMES"] = "sealed_bids"
os.environ["COURTLY_WORKSHOP"] = "1"  # test games that are not ready for the lobby, too
python_path = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]  # for processes that tests start
if "COVERAGE_RUN" in os.environ:
    python_path.append(str(HERE / "under_coverage"))
    sys.path.append(python_path[-1])
    import save_before_kill  # noqa: F401  # replaces os.kill
os.environ["PYTHONPATH"] = os.pathsep.join(python_path)
settings.register_profile("courtly", deadline=None, max_examples=60, derandomize=True)  # no time limits
settings.load_profile("courtly")


def pytest_addoption(parser):
    parser.addoption(
        "--tables", type=int, default=1, help="seed of the tables in browser tests: each number gives other cards"
    )
    parser.addoption(
        "--accept", action="store_true", help="store the current screen reader announcements as the expected ones"
    )


def pytest_xdist_auto_num_workers():
    # One more than there are cores, since browser tests mostly wait. `--maxprocesses` limits it.
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config, log):
    if config.getoption("dist") == "loadfile":
        from xdist.scheduler import LoadFileScheduling

        class ByFolder(LoadFileScheduling):
            """Run all adapter tests in one process, which compiles each game's rules once."""

            def _split_scope(self, nodeid):
                return "tests/adapters" if nodeid.startswith("tests/adapters/") else super()._split_scope(nodeid)

        return ByFolder(config, log)
    return None


def pytest_collection_finish():
    gc.freeze()  # excluding the objects that exist by now from garbage collection saves a twentieth of the time


@pytest.hookimpl(tryfirst=True)  # before cases are selected by markers
def pytest_collection_modifyitems(items):
    for item in tiers.slow_among(items):
        item.add_marker("slow")
    # Browser tests are last, because Playwright keeps this thread's event loop running from then on. Their longest file
    # is first, so that no process works alone at the end.
    items.sort(key=lambda item: (HERE / "browser" in item.path.parents, item.path.name != "test_whole_games.py"))


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: left out by `make test`, see tests/tiers.py")


def pytest_terminal_summary(terminalreporter, config):
    if config.option.markexpr == "not slow" and not hasattr(config, "workerinput"):
        terminalreporter.write_line(f"Left out by tests/slow.toml: {tiers.summary()}. `make test-all` runs everything.")


@pytest.fixture
def change_game(tmp_path, monkeypatch):
    """Return a function that returns a game, by default sealed bids, with changes `(file, old, new)`."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def change(*changes, game=None):
        game = game or find_game("sealed_bids")
        folder = tmp_path / f"of_{tmp_path.name}"  # its own package
        shutil.copytree(game.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for module in folder.rglob("*.py"):  # which import each other
            text = module.read_text(encoding="utf-8").replace(f"{game.package}.", f"{folder.name}.")
            module.write_text(text, encoding="utf-8")
        for file, old, new in changes:
            text = (folder / file).read_text(encoding="utf-8")
            assert text.count(old) == 1, (file, old)
            (folder / file).write_text(text.replace(old, new), encoding="utf-8")
        return Game(folder.name)

    return change
