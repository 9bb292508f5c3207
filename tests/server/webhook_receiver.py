"""A webhook receiver for tests."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from guests import PATIENCE


class WebhookReceiver:
    """An HTTP server that stores what it receives and can reject it."""

    def __init__(self):
        receiver = self
        self.requests, self.status, self.responding = [], 200, threading.Event()
        self.responding.set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                receiver.requests.append((time.monotonic(), self.path, body))
                receiver.responding.wait(PATIENCE)
                self.send_response(receiver.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/topic"
