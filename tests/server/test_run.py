"""How the server listens."""

import asyncio
import socket

import pytest

from courtly.server.run import _bind, forms


def listens(host):
    """Can anything on this machine listen there?"""
    try:
        socket.create_server((host, 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


IPV6 = pytest.mark.skipif(not listens("::1"), reason="IPv6 is switched off on this machine: nothing can listen at ::1")
FAMILIES = [pytest.param("127.0.0.1", id="IPv4"), pytest.param("::1", id="IPv6", marks=IPV6)]


@pytest.mark.parametrize("host", FAMILIES)
def test_a_view_does_not_wait_for_an_acknowledgement(host):
    """What is sent in two pieces leaves at once: Nagle's algorithm is off on every connection that is accepted."""

    async def nodelay():
        accepted = asyncio.get_running_loop().create_future()

        class Protocol(asyncio.Protocol):
            def connection_made(self, transport):
                accepted.set_result(
                    transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                )

        listening = _bind(host, 0)
        async with await asyncio.get_running_loop().create_server(Protocol, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            try:
                return await accepted
            finally:
                writer.close()

    assert asyncio.run(nodelay()) != 0


def test_a_proxy_is_known_by_either_form_of_its_address():
    assert forms("127.0.0.1") == ["127.0.0.1", "::ffff:127.0.0.1/128"]
    assert forms("10.0.0.0/8") == ["10.0.0.0/8", "::ffff:10.0.0.0/104"]
    assert forms("::1") == ["::1"] and forms("*") == ["*"]
