"""A connection that stays open but transfers nothing, while new ones work: the page notices and reconnects."""

import asyncio
import json
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from table import play_pending_moves

RECONNECT_MS = 10_000  # a visible page is connected again within this time


class Proxy:
    """Forwards bytes to the server at `address`, except on connections that were open when `swallow` was called."""

    def __init__(self, address):
        self.target = urlsplit(address)
        self.alive = set()
        self.loop = asyncio.new_event_loop()

    async def _serve(self, reader, writer):
        server_reader, server_writer = await asyncio.open_connection(self.target.hostname, self.target.port)
        self.alive.add(connection := object())
        await asyncio.gather(
            self._pass(reader, server_writer, connection), self._pass(server_reader, writer, connection)
        )

    async def _pass(self, reader, writer, connection):
        try:
            while data := await reader.read(1 << 16):
                if connection in self.alive:
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        finally:
            if connection in self.alive:  # the end of a swallowed connection is not forwarded, either
                writer.close()

    def _run(self, job):
        return asyncio.run_coroutine_threadsafe(job, self.loop).result(10)

    @contextmanager
    def running(self):
        """Yield the proxy's address."""
        thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        thread.start()
        server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            self._run(self._stop())
            self.loop.call_soon_threadsafe(self.loop.stop)
            thread.join(10)
            self.loop.close()

    async def _stop(self):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def swallow(self):
        self._run(self._swallow())

    async def _swallow(self):
        self.alive.clear()


@pytest.mark.parametrize("trigger", ["seen", "online", "nothing"])
def test_a_half_open_connection_is_noticed(person, server_url, trigger):
    proxy = Proxy(server_url)
    with proxy.running() as address:
        ada, ben = person(url=address), person()
        page, other_requests = ada.page, ben.page.request
        page.clock.install()
        for requests in (page.request, other_requests):
            requests.get("/api/me")
        seats = [{"kind": "me"}, {"kind": "open"}]
        response = page.request.post("/api/tables", data={"game": "petition", "players": 2, "seats": seats}).json()
        table = response["id"]
        other_requests.post(f"/api/tables/{table}/sit", data={})
        page.goto(f"/t/{table}")
        play_pending_moves(other_requests, table, 1)  # the first player is drawn
        expect(page.locator(".now.mine")).to_be_visible()
        play_pending_moves(page.request, table, 0)
        expect(page.locator(".now.mine")).to_have_count(0)
        proxy.swallow()
        play_pending_moves(other_requests, table, 1)
        if trigger == "seen":
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        elif trigger == "online":
            page.evaluate("dispatchEvent(new Event('online'))")
        page.clock.run_for(RECONNECT_MS)
        expect(page.locator(".now.mine")).to_be_visible()


def test_a_page_reports_when_it_is_hidden(person):
    table = person()
    page, sent_messages = table.page, []
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.away === true })")
    page.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent_messages.append(json.loads(frame))))
    table.start("sealed_bids")
    for hidden in (True, False):
        page.evaluate("away => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }", hidden)
    expect(page.locator(".now")).to_be_visible()
    assert [message["hidden"] for message in sent_messages if message["type"] in ("hello", "hidden")] == [
        False,
        True,
        False,
    ]
