"""`courtly serve --dev` shows an author's changes at once; without the option none of this exists."""

import asyncio
import json
import os
import re
from contextlib import suppress
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from guests import Connection, Server, wait_until
from starlette.requests import Request
from starlette.websockets import WebSocketDisconnect
from test_sockets import Socket
from websockets.exceptions import InvalidStatus, WebSocketException

from courtly.engine.position import CommandRefusedError
from courtly.scaffold import make_game
from courtly.server.dev import live_reload
from courtly.server.dev.inspector import require_local
from courtly.server.dev.live_reload import LiveReload

GAME = "tulip_fever"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return make_game(GAME, tmp_path_factory.mktemp("new")) / GAME


@pytest.fixture(scope="module")
def dev_server(package, tmp_path_factory):
    path = os.pathsep.join([str(package.parent), os.environ["PYTHONPATH"]])
    env = {"COURTLY_DEV": "1", "COURTLY_GAMES": GAME, "PYTHONPATH": path}
    with Server(tmp_path_factory.mktemp("data"), **env) as server:
        yield server
        server.stop()


def replace_text(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("board/board.js", "<b>${rank + 1}</b>", "<b>No. ${rank + 1}</b>"),
        ("ja.ftl", "料理人", "料理長"),
        ("rules.en.md", "\n", "\nAnd so on.\n"),
    ],
)
def test_saved_files_are_announced_to_every_page_and_served(dev_server, package, name, old, new):
    ada = dev_server.guest()
    with Connection(ada, "/ws/dev") as connection:
        hash_before = connection.wait("page")["hash"]
        replace_text(package / name, old, new)
        hash_after = next(hash for hash in iter(lambda: connection.wait("page")["hash"], None) if hash != hash_before)
        assert new in ada.get(f"/s/{hash_after}/games/{GAME}/{name}").body.decode()


def test_a_page_loaded_during_a_save_gets_the_current_files(dev_server, package):
    outdated_path = f"/s/0123456789abcdef/games/{GAME}/board/board.js"
    response = dev_server.guest().get(outdated_path)
    assert response.status == 200 and response.headers["cache-control"] == "no-store"
    assert dev_server.guest().get("/s/0123456789abcdef/web/nothing.js").status == 404


def test_saved_rules_restart_the_server_and_games_go_on(dev_server, package):
    ada = dev_server.guest()
    table = ada.open("me", "local", game=GAME, options={})
    view_before = ada.view(table, 0)
    with Connection(ada, "/ws/dev") as connection:
        first_message = connection.wait("rules")
        assert first_message["changed"] == first_message["wrong"] == ""
        replace_text(package / "rules.py", "def setup(s):", "def setup(s:")
        message = connection.wait("rules")
        assert "rules.py:" in message["wrong"] and not message["changed"] and message["run"] == first_message["run"]
        replace_text(package / "rules.py", "def setup(s:", "def setup(s):")
        replace_text(package / "game.toml", "minutes = 10", "minutes = 11")
        message = connection.wait("rules")
        assert message["changed"] and not message["wrong"] and message["run"] == first_message["run"]

    def has_restarted():
        with suppress(OSError, WebSocketException), Connection(ada, "/ws/dev") as connection:
            return connection.wait("rules")["run"] != first_message["run"]

    wait_until(has_restarted)
    assert ada.get(f"/api/games/{GAME}").json["minutes"] == 11
    assert ada.view(table, 0) == view_before and view_before["legal"]
    assert any("restarting the server" in line for line in dev_server.log)


def test_the_inspector_shows_hidden_fields(dev_server):
    ada = dev_server.guest()
    scenarios = ada.get(f"/api/dev/{GAME}").json
    assert [one["file"] for one in scenarios] == ["drives-away", "secrets-count"] and scenarios[0]["title"]
    request = {"scenario": "drives-away", "seat": 1}
    inspection = ada.post(f"/api/dev/{GAME}", request).json
    [choice] = inspection["choices"]
    assert choice["seat"] == 0 and inspection["view"]["seat"] == 1 and inspection["view"]["legal"] == []
    hands = {row["of"]: row for row in inspection["rows"] if row["field"] == "hand"}
    assert not hands["0"]["seen"] and hands["0"]["text"] == "page 1, heir 1" and hands["1"]["seen"]
    assert not any(row["changed"] for row in inspection["rows"])
    [step] = inspection["steps"]
    after = ada.post(f"/api/dev/{GAME}", request | {"moves": [step], "follow": True}).json
    changed = {(row["field"], row["of"]): row["text"] for row in after["rows"] if row["changed"]}
    assert after["done"] == [step] and changed["gone", ""] == "heir 3" and changed["given", "1"] == "page 1"
    repeated = ada.post(f"/api/dev/{GAME}", request | {"done": [step, step]}).json
    assert repeated["done"] == [step], "illegal moves are left out"
    assert ada.post(f"/api/dev/{GAME}", request | {"moves": [[1, step[1]]]}).error == "error-illegal"
    assert ada.post(f"/api/dev/{GAME}", {"scenario": "nowhere"}).error == "error-options"


