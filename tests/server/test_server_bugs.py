"""A bug in the server is reported as such to the client and in the log. Both omit what the exception says about the
game.
"""

import pytest
from guests import Connection, Server, wait_until
from websockets.exceptions import ConnectionClosed

FAILING_COMMAND = """
import courtly.server.realtime.websockets as sockets
async def command(*arguments):
    raise {error}
sockets.run_command = command
"""
FAILING_GREETING = """
import courtly.server.realtime.websockets as sockets
def compare_page(*arguments):
    raise {error}
sockets.report_newer_page = compare_page
"""
# the secret is not in the source, which tracebacks show since Python 3.13
BUG = "LookupError('the ' + 'retsej'[::-1] + ' is in the third hand')"
LIBRARY_BUG = BUG.replace("LookupError", "RuntimeError")
FULL_DISK = (
    "__import__('sqlalchemy.exc').exc.OperationalError('INSERT', {'secret': 'the jester'}, Exception('disk full'))"
)


@pytest.mark.parametrize(
    ("error", "error_id", "logged"),
    [
        (BUG, "error-server", "LookupError"),
        (LIBRARY_BUG, "error-server", "RuntimeError"),
        (FULL_DISK, "error-storage", "disk full"),
    ],
    ids=["bug", "runtime", "disk"],
)
def test_an_exception_in_a_command_is_an_error_message_and_the_socket_stays_open(tmp_path, error, error_id, logged):
    with Server(tmp_path, first=FAILING_COMMAND.format(error=error)) as server:
        ada = server.guest("Ada")
        with ada.connect(ada.open("me", "local")) as connection:
            view = connection.view()
            key = connection.play(view)
            assert connection.wait("error") == {"type": "error", "key": key, "error": {"id": error_id, "args": {}}}
            connection.send(type="resync")
            assert connection.view() == view, "the connection stays open and the table is unchanged"
        wait_until(lambda: logged in "".join(server.log))
        assert "jester" not in "".join(server.log)


@pytest.mark.parametrize(
    ("error", "error_id", "code"),
    [(BUG, "error-server", "1011"), (LIBRARY_BUG, "error-server", "1011"), (FULL_DISK, "error-storage", "1013")],
    ids=["bug", "runtime", "disk"],
)
@pytest.mark.parametrize("page", ["table", "lobby"])
def test_an_exception_at_the_start_of_a_connection_closes_it_with_an_error_message(
    tmp_path, page, error, error_id, code
):
    with Server(tmp_path, first=FAILING_GREETING.format(error=error)) as server:
        ada = server.guest("Ada")
        path = "/ws/lobby" if page == "lobby" else f"/ws/tables/{ada.open('me', 'local')}"
        with Connection(ada, path) as connection:
            connection.send(type="hello", since={})
            assert connection.wait("error")["error"]["id"] == error_id
            with pytest.raises(ConnectionClosed, match=code):
                while True:
                    connection.receive()
        wait_until(lambda: any("ERROR" in line for line in server.log))
        assert "jester" not in "".join(server.log)
