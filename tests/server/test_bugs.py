"""A bug in the server is reported as such to the client and in the log. Both omit what the exception says about the
game.
"""

import pytest
from guests import Line, Server, until
from websockets.exceptions import ConnectionClosed

IN_A_COMMAND = """
import courtly.server.realtime.websockets as sockets
async def command(*arguments):
    raise {error}
sockets.run_command = command
"""
IN_THE_GREETING = """
import courtly.server.realtime.websockets as sockets
def compare_page(*arguments):
    raise {error}
sockets.report_newer_page = compare_page
"""
BUG = "LookupError('the jester is in the third hand')"
BUG_OF_A_LIBRARY = "RuntimeError('the jester is in the third hand')"
FULL_DISK = (
    "__import__('sqlalchemy.exc').exc.OperationalError('INSERT', {'secret': 'the jester'}, Exception('disk full'))"
)


@pytest.mark.parametrize(
    ("error", "told", "logged"),
    [
        (BUG, "error-server", "LookupError"),
        (BUG_OF_A_LIBRARY, "error-server", "RuntimeError"),
        (FULL_DISK, "error-storage", "disk full"),
    ],
    ids=["bug", "runtime", "disk"],
)
def test_a_command_that_fails(tmp_path, error, told, logged):
    with Server(tmp_path, first=IN_A_COMMAND.format(error=error)) as server:
        ada = server.guest("Ada")
        with ada.line(ada.open("me", "local")) as line:
            view = line.view()
            key = line.play(view)
            assert line.wait("error") == {"type": "error", "key": key, "error": {"id": told, "args": {}}}
            line.send(type="resync")
            assert line.view() == view, "the connection stays open and the table is unchanged"
        until(lambda: logged in "".join(server.log))
        assert "jester" not in "".join(server.log)


@pytest.mark.parametrize(
    ("error", "told", "code"),
    [(BUG, "error-server", "1011"), (BUG_OF_A_LIBRARY, "error-server", "1011"), (FULL_DISK, "error-storage", "1013")],
    ids=["bug", "runtime", "disk"],
)
@pytest.mark.parametrize("where", ["table", "lobby"])
def test_a_connection_that_cannot_go_on(tmp_path, where, error, told, code):
    with Server(tmp_path, first=IN_THE_GREETING.format(error=error)) as server:
        ada = server.guest("Ada")
        path = "/ws/lobby" if where == "lobby" else f"/ws/tables/{ada.open('me', 'local')}"
        with Line(ada, path) as line:
            line.send(type="hello", since={})
            assert line.wait("error")["error"]["id"] == told
            with pytest.raises(ConnectionClosed, match=code):
                while True:
                    line.hear()
        until(lambda: any("ERROR" in said for said in server.log))
        assert "jester" not in "".join(server.log)
