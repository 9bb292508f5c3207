"""Settings that contradict each other, and a worker whose database cannot be used, are reported in one line."""

import asyncio

import pytest

from courtly.server.process import serve, supervisor
from courtly.server.settings import Settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"workers": 0}, "expected 1 or more worker processes, found 0"),
        ({"workers": 2}, "2 processes need PostgreSQL"),
        (
            {"workers": 2, "database": "postgresql://db/courtly", "dev": True},
            "--dev runs in one process: leave --workers out",
        ),
        ({"database_direct": "postgresql://db/courtly"}, "COURTLY_DATABASE_DIRECT needs COURTLY_DATABASE"),
        ({"address": "games.example"}, "COURTLY_ADDRESS: expected http:// or https:// and the name of a server"),
        ({"mail": "http://mail.example"}, "COURTLY_MAIL: expected smtp:// or smtps:// and the name of a server"),
        ({"mail": "smtp://mail.example"}, "COURTLY_MAIL also needs COURTLY_MAIL_FROM and COURTLY_ADDRESS"),
        ({"hosts": "königshof.example"}, "COURTLY_HOSTS: expected a host name such as games.example"),
        ({"proxies": "10.0.0.1/8"}, "COURTLY_PROXIES: 10.0.0.1/8 has host bits set"),
    ],
)
def test_contradicting_settings_are_reported(tmp_path, settings, message):
    with pytest.raises(ValueError) as error:
        Settings(tmp_path, **settings).check()
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_worker_ends_if_its_database_cannot_be_used(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(supervisor, "STARTUP_RETRY_DELAY_S", 0)
    monkeypatch.setattr(supervisor, "configure_logging", lambda *_: None)
    (tmp_path / "courtly.db").write_bytes(b"Dear diary, " * 1000)

    async def run():
        with pytest.raises(SystemExit) as end:
            supervisor._run_worker(Settings(tmp_path))
        assert end.value.code == 1

    asyncio.run(run())
    assert "courtly.db is damaged" in caplog.text


def test_servers_without_a_port_use_any_free_one():
    """The first may have the default port, unless another program has it."""
    with serve._bind_any("127.0.0.1") as first, serve._bind_any("127.0.0.1") as second:
        ports = [listener.getsockname()[1] for listener in (first, second)]
    assert ports[0] != ports[1] and ports[1] != serve.DEFAULT_PORT
