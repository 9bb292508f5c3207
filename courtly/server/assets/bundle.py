"""The browser's files: read once, compressed once, named by one hash of them all, so that browsers keep them for
ever."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import posixpath
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from courtly.engine.constants import LANGUAGES
from courtly.engine.game import find_game, game_ids
from courtly.server.assets.pyodide_bundle import build_archive

MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ftl": "text/plain; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
STORED_MEDIA_TYPES = MEDIA_TYPES | {".json": "application/json"}  # of files that are kept packed, as NAME.gz
CHUNK_BYTES = 1 << 16  # bytes
INCOMPRESSIBLE_SUFFIXES = {".png", ".woff2", ".zip"}  # gain nothing from gzip
# what a game's style sheet may reach: what the game draws, and nothing of the shell
SCOPE_PREFIX = b":where(.of-game) {\n"
UNNESTABLE_RULES = re.compile(
    rb"^[ " rb"\t]*@(?:keyframes|font-face|property)\b[^{]*\{(?:[^{}]|\{[^{}]*\})*\}\n?", re.MULTILINE
)
LOBBY, RULES, TABLE = "web/pages/lobby.js", "web/pages/rules.js", "web/pages/table.js"
REPLAY, RECORD = "web/pages/finished-table.js", "web/pages/record.js"  # the tables of what is past
LESSON_PAGE = "web/pages/lesson.js"
OFFLINE, WORKER = "web/offline/offline-page.js", "web/offline/sw.js"
PYTHON, ARCHIVE = "web/offline/python-worker.js", "web/offline/rules.zip"
# without a server; of Japanese there is what the games say, and of names what the device has
NOT_PRELOADED = re.compile(r"web/(fonts/(gothic|mincho)(-bold)?-[0-9a-f]{4}\.|dev/|icons/)|\.png$")
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?\bfrom "([^"]+)";|^import "([^"]+)";', re.MULTILINE)
OUTDATED_BROWSER_TEXT = re.compile(r"^older-browser = (.*)$", re.MULTILINE)  # for those that cannot read a catalogue
INLINE_ELEMENT = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)
PAGE_POLICY = (
    "default-src 'none'; script-src 'self' {map}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html courtly"
)


@dataclass(frozen=True, slots=True)
class Asset:
    type: str
    plain: bytes
    packed: bytes | None


class AssetBundle:
    """`files`: path after /s/<hash>/ -> File. `page`: the one HTML page, with its Content-Security-Policy in `policy`;
    `rules` and
    `tables`: the same page for the rules of a game, and for a table of each game ("": of one that is not in memory);
    `lessons`: for the lesson of each; `replays`: for a finished table of each, played back; `record`: for a record.
    `offline`: where no server can be reached, kept by the service worker `worker`.

    A page names beforehand all that its first module will ask for, step by step, so that a browser far away asks for it
    at once. `dev`: pages are told that they are an author's.
    """

    def __init__(self, web: Path, dev: bool = False):
        self.web = web
        self.dev = dev
        self.read()

    def read(self) -> None:
        """Read all files anew. What has not changed keeps its compressed form."""
        known = {file.plain: file for file in getattr(self, "files", {}).values()}
        self.files = dict(sorted(self._found(known).items()))
        digest = hashlib.sha256()
        page = (self.web / "index.html").read_text(encoding="utf-8")
        for name, file in [("", Asset("", page.encode(), None)), *self.files.items()]:
            digest.update(f"{name}\0{len(file.plain)}\0".encode() + file.plain)
        self.hash = digest.hexdigest()[:16]
        page = page.replace("{{older}}", self._older())
        page = page.replace("{{static}}", f"/s/{self.hash}").replace("{{dev}}", " data-dev" if self.dev else "")
        maps = IMPORT_MAP.findall(page)
        self.named = {
            name: path.removeprefix(f"/s/{self.hash}/")
            for found in maps
            for name, path in json.loads(found)["imports"].items()
        }
        self._imported = {path: self._imports(path) for path in self.files if path.endswith(".js")}
        self.policy = PAGE_POLICY.format(map=" ".join(f"'sha256-{_digest(script)}'" for script in maps))
        page = page.replace("{{megabytes}}", self._megabytes())
        self.offline = page.replace("{{offline}}", " data-offline").replace("{{ahead}}", self._ahead(OFFLINE)).encode()
        page = page.replace("{{offline}}", "")
        self.worker = self._worker()
        self.page = page.replace("{{ahead}}", self._ahead(LOBBY)).encode()
        self.rules = page.replace("{{ahead}}", self._ahead(RULES)).encode()
        self.lessons = {
            game: page.replace(
                "{{ahead}}", self._ahead(LESSON_PAGE, f"games/{game}/board/board.js", game=game)
            ).encode()
            for game in game_ids()
        }
        self.record = page.replace("{{ahead}}", self._ahead(RECORD)).encode()
        self.replays = {
            game: page.replace("{{ahead}}", self._ahead(REPLAY, f"games/{game}/board/board.js", game=game)).encode()
            for game in game_ids()
        }
        self.tables = {
            game: page.replace("{{ahead}}", self._ahead(TABLE, f"games/{game}/board/board.js", game=game)).encode()
            for game in ("", *game_ids())
        }

    def _older(self) -> str:
        """What a browser is told that is older than what the pages need, in each language."""
        files = {language: self.files.get(f"web/{language}.ftl") for language in LANGUAGES}
        texts = {
            language: OUTDATED_BROWSER_TEXT.search(file.plain.decode()) for language, file in files.items() if file
        }
        return "".join(f'<p lang="{language}">{escape(found[1])}</p>' for language, found in texts.items() if found)

    def _ahead(self, *modules: str, game: str = "") -> str:
        """The links that name beforehand what a page will ask for."""
        links = [
            f'<link rel="modulepreload" href="/s/{self.hash}/{path}">' for path in self.chain("web/router.js", *modules)
        ]
        if f"games/{game}/board/board.css" in self.files:
            links += [f'<link rel="preload" as="style" href="/s/{self.hash}/games/{game}/board/board.css">']
        if game:
            links += [f'<link rel="preload" as="fetch" crossorigin href="/api/games/{game}">']
        return "\n".join(links)

    def _later(self) -> list[str]:
        """What is played with where there is no server."""
        return [path for path in self.files if not NOT_PRELOADED.search(path)]

    def _megabytes(self) -> str:
        """How much of it a browser loads."""
        files = [self.files[path] for path in self._later()]
        return f"{sum(len(file.packed or file.plain) for file in files) / 1e6:.1f}"

    def _worker(self) -> Asset | None:
        """The service worker, which is told what to keep: all that the page without a server asks for."""
        if WORKER not in self.files:
            return None
        linked = re.findall(rf'(?:href|src)="(/s/{self.hash}/[^"]+)"', self.offline.decode())
        words = [f"/s/{self.hash}/web/{language}.ftl" for language in LANGUAGES]
        later = " ".join(f"/s/{self.hash}/{path}" for path in self._later())
        text = self.files[WORKER].plain.decode()
        text = text.replace("{{static}}", f"/s/{self.hash}").replace("{{later}}", later)
        return compress(
            MEDIA_TYPES[".js"], text.replace("{{files}}", " ".join(dict.fromkeys([*linked, *words]))).encode()
        )

    def chain(self, *modules: str) -> list[str]:
        """These modules and all that they import, whatever imports it."""
        found: list[str] = []
        waiting = [module for module in modules if module in self.files]
        while waiting:
            here = waiting.pop(0)
            if here not in found:
                found.append(here)
                waiting += self._imported[here]
        return found

    def _imports(self, module: str) -> list[str]:
        """The modules that one asks for by itself."""
        asked = [a or b for a, b in IMPORT.findall(self.files[module].plain.decode(errors="replace"))]
        paths = [
            self.named.get(name) or posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
            for name in asked
        ]
        return [path for path in paths if path in self.files]

    def _found(self, known: dict[bytes, Asset]) -> dict[str, Asset]:
        roots = {"web": self.web, **{f"games/{game}": find_game(game).folder for game in game_ids()}}
        found: dict[str, Asset] = {}
        for prefix, root in roots.items():
            for path in root.rglob("*"):
                if path.suffix == ".gz" and not self.dev:
                    packed = path.read_bytes()
                    found[f"{prefix}/{path.relative_to(root).with_suffix('').as_posix()}"] = Asset(
                        STORED_MEDIA_TYPES[path.with_suffix("").suffix], gzip.decompress(packed), packed
                    )
                if path.suffix in MEDIA_TYPES and path.is_file():
                    plain = path.read_bytes()
                    if root is not self.web and path.suffix == ".css":
                        plain = _scope_style(plain)
                    found[f"{prefix}/{path.relative_to(root).as_posix()}"] = known.get(plain) or _make_asset(
                        path.suffix, plain
                    )
        if PYTHON in found:
            found[ARCHIVE] = Asset(MEDIA_TYPES[".zip"], build_archive(), None)
        return found


def _scope_style(style: bytes) -> bytes:
    """Nest a game's style sheet in the elements it may reach. At-rules that cannot be nested are put before it."""
    return b"".join([*UNNESTABLE_RULES.findall(style), SCOPE_PREFIX, UNNESTABLE_RULES.sub(b"", style), b"}\n"])


