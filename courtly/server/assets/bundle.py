"""The files that browsers load.

Each file is read and compressed once. Its URL contains a hash of all files, so browsers may cache it forever.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from courtly.engine.constants import LANGUAGES
from courtly.engine.game import find_game, game_ids
from courtly.server.assets.asset import JSON_TYPE, MEDIA_TYPES, Asset, compress, json_bytes, make_asset
from courtly.server.assets.compiled_games import FOLDER as COMPILED_FOLDER
from courtly.server.assets.compiled_games import CompiledGames, describe_game, list_game

CHUNK_BYTES = 1 << 16
# restricts a game's style sheet to the elements that the game draws
SCOPE_PREFIX = b":where(.of-game) {\n"
UNNESTABLE_RULES = re.compile(
    rb"^[ " rb"\t]*@(?:keyframes|font-face|property)\b[^{]*\{(?:[^{}]|\{[^{}]*\})*\}\n?", re.MULTILINE
)
LOBBY, RULES, TABLE = "web/pages/lobby.js", "web/pages/rules.js", "web/pages/table.js"
REPLAY, RECORD = "web/pages/finished-table.js", "web/pages/record.js"  # the tables of what is past
LESSON_PAGE = "web/pages/lesson.js"
OFFLINE, WORKER = "web/offline/offline-page.js", "web/offline/sw.js"
GAME_WORKER = "web/local/game-worker.js"
GAME_FILES_FOLDER = "web/offline/"
GAME_LIST = f"{GAME_FILES_FOLDER}games.json"
# what the offline page needs after a game was chosen, in this order
OFFLINE_LATER = "web/components/new-table-form.js", GAME_WORKER, "web/game-view/game-view.js"
# Files that the offline page does not need. It keeps the Japanese fonts with the characters of the games' texts; names
# are shown in the device's fonts.
NOT_PRELOADED = re.compile(r"web/(fonts/(gothic|mincho)(-bold)?-[0-9a-f]{4}\.|dev/|icons/)|\.png$")
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?\bfrom "([^"]+)";|^import "([^"]+)";', re.MULTILINE)
OUTDATED_BROWSER_TEXT = re.compile(
    r"^older-browser = (.*)$", re.MULTILINE
)  # shown to browsers that cannot run the scripts
CONTENT_PLACEHOLDER = b"{{content}}"  # replaced by preload links when a page is served
INLINE_ELEMENT = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)
PAGE_POLICY = (
    "default-src 'none'; script-src 'self' {map}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html courtly"
)


class AssetBundle:
    """All files that browsers load, and the HTML page in its variants.

    The variants differ in their preload links. These name every module that the page will import, so that a browser
    requests all of them at once instead of level by level.

    Attributes:
        files: Each file by its path after /s/<hash>/.
        compiled: The compiled games, which are files too.
        hash: A hash of all files.
        policy: The Content-Security-Policy of the page.
        page: The page for the lobby.
        rules: The page for the rules of a game.
        tables: The page for a table, by game; "": for a table that is not in memory.
        lessons: The page for a lesson, by game.
        replays: The page for the replay of a finished table, by game.
        record: The page for the replay of a record.
        offline: The page for games without a server, which the service worker caches.
        worker: The service worker's script, or None if there is none.
        dev: Pages know that they are served with `--dev`.
    """

    def __init__(self, web: Path, dev: bool = False):
        self.web = web
        self.dev = dev
        self.compiled = CompiledGames()
        self.read()

    def read(self) -> None:
        """Read all files again. Files that have not changed are not compressed again."""
        compressed = {file.plain: file for file in getattr(self, "files", {}).values()}
        self.files = dict(sorted(self._load_files(compressed).items()))
        digest = hashlib.sha256(self.compiled.hash.encode())
        page = (self.web / "index.html").read_text(encoding="utf-8")
        self.import_map = {
            name: path.removeprefix("{{static}}/")
            for map_text in IMPORT_MAP.findall(page)
            for name, path in json.loads(map_text)["imports"].items()
        }
        self._imported = {path: self._imports(path) for path in self.files if path.endswith(".js")}
        self.files |= self._describe_games()
        for name, file in [("", Asset("", page.encode(), None)), *self.files.items()]:
            digest.update(f"{name}\0{len(file.plain)}\0".encode() + file.plain)
        self.hash = digest.hexdigest()[:16]
        page = page.replace("{{older}}", self._outdated_browser_page())
        page = page.replace("{{static}}", f"/s/{self.hash}").replace("{{dev}}", " data-dev" if self.dev else "")
        digests = (f"'sha256-{_digest(script)}'" for script in IMPORT_MAP.findall(page))
        self.policy = PAGE_POLICY.format(map=" ".join(digests))
        offline_links = self._offline_preload_links()
        self.offline = page.replace("{{offline}}", " data-offline").replace("{{ahead}}", offline_links).encode()
        page = page.replace("{{offline}}", "")
        self.worker = self._service_worker_script()
        self.page = page.replace("{{ahead}}", self._preload_links(LOBBY)).encode()
        self.rules = page.replace("{{ahead}}", self._preload_links(RULES)).encode()
        self.lessons = {
            game: page.replace(
                "{{ahead}}", self._preload_links(LESSON_PAGE, f"games/{game}/board/board.js", game=game)
            ).encode()
            for game in game_ids()
        }
        self.record = page.replace("{{ahead}}", self._preload_links(RECORD)).encode()
        self.replays = {
            game: page.replace(
                "{{ahead}}", self._preload_links(REPLAY, f"games/{game}/board/board.js", game=game)
            ).encode()
            for game in game_ids()
        }
        self.tables = {
            game: page.replace(
                "{{ahead}}", self._preload_links(TABLE, f"games/{game}/board/board.js", game=game)
            ).encode()
            for game in ("", *game_ids())
        }

    def _outdated_browser_page(self) -> str:
        """Return the HTML text for browsers that are too old for the page, in each language."""
        files = {language: self.files.get(f"web/{language}.ftl") for language in LANGUAGES}
        texts = {
            language: OUTDATED_BROWSER_TEXT.search(file.plain.decode()) for language, file in files.items() if file
        }
        return "".join(
            f'<p lang="{language}">{escape(text_match[1])}</p>' for language, text_match in texts.items() if text_match
        )

    def paths(self) -> list[str]:
        """Return the paths of all files; those of compiled games, which may take time, come last."""
        return [*self.files, *self.compiled.paths]

    async def find(self, path: str) -> Asset | None:
        """Return a file; None if there is no such file. A compiled game is compiled when it is first asked for.

        Raises:
            CommandRefusedError: The game cannot be compiled.
        """
        if path.startswith(COMPILED_FOLDER):
            return await self.compiled.find(path)
        return self.files.get(path)

    def _preload_links(self, *modules: str, game: str = "") -> str:
        """Return the preload links of a page that starts with these modules."""
        links = self._module_links(self.chain("web/router.js", *modules))
        if f"games/{game}/board/board.css" in self.files:
            links += [f'<link rel="preload" as="style" href="/s/{self.hash}/games/{game}/board/board.css">']
        if game:
            links += [f'<link rel="preload" as="fetch" crossorigin href="/api/games/{game}">']
        return "\n".join(links)

    def catalogue_paths(self, language: str, games: list[str]) -> list[str]:
        """Return the URL paths of the texts of the shell and of these games."""
        files = [f"web/{language}.ftl", *(f"games/{game}/{language}.ftl" for game in games)]
        return [f"/s/{self.hash}/{file}" for file in files if file in self.files]

    def _offline_preload_links(self) -> str:
        """Return the preload links of the offline page. Those in the template are used once it shows the games."""
        first = self.chain("web/router.js", OFFLINE)
        later = [path for path in self._later_modules() if path not in first]
        games = f'<link rel="preload" as="fetch" crossorigin href="/s/{self.hash}/{GAME_LIST}">'
        return "\n".join(
            [
                *self._module_links(first),
                games,
                '<template id="later">',
                *self._module_links(later, ' fetchpriority="low"'),
                "</template>",
            ]
        )

    def _later_modules(self) -> list[str]:
        """Return the paths of the modules that the offline page needs after a game was chosen, in this order."""
        return list(dict.fromkeys(path for module in OFFLINE_LATER for path in self.chain(module)))

    def _module_links(self, paths: list[str], attributes: str = "") -> list[str]:
        """Return preload links for modules, with these attributes."""
        return [f'<link rel="modulepreload"{attributes} href="/s/{self.hash}/{path}">' for path in paths]

    def _describe_games(self) -> dict[str, Asset]:
        """Return by path, for the offline page, the file with the list of games and one with what is known of each."""
        loaded = {*self.chain("web/router.js", OFFLINE), *self._later_modules()}
        games = [find_game(game) for game in game_ids()]
        contents: dict[str, object] = {f"{GAME_FILES_FOLDER}{game.id}.json": describe_game(game) for game in games}
        contents[GAME_LIST] = [
            list_game(game, [path for path in self._board_files(game.id) if path not in loaded]) for game in games
        ]
        return {path: compress(JSON_TYPE, json_bytes(content)) for path, content in contents.items()}

    def _board_files(self, game: str) -> list[str]:
        """Return the paths of all modules of a game's board and of its style sheet, if there are any."""
        style = f"games/{game}/board/board.css"
        return [*self.chain(f"games/{game}/board/board.js"), *([style] if style in self.files else [])]

    def _list_later_files(self) -> list[str]:
        """Return the paths of all files that the offline page needs."""
        return [path for path in self.files if not NOT_PRELOADED.search(path)]

    def _service_worker_script(self) -> Asset | None:
        """Return the service worker's script, with the list of files to cache; None if there is no script."""
        if WORKER not in self.files:
            return None
        linked_urls = re.findall(rf'(?:href|src)="(/s/{self.hash}/[^"]+)"', self.offline.decode())
        words = [f"/s/{self.hash}/web/{language}.ftl" for language in LANGUAGES]
        text = self.files[WORKER].plain.decode().replace("{{static}}", f"/s/{self.hash}")
        for word, paths in (("later", self._list_later_files()), ("compiled", self.compiled.paths)):
            text = text.replace(f"{{{{{word}}}}}", " ".join(f"/s/{self.hash}/{path}" for path in paths))
        return compress(
            MEDIA_TYPES[".js"], text.replace("{{files}}", " ".join(dict.fromkeys([*linked_urls, *words]))).encode()
        )

    def chain(self, *modules: str) -> list[str]:
        """Return the paths of these modules and of all modules that they import, directly or indirectly."""
        paths: list[str] = []
        waiting = [module for module in modules if module in self.files]
        while waiting:
            module_path = waiting.pop(0)
            if module_path not in paths:
                paths.append(module_path)
                waiting += self._imported[module_path]
        return paths

    def _imports(self, module: str) -> list[str]:
        """Return the paths of the modules that a module imports directly."""
        names = [a or b for a, b in IMPORT.findall(self.files[module].plain.decode(errors="replace"))]
        paths = [
            self.import_map.get(name) or posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
            for name in names
        ]
        return [path for path in paths if path in self.files]

    def _load_files(self, compressed: dict[bytes, Asset]) -> dict[str, Asset]:
        """Return all files by path. `compressed` maps contents to files that are already compressed."""
        roots = {"web": self.web, **{f"games/{game}": find_game(game).folder for game in game_ids()}}
        files: dict[str, Asset] = {}
        for prefix, root in roots.items():
            for path in root.rglob("*"):
                if path.suffix in MEDIA_TYPES and path.is_file():
                    plain = path.read_bytes()
                    if root is not self.web and path.suffix == ".css":
                        plain = _scope_style(plain)
                    files[f"{prefix}/{path.relative_to(root).as_posix()}"] = compressed.get(plain) or make_asset(
                        path.suffix, plain
                    )
        return files


