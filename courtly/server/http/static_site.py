"""Courtly as a static site: a folder of files, with games against bots, lessons, rules and replays of records.

Any web server can host the folder, under any path and without a configuration of media types.
"""

from __future__ import annotations

import re
from pathlib import Path

from courtly.bots.browser_files import load_or_compile_files
from courtly.engine.game import find_game, game_ids
from courtly.engine.scenarios.lesson import load_lesson
from courtly.server.assets.asset import Asset
from courtly.server.assets.bundle import CONTENT_PLACEHOLDER, AssetBundle
from courtly.server.assets.compiled_games import FOLDER, LESSON_SUFFIX, make_assets, make_lesson_asset
from courtly.server.http.link_previews import PREVIEW_PLACEHOLDER

WEB = Path(__file__).parents[2] / "web"


def write_site(folder: Path) -> int:
    """Write the site to a folder and return its size in bytes.

    Raises:
        FileExistsError: The folder is not empty.
        DialectError, RulesError, CompilerUnavailableError: A game cannot be compiled.
        ScenarioError: A lesson is invalid.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    statics = AssetBundle(WEB)
    page = statics.offline.replace(PREVIEW_PLACEHOLDER, b"").replace(CONTENT_PLACEHOLDER, b"")
    page = page.replace(b" data-offline", b" data-site data-offline", 1)
    page = page.replace(b'"/s/', b'"./s/')
    assert statics.worker
    worker = re.sub(rb'(["\s])/s/', rb"\1./s/", statics.worker.plain).replace(b'"/offline"', b'"./"')
    files = {f"s/{statics.hash}/{path}": file.plain for path, file in statics.files.items()}
    manifest = f"s/{statics.hash}/web/courtly.webmanifest"
    files[manifest] = files[manifest].replace(b'  "id": "/",\n', b"").replace(b'"/"', b'"../../../"')
    compiled: dict[str, Asset] = {}
    for game in map(find_game, game_ids()):
        compiled |= make_assets(game.id, load_or_compile_files(game))
        if load_lesson(game):
            compiled[f"{FOLDER}{game.id}{LESSON_SUFFIX}"] = make_lesson_asset(game)
    files |= {f"s/{statics.hash}/{path}": file.plain for path, file in compiled.items()}
    files |= {"index.html": page, "sw.js": worker}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sum(map(len, files.values()))
