"""Images of moments of finished games, for link previews.

An image shows the last move, the players with their points, and how far the game had come. It needs courtly[pictures];
without it, a preview shows a picture of the game. Images contain no secrets, because a finished game is public.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from importlib.util import find_spec

from courtly.engine.match import Match
from courtly.engine.position import CommandRefusedError
from courtly.rendering.share_image import GameMoment, render_png
from courtly.server.assets.bundle import AssetBundle
from courtly.server.security.rate_limits import TokenBucket, network_of
from courtly.server.settings import Settings

AVAILABLE = all(map(find_spec, ("PIL", "fluent")))
MAX_IMAGES = 256  # cached images
TIME_SLICE_S = 0.002  # seconds of work after which other tasks may run


Key = tuple[str, int, str, tuple[str, ...]]  # table, ply, language, the players' names


class ShareImages:
    """Renders images one at a time, in a thread, and caches the newest ones."""

    def __init__(self, settings: Settings, statics: AssetBundle):
        self.statics = statics
        self._request_limit = TokenBucket(settings.commands_per_second / 10, settings.commands_per_second)
        self._images: OrderedDict[Key, bytes] = OrderedDict()
        self._render_slot = asyncio.Semaphore(1)

    async def find(self, key: Key, requester: str) -> bytes | None:
        """Return a cached image, or None. Raises CommandRefusedError if the address requests too many new images."""
        image = self._images.get(key)
        if image is None and not self._request_limit.take(network_of(requester)):
            raise CommandRefusedError("error-too-fast")
        return image

    async def draw(self, key: Key, moment: GameMoment) -> bytes:
        """Render an image as PNG and cache it."""
        async with self._render_slot:
            image = self._images[key] = await asyncio.to_thread(render_png, self.statics, moment)
        if len(self._images) > MAX_IMAGES:
            self._images.popitem(last=False)
        return image


async def match_at(finished: Match, ply: int) -> Match:
    """Return a match as it was after `ply` entries of its journal."""
    match, start_time = (
        Match(finished.game, finished.players, finished.options, finished.source, start=False),
        time.monotonic(),
    )
    for entry in finished.entries[:ply]:
        match.follow(entry)
        if time.monotonic() - start_time > TIME_SLICE_S:
            await asyncio.sleep(0)
            start_time = time.monotonic()
    return match