def _scope_style(style: bytes) -> bytes:
    """Return a game's style sheet, restricted to the game's elements. At-rules that cannot be nested come first."""
    return b"".join([*UNNESTABLE_RULES.findall(style), SCOPE_PREFIX, UNNESTABLE_RULES.sub(b"", style), b"}\n"])


def asset_response(request: Request, file: Asset, cache: str, status: int = 200) -> Response:
    """Return the response with a file, in gzip if the client accepts it.

    Not for secret content: the length of compressed content can reveal it (as in the BREACH attack).
    """
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return ChunkedResponse(file.packed, status, headers, file.type)
    return ChunkedResponse(file.plain, status, headers, file.type)


class ChunkedResponse(Response):
    """A response that is sent in chunks, so that a slow client occupies the memory of one chunk only."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for offset in range(0, max(1, len(self.body)), CHUNK_BYTES):
            chunk, has_more = self.body[offset : offset + CHUNK_BYTES], offset + CHUNK_BYTES < len(self.body)
            await send({"type": "http.response.body", "body": chunk, "more_body": has_more})


def self_contained_policy(page: str) -> str:
    """Return the Content-Security-Policy of a page that loads no other file."""
    inside = (f"{kind}-src 'sha256-{_digest(text)}'; " for kind, text in INLINE_ELEMENT.findall(page))
    return f"default-src 'none'; {''.join(inside)}base-uri 'none'; frame-ancestors 'none'"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
