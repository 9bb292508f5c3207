"""Object files are kept between processes, and a damaged one is compiled again."""

import logging
import os
import threading

import pytest

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.native.compiler import machine_code, object_cache
from courtly.engine.native.compiler.object_cache import load_or_compile


class Compiler:
    """Returns an object file, and counts how often it is asked to."""

    def __init__(self, data=b"object file"):
        self.data, self.calls = data, 0

    def __call__(self):
        self.calls += 1
        return self.data


@pytest.fixture(autouse=True)
def nothing_reported(monkeypatch):
    monkeypatch.setattr(object_cache, "_reported_folders", set())


def test_a_file_is_compiled_once(tmp_path):
    compiler, folder = Compiler(), tmp_path / "new" / "folder"
    assert [load_or_compile(folder, "f.o", compiler) for _ in range(3)] == [b"object file"] * 3
    assert compiler.calls == 1
    load_or_compile(folder, "g.o", compiler)
    assert compiler.calls == 2 and {file.name for file in folder.iterdir()} == {"f.o", "g.o", "lock"}


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    assert load_or_compile(tmp_path, "f.o", Compiler()) == b"object file"
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]


def test_without_a_folder_nothing_is_stored(tmp_path):
    compiler = Compiler()
    assert [load_or_compile(None, "f.o", compiler) for _ in range(2)] == [b"object file"] * 2
    assert compiler.calls == 2


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:20], lambda data: data[:-1] + b"x"]
)
def test_a_damaged_file_is_compiled_again(tmp_path, damage):
    compiler, file = Compiler(), tmp_path / "f.o"
    load_or_compile(tmp_path, "f.o", compiler)
    file.write_bytes(damage(file.read_bytes()))
    assert load_or_compile(tmp_path, "f.o", compiler) == b"object file" and compiler.calls == 2
    assert load_or_compile(tmp_path, "f.o", compiler) == b"object file" and compiler.calls == 2


def test_a_file_from_another_place_is_compiled_again(tmp_path):
    """It may be sound machine code of other rules, which would write into a state of another size."""
    other = Compiler(b"code of another game")
    load_or_compile(tmp_path / "other", "f.o", other)
    load_or_compile(tmp_path / "other", "g.o", other)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "f.o").write_bytes((tmp_path / "other" / "f.o").read_bytes())
    (tmp_path / "other" / "f.o").write_bytes((tmp_path / "other" / "g.o").read_bytes())
    for folder in ("game", "other"):
        compiler = Compiler()
        assert load_or_compile(tmp_path / folder, "f.o", compiler) == b"object file" and compiler.calls == 1


def test_a_folder_that_cannot_be_made_is_reported_once(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    compiler, folder = Compiler(), tmp_path / "file" / "folder"
    with caplog.at_level(logging.WARNING):
        assert [load_or_compile(folder, "f.o", compiler) for _ in range(3)] == [b"object file"] * 3
    assert compiler.calls == 3
    [record] = caplog.records
    assert f"cannot be stored in {folder}" in record.getMessage()


def test_a_folder_that_cannot_be_written_is_reported_once(tmp_path, caplog):
    (tmp_path / "lock").mkdir()  # a read-only folder would let root write
    compiler = Compiler()
    with caplog.at_level(logging.WARNING):
        assert [load_or_compile(tmp_path, "f.o", compiler) for _ in range(2)] == [b"object file"] * 2
    assert compiler.calls == 2 and len(caplog.records) == 1


@pytest.mark.parametrize("error", [PermissionError, OSError])
def test_a_file_that_cannot_be_written_is_reported_once(tmp_path, caplog, monkeypatch, error):
    def refuse(**_options):
        raise error("read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    compiler = Compiler()
    with caplog.at_level(logging.WARNING):
        assert [load_or_compile(tmp_path, "f.o", compiler) for _ in range(2)] == [b"object file"] * 2
    assert compiler.calls == 2, "a folder that cannot be written does not compile twice for one request"
    assert len(caplog.records) == 1 and "read-only file system" in caplog.records[0].getMessage()


def test_an_error_of_the_compiler_is_raised_and_nothing_is_stored(tmp_path):
    def compiler():
        raise ValueError("no machine code")

    with pytest.raises(ValueError, match="no machine code"):
        load_or_compile(tmp_path, "f.o", compiler)
    assert not list(tmp_path.glob("*.o"))


def test_threads_wait_for_the_one_that_compiles(tmp_path):
    started = threading.Event()

    class Slow(Compiler):
        def __call__(self):
            started.set()
            return super().__call__()

    compiler, results = Slow(), []
    threads = [
        threading.Thread(target=lambda: results.append(load_or_compile(tmp_path, "f.o", compiler))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [b"object file"] * 4 and compiler.calls == 1


def test_a_damaged_object_file_of_a_game_is_compiled_again(tmp_path, monkeypatch):
    modules = []
    compile_module = machine_code.compile_module
    monkeypatch.setattr(
        machine_code, "compile_module", lambda *arguments: (modules.append(1), compile_module(*arguments))[1]
    )
    game = find_game("sealed_bids")

    def load():
        loader.compile_playouts(loader.load_driver(game, loader.CompiledBackend(tmp_path)))
        return len(modules)

    assert [load(), load()] == [1, 1]
    [file] = tmp_path.glob("*.o")
    file.write_bytes(file.read_bytes()[:5000])
    assert [load(), load()] == [2, 2]
