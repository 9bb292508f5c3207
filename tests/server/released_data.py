"""The data of a server as released versions leave it: `released_data/VERSION.sql`, one file for each release.

    python tests/server/released_data.py

plays with the present version and writes its file. It is written once, for the release, and never again.
"""

import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from courtly import __version__

HERE = Path(__file__).parent
FOLDER = HERE / "released_data"


def read(version, file):
    """Create the SQLite database of this version's server."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((FOLDER / f"{version}.sql").read_text("utf-8"))


def write_present():
    """Play on a server of the present version and write what it stores."""
    from guests import Server
    from webhook_receiver import WebhookReceiver

    from courtly.server.persistence.backup import backup

    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        with Server(data, COURTLY_ADDRESS="https://games.example", COURTLY_ALLOW_LOCAL_WEBHOOKS="1") as server:
            play(server, WebhookReceiver().url)
            assert server.stop() == 0, "".join(server.log)
        backup(f"sqlite:///{data / 'courtly.db'}", data / "backup.db")
        with closing(sqlite3.connect(data / "backup.db")) as connection:
            lines = [line for line in connection.iterdump() if '"asset_' not in line or "CREATE" in line]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{__version__}.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")


def play(server, webhook):
    """Leave a finished game, a running one with a clock and an open table, and something of everything else."""
    ada, ben, cleo, dora = (server.guest(name) for name in ("Ada", "Ben", "Cleo", "Dora"))
    notifications = {"language": "ja", "webhook": webhook, "webhook_format": "slack"}
    assert ada.request("PUT", "/api/me/notifications", notifications).status == 200
    over = ada.open("me", "open", options={"looks": 0})
    assert ben.command(over, "sit").status == 200
    for text in ("Good luck", "幸運を"):
        assert ada.command(over, "chat", {"text": text}).status == 200
    view = ada.view(over, 0)
    assert ada.play(over, 0, view["seq"], view["legal"][0]["id"]).status == 200
    assert ada.undo(over, 0, ada.view(over, 0)["seq"]).status == 200
    while turns := [(guest, view) for seat, guest in ((0, ada), (1, ben)) if (view := guest.view(over, seat))["legal"]]:
        guest, view = turns[0]
        assert guest.play(over, view["seat"], view["seq"], view["legal"][-1]["id"]).status == 200
    running = ada.open("me", "open", "random", clock={"days": 3}, help_consent=True)
    assert cleo.command(running, "sit").status == 200
    view = ada.view(running, 0)
    assert ada.play(running, 0, view["seq"], view["legal"][0]["id"]).status == 200
    ben.open("me", "open", private=True)
    assert ben.post("/api/me/sign-out").status == 200
    assert dora.request("DELETE", "/api/me").status == 200


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    import os

    os.environ |= {"COURTLY_GAMES": "sealed_bids", "PYTHONPATH": str(HERE.parent)}
    sys.path.insert(0, str(HERE.parent))
    write_present()