def test_chance_acts_the_same_for_the_same_seed(dev_server):
    request = {"players": 2, "seed": 5, "draw": True}
    first, repeated, other = (
        dev_server.guest().post(f"/api/dev/{GAME}", request | changes).json for changes in ({}, {}, {"seed": 6})
    )
    assert first == repeated and first["done"] != other["done"] and first["choices"][0]["seat"] >= 0
    undrawn = dev_server.guest().post(f"/api/dev/{GAME}", request | {"draw": False}).json
    assert undrawn["done"] == [] and undrawn["choices"][0]["seat"] == -1 and undrawn["choices"][0]["weights"]


@pytest.mark.parametrize("client", ["192.168.0.7", "::ffff:10.0.0.1", "2001:db8::1"])
def test_the_inspector_is_for_this_machine_alone(client):
    for known in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        require_local(Request({"type": "http", "headers": [], "client": (known, 1)}))
    with pytest.raises(CommandRefusedError):
        require_local(Request({"type": "http", "headers": [], "client": (client, 1)}))


def test_pages_are_marked_in_development_mode(dev_server, ada):
    begins = re.compile(rb'<html lang="en"[^>]* data-dev[ >]')
    assert begins.search(dev_server.guest().get("/").body)
    assert not begins.search(ada.get("/").body)


def test_without_the_option_there_is_no_inspector(ada):
    with pytest.raises(InvalidStatus):
        Connection(ada, "/ws/dev")
    for path in ("/dev/petition", "/api/dev/petition"):
        assert ada.get(path).error == "error-unknown-page"


# --- the watching task alone ------------------------------------------------------------------------------------------


@pytest.fixture
def watched_game(tmp_path, monkeypatch):
    """The folder of a new game, the only one that is watched."""
    folder = make_game("watched_game", tmp_path) / "watched_game"
    monkeypatch.setattr(live_reload, "game_folders", lambda: {folder: "watched_game"})
    monkeypatch.setattr(live_reload, "POLL_INTERVAL_S", 0.001)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder.parent), os.environ["PYTHONPATH"]]))
    return folder


def test_a_file_that_is_being_written_is_read_at_the_next_check(watched_game, tmp_path):
    reads, page = [], Mock()

    def read():
        reads.append(page.put.call_count)
        if len(reads) == 2:
            raise OSError("the file is being written")

    async def run():
        assets = SimpleNamespace(web=tmp_path / "web", read=read, hash="h")
        reload = LiveReload(SimpleNamespace(assets=assets), Mock())
        while not reads:  # at the start
            await asyncio.sleep(0.001)
        reload.pages.add(page)
        (watched_game / "ja.ftl").write_text("favours = 恩恵\n", encoding="utf-8")
        while not page.put.called:
            await asyncio.sleep(0.001)
        reload.close()

    asyncio.run(run())
    assert len(reads) == 3 and reads[-1] == 0


def test_the_server_restarts_for_rules_that_can_be_loaded(watched_game, tmp_path):
    rules = watched_game / "rules.py"

    async def run():
        assets = SimpleNamespace(web=tmp_path / "web", read=Mock(), hash="h")
        restart, page = Mock(), Mock()
        reload = LiveReload(SimpleNamespace(assets=assets), restart)
        reload.close()
        reload.pages.add(page)
        replace_text(rules, "def setup(s):", "def setup(s:")
        await reload._reload_changed({rules})
        assert "rules.py" in reload.load_error and not reload.changed and not restart.called
        assert json.loads(page.put.call_args.args[0])["wrong"] == reload.load_error
        replace_text(rules, "def setup(s:", "def setup(s):")
        await reload._reload_changed({rules})
        assert not reload.load_error and reload.changed == str(rules) and restart.call_count == 1

    asyncio.run(run())


def test_a_file_that_was_deleted_meanwhile_has_no_stamp(tmp_path):
    assert live_reload._stamp(tmp_path / "gone.js") is None


@pytest.mark.parametrize(("sockets_allowed", "messages"), [(0, 0), (1, 1)])
def test_pages_get_the_state_while_they_are_connected(sockets_allowed, messages):
    socket, service = Socket(WebSocketDisconnect(1001)), Mock(pages=set())
    socket.limit.left, socket.app.state.live_reload = sockets_allowed, service
    service.send_state.side_effect = lambda page: service.states.append(page in service.pages)
    service.states = []
    asyncio.run(live_reload.serve_page_socket(socket))
    assert service.states == [True] * messages and not service.pages