def _make_asset(suffix: str, plain: bytes) -> Asset:
    return (
        Asset(MEDIA_TYPES[suffix], plain, None)
        if suffix in INCOMPRESSIBLE_SUFFIXES
        else compress(MEDIA_TYPES[suffix], plain)
    )


def json_bytes(told: Any) -> bytes:
    """Return it as JSON."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def compress(type: str, plain: bytes) -> Asset:
    return Asset(type, plain, gzip.compress(plain, 6, mtime=0))


def asset_response(request: Request, file: Asset, cache: str) -> Response:
    """A file, compressed for those who can unpack it. Never for what holds a secret: its compressed length would
    tell of it."""
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return ChunkedResponse(file.packed, media_type=file.type, headers=headers | {"content-encoding": "gzip"})
    return ChunkedResponse(file.plain, media_type=file.type, headers=headers)


class ChunkedResponse(Response):
    """Given out as fast as it is taken: who reads slowly, or not at all, has a piece of it in memory, not all."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for at in range(0, max(1, len(self.body)), CHUNK_BYTES):
            piece, more = self.body[at : at + CHUNK_BYTES], at + CHUNK_BYTES < len(self.body)
            await send({"type": "http.response.body", "body": piece, "more_body": more})


def self_contained_policy(page: str) -> str:
    """The policy of a page that has all it needs in it."""
    inside = (f"{kind}-src 'sha256-{_digest(text)}'; " for kind, text in INLINE_ELEMENT.findall(page))
    return f"default-src 'none'; {''.join(inside)}base-uri 'none'; frame-ancestors 'none'"


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
