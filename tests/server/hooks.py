"""A webhook receiver for tests."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from guests import PATIENCE


class Hook:
    """An HTTP server that stores what it receives and can reject it."""

    def __init__(self):
        hook = self
        self.got, self.status, self.held = [], 200, threading.Event()
        self.held.set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                hook.got.append((time.monotonic(), self.path, body))
                hook.held.wait(PATIENCE)
                self.send_response(hook.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/topic"
