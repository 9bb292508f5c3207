import pytest
from databases import KINDS, empty_database, stop_servers
from guests import Server
from webhook_receiver import WebhookReceiver


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server for the tests of one file."""
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server
        server.stop()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)


@pytest.fixture
def ada(server):
    return server.guest("Ada")


@pytest.fixture
def ben(server):
    return server.guest("Ben")


@pytest.fixture
def cleo(server):
    return server.guest("Cleo")


@pytest.fixture
def pair(ada, ben):
    """Return the id of a new game of sealed bids for two in which both can undo their choice."""
    while True:
        table = ada.open("me", "open")
        assert ben.command(table, "sit").status == 200
        if all(
            sum(n > 0 for n in guest.view(table, seat)["state"]["hand"][seat]) > 1
            for seat, guest in enumerate((ada, ben))
        ):
            return table


@pytest.fixture(params=KINDS)
def address(request, tmp_path):
    """The address of an empty database, of each kind."""
    return empty_database(request.param, tmp_path)


def pytest_sessionfinish():
    stop_servers()


@pytest.fixture
def webhook():
    receiver = WebhookReceiver()
    yield receiver
    receiver.responding.set()
    receiver.server.shutdown()
