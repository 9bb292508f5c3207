"""A match in JavaScript, with the rules as WebAssembly, in the engines of all browsers: the same as in Python."""

import json
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from test_engines import open_browser

from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.native.webassembly.module_compiler import compile_webassembly
from courtly.engine.rng import SeededChance
from courtly.engine.transcript import write_record

WEB = Path(__file__).parents[2] / "courtly" / "web"
SEED = 2**53 + 1  # not a number of JavaScript
MAX_DECISIONS = 200
PLAY = """async (name, players, seed, maxDecisions) => {
    const [{ loadGame }, { Match }, { SeededChance }, { writeRecord }] = await Promise.all(
        ["game", "match", "chance", "record-writer"].map((module) => import(`/web/engine/${module}.js`)));
    const [code, description] = await Promise.all([
        fetch(`/${name}.wasm`).then((response) => response.arrayBuffer()),
        fetch(`/${name}.json`).then((response) => response.json())]);
    const match = new Match(await loadGame(code, description), { players, chance: new SeededChance(BigInt(seed)) });
    for (let n = 0; n < maxDecisions && !match.position.isOver; n++) {
        const [seat] = match.position.pending;
        const legal = match.position.legal(seat);
        match.play(seat, [legal[7 * n % legal.length]]);
    }
    return writeRecord(match);
}"""


class ModuleHandler(SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".js": "text/javascript", ".json": "application/json", "": "text/plain"}

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a page and the modules; tests add games."""
    path = tmp_path_factory.mktemp("compiled")
    (path / "index.html").write_text("<!doctype html><title>Compiled games</title>")
    for part in ("engine", "core"):
        shutil.copytree(WEB / part, path / "web" / part)
    return path


@pytest.fixture(scope="module", params=["chromium", "firefox", "older firefox", "webkit"])
def run(request, folder, chromium):
    """A function that runs a JavaScript function in a page of the folder, in a browser of this engine."""
    with ThreadingHTTPServer(("localhost", 0), partial(ModuleHandler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://localhost:{server.server_port}"
        if request.param == "chromium":
            page = chromium.new_page()
            page.goto(url)
            yield lambda function, *args: page.evaluate(f"(args) => ({function})(...args)", args)
            page.close()
        else:
            with open_browser(request.param, url) as browser:
                browser.open("/")
                yield browser.run
        server.shutdown()


def play_in_python(game, players):
    match = Match(game, players, {}, SeededChance(SEED))
    for n in range(MAX_DECISIONS):
        if match.over:
            break
        legal = match.legal(match.pending[0])
        match.play(match.pending[0], [legal[7 * n % len(legal)]])
    return write_record(match)


@pytest.mark.parametrize("name", game_ids())
def test_a_match_is_the_same_in_every_engine(run, folder, name):
    game = find_game(name)
    if not (folder / f"{name}.wasm").exists():
        module = compile_webassembly(game)
        (folder / f"{name}.wasm").write_bytes(module.code)
        (folder / f"{name}.json").write_text(json.dumps(module.description), encoding="utf-8")
    players = game.players[-1]
    assert run(PLAY, name, players, str(SEED), MAX_DECISIONS) == play_in_python(game, players)
