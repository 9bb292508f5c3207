"""Turn notifications by mail and webhook, received by real servers."""

import asyncio
import json
import re
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email import message_from_bytes, policy

import pytest
from aiosmtpd.controller import Controller
from guests import PATIENCE, Guest, Server, until
from webhook_receiver import WebhookReceiver

from courtly.server.services.notification_delivery import is_mail
from courtly.server.services.webhook_client import is_hook, is_outside

SOON = "import courtly.server.services.turn_notifications as notices; notices.RETRY_DELAYS_S = (0.0, 0.2, 0.2, 0.2)"
ADDRESS = "https://games.example"


class AnyPort(Controller):
    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class Mailbox:
    """A mail server that stores what it receives, and can reject or delay it."""

    def __init__(self):
        self.mails, self.refuses, self.asked, self.held = [], False, 0, threading.Event()
        self.held.set()
        self.controller = AnyPort(self, hostname="127.0.0.1", port=0, ready_timeout=PATIENCE)
        self.controller.start()
        self.port = self.controller.port

    async def handle_DATA(self, _server, _session, envelope):
        self.asked += 1
        await asyncio.to_thread(self.held.wait, PATIENCE)
        if self.refuses:
            return "451 not now"
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 kept"


@pytest.fixture
def mailbox():
    made = Mailbox()
    yield made
    made.held.set()
    made.controller.stop()


@contextmanager
def house(folder, mailbox=None, first=SOON, inside="1", **more):
    server = f"smtp://127.0.0.1:{mailbox.port}" if mailbox else ""
    mail = {"COURTLY_MAIL": server, "COURTLY_MAIL_FROM": "house@games.example"}
    with Server(
        folder / "data",
        first=first,
        COURTLY_ADDRESS=ADDRESS,
        COURTLY_HOOKS_INSIDE=inside,
        COURTLY_LOG_LEVEL="info",
        **mail,
        **more,
    ) as server:
        yield server


def wish(guest, **given):
    return guest.request("PUT", "/api/me/reach", {"language": "en", **given})


def link(mail, what="mail"):
    return re.search(rf"{ADDRESS}/{what}/(\S+)", mail.get_content())[1]


def waiting_for(ada, ben):
    """Open a game of two where both players are pending and absent."""
    table = ada.open("me", "open")
    assert ben.command(table, "sit").status == 200
    return table


def play(guest, table, seat):
    view = guest.view(table, seat)
    key = {"idempotency-key": f"{table}{seat}{view['seq']}"}
    moved = guest.request(
        "POST", f"/api/tables/{table}/moves", {"seat": seat, "seq": view["seq"], "moves": [view["legal"][0]["id"]]}, key
    )
    assert moved.status == 200, moved.json


def test_an_address_is_confirmed_notified_once_per_absence_and_removed(tmp_path, mailbox):
    with house(tmp_path, mailbox) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        told = wish(ada, mail="ada@home.example", language="ja")
        assert told.status == 200 and told.json["mail"] == "ada@home.example" and not told.json["confirmed"]
        until(lambda: len(mailbox.mails) == 1)
        asked = mailbox.mails[0]
        assert asked["To"] == "ada@home.example" and "Courtly" in asked["Subject"]
        first = waiting_for(ada, ben)  # not confirmed: no mail
        stranger = server.guest()
        token = link(asked)
        assert stranger.request("GET", f"/api/mail/{token}").json == {"what": "confirm", "mail": "ada@home.example"}
        assert not ada.request("GET", "/api/me/reach").json["confirmed"]  # reading has no effect
        assert stranger.request("POST", f"/api/mail/{token}").status == 200
        assert ada.request("GET", "/api/me/reach").json["confirmed"]
        assert stranger.request("GET", "/api/me/reach").json["mail"] is None  # it signs in no other browser
        play(ben, first, 1)  # both chose simultaneously: nothing new for Ada, but she is still pending
        until(lambda: len(mailbox.mails) == 2)
        mail = mailbox.mails[1]
        assert f"{ADDRESS}/t/{first}" in mail.get_content() and "手番" in mail["Subject"]
        assert mail["List-Unsubscribe"] == f"<{ADDRESS}/api/mail/{link(mail)}>"
        second = waiting_for(ada, ben)
        until(lambda: len(mailbox.mails) == 3)
        assert second in mailbox.mails[2].get_content()
        play(ada, first, 0)  # she does not look: no further mail about this game
        third = waiting_for(ada, ben)
        until(lambda: len(mailbox.mails) == 4)
        assert third in mailbox.mails[3].get_content()
        with ada.connect(first) as connection:
            connection.view()
        play(ben, first, 1)
        until(lambda: len(mailbox.mails) == 5)
        assert first in mailbox.mails[4].get_content()
        assert stranger.request("POST", f"/api/mail/{link(mail)}").json == {"what": "stop", "mail": "ada@home.example"}
        assert ada.request("GET", "/api/me/reach").json["mail"] is None
        fourth = waiting_for(ada, ben)
        ada.request("PUT", "/api/me/reach", {"language": "en", "mail": "other@home.example"})
        until(lambda: len(mailbox.mails) == 6)
        assert fourth not in mailbox.mails[5].get_content()
        assert stranger.request("POST", f"/api/mail/{token}").error == "error-link-mail"  # another address


def test_a_webhook_gets_its_format(tmp_path, webhook):
    with house(tmp_path) as server:
        ben = server.guest("Ben")
        for form, text in (("json", "text"), ("discord", "content"), ("slack", "text"), ("ntfy", "message")):
            ada = server.guest("Ada")
            assert wish(ada, hook=webhook.url, form=form).status == 200
            assert len(webhook.requests) == 1  # a test message before the setting is stored
            begun = time.monotonic()
            table = waiting_for(ada, ben)
            until(lambda: len(webhook.requests) == 2)
            at, path, body = webhook.requests.pop()
            assert at - begun < PATIENCE and f"{ADDRESS}/t/{table}" in json.dumps(body)
            assert "Your turn" in body[text] and "Ben" not in json.dumps(body)
            assert (path, body.get("topic")) == (("/", "topic") if form == "ntfy" else ("/topic", None))
            webhook.requests.clear()


def test_present_players_are_not_notified(tmp_path, webhook):
    with house(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, hook=webhook.url)
        table = ada.open("me", "open")
        with ada.connect(table) as connection:
            assert ben.command(table, "sit").status == 200
            connection.view()
            other = waiting_for(ada, ben)
            until(lambda: len(webhook.requests) == 2)
            assert webhook.requests[1][2]["table"] == other


def test_undelivered_notifications_are_retried_and_delay_no_other(tmp_path, webhook):
    with house(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, hook=webhook.url)
        webhook.status = 500
        table = waiting_for(ada, ben)
        until(lambda: len(webhook.requests) == 3)
        webhook.status = 200
        until(lambda: len(webhook.requests) == 4)
        until(lambda: any("not delivered" in line for line in server.log))
        webhook.responding.clear()  # no more answers
        waiting_for(ada, ben)
        until(lambda: len(webhook.requests) == 5)
        play(ben, table, 1)
        play(ada, table, 0)
        webhook.responding.set()


def test_a_webhook_that_always_fails_is_disabled_and_marked(tmp_path, webhook):
    with house(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, hook=webhook.url)
        webhook.status = 500
        tables = [waiting_for(ada, ben) for _ in range(6)]
        until(lambda: ada.request("GET", "/api/me/reach").json["silent"])
        assert len(webhook.requests) == 1 + 4, "the number of retries does not depend on the number of tables"
        assert any("webhook switched off after 4 failures" in line and "500" in line for line in server.log)
        waiting_for(ada, ben)
        webhook.status = 200
        assert wish(ada, hook=webhook.url).json["silent"] is False  # tried immediately
        assert len(webhook.requests) == 6
        other = waiting_for(ada, ben)
        until(lambda: len(webhook.requests) > 6)
        assert other in {body["table"] for _, _, body in webhook.requests[6:]}.difference(tables)


def test_a_hanging_receiver_delays_no_other(tmp_path, webhook):
    other = WebhookReceiver()
    with house(tmp_path) as server:
        eve, ada, ben = server.guest("Eve"), server.guest("Ada"), server.guest("Ben")
        wish(eve, hook=webhook.url)
        wish(ada, hook=other.url)
        webhook.responding.clear()
        for _ in range(40):
            waiting_for(eve, ben)
        until(lambda: len(webhook.requests) == 2)
        table = waiting_for(ada, ben)
        until(lambda: len(other.requests) == 2)
        assert other.requests[1][2]["table"] == table
        assert len(webhook.requests) == 2, "one request at a time per receiver"
        webhook.responding.set()


def test_mail_and_webhook_do_not_wait_for_each_other(tmp_path, webhook, mailbox):
    with house(tmp_path, mailbox) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, mail="ada@home.example", hook=webhook.url)
        until(lambda: mailbox.mails)
        ada.request("POST", f"/api/mail/{link(mailbox.mails[0])}")
        mailbox.held.clear()
        webhook.responding.clear()
        waiting_for(ada, ben)
        until(lambda: mailbox.asked == 2 and len(webhook.requests) == 2)  # both are pending, and neither is answered
        mailbox.held.set()
        webhook.responding.set()


def test_closing_the_last_page_sends_a_notification(tmp_path, webhook):
    with house(tmp_path, COURTLY_GRACE="0.3") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, hook=webhook.url)
        table = ada.open("me", "open")
        with ada.connect(table) as connection:
            assert ben.command(table, "sit").status == 200
            connection.view()
            play(ben, table, 1)  # she is present, so she is not notified
            other = waiting_for(ada, ben)
            until(lambda: len(webhook.requests) == 2)
            assert webhook.requests[1][2]["table"] == other
        until(lambda: len(webhook.requests) == 3)
        assert webhook.requests[2][2]["table"] == table


def test_a_player_with_only_hidden_pages_is_absent(tmp_path, webhook):
    with house(tmp_path, COURTLY_GRACE="0.3") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, hook=webhook.url)
        table = ada.open("me", "open")
        with ada.connect(table) as connection:
            assert ben.command(table, "sit").status == 200
            connection.view()
            connection.send(type="hidden", hidden=True)
            until(lambda: len(webhook.requests) == 2)
            assert webhook.requests[1][2]["table"] == table
            connection.send(type="hidden", hidden=False)  # she looks, so she is notified of her next turn again
            until(lambda: 'INTO "pending_notification"' not in kept(server))
            connection.send(type="hidden", hidden=True)
            until(lambda: len(webhook.requests) == 3)


def test_unsent_notifications_are_sent_after_a_restart(tmp_path, webhook):
    slow = "import courtly.server.services.turn_notifications as notices; notices.RETRY_DELAYS_S = (3600.0,)"
    with house(tmp_path, first=slow) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, hook=webhook.url)
        table = waiting_for(ada, ben)
        server.kill()
    assert len(webhook.requests) == 1
    with house(tmp_path) as server:
        until(lambda: len(webhook.requests) == 2)
        assert webhook.requests[1][2]["table"] == table
        until(lambda: any("turn notification done" in line for line in server.log))
        server.kill()
    with house(tmp_path) as server:  # notifications are not repeated
        ada.server = ben.server = server
        waiting_for(ada, ben)
        until(lambda: len(webhook.requests) == 3)
        assert webhook.requests[2][2]["table"] != table


def kept(server):
    with sqlite3.connect(server.data / "courtly.db") as database:
        return "\n".join(database.iterdump())


@pytest.mark.parametrize("meanwhile", ["forgotten", "something else wished for"])
def test_pending_mails_are_dropped_after_a_change_of_settings(tmp_path, mailbox, meanwhile):
    with house(tmp_path, mailbox) as server, ThreadPoolExecutor() as pool:
        ada = server.guest("Ada")
        mailbox.held.clear()
        waiting = pool.submit(wish, ada, mail="ada@home.example")
        until(lambda: mailbox.asked)
        same = Guest(server, cookie=False)
        same.cookie = ada.cookie
        answer = same.request("DELETE", "/api/me") if meanwhile == "forgotten" else wish(same)
        assert answer.status == 200
        mailbox.held.set()
        assert waiting.result().error == "error-stale"
        if meanwhile != "forgotten":
            assert wish(ada, language="ja").json["mail"] is None
        assert "ada@home.example" not in kept(server)


def test_pending_notifications_of_a_deleted_guest_are_dropped(tmp_path, webhook):
    with house(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        me = ada.get("/api/me").json["id"]
        wish(ada, hook=webhook.url)
        webhook.responding.clear()
        waiting_for(ada, ben)
        until(lambda: len(webhook.requests) == 2)
        assert ada.request("DELETE", "/api/me").status == 200
        webhook.responding.set()
        ben.get("/api/me")
        assert me not in kept(server)
        assert server.stop() == 0
        assert me not in kept(server) and not [line for line in server.log if "Traceback" in line]


def test_the_settings_say_which_channel_is_disabled(tmp_path, webhook, mailbox):
    with house(tmp_path, mailbox) as server:
        mailbox.refuses = True
        assert wish(server.guest(), hook=webhook.url, mail="ada@home.example").error == "error-mail"
        webhook.status = 500
        assert wish(server.guest(), hook=webhook.url, mail="ada@home.example").error == "error-hook"


COUNTED = """
import courtly.server.services.turn_notifications as notices
look = notices.TurnNotifications.look
def counted(self, table):
    look(self, table)
    notices.log.info("%s: %d told", table.status, len(self._told))
notices.TurnNotifications.look = counted
"""


def test_nothing_is_stored_about_a_finished_game(tmp_path, webhook):
    with house(tmp_path, first=SOON + COUNTED) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        wish(ada, hook=webhook.url)
        table = waiting_for(ada, ben)
        until(
            lambda: (
                "pending_notification" in kept(server) and any("turn notification done" in line for line in server.log)
            )
        )
        assert f"'{table}'" in next(line for line in kept(server).splitlines() if 'INTO "pending_notification"' in line)
        while not ada.view(table, 0)["over"]:
            for guest, seat in ((ada, 0), (ben, 1)):
                if guest.view(table, seat)["legal"]:
                    play(guest, table, seat)
        until(lambda: any("over: 0 told" in line for line in server.log))
        until(lambda: 'INTO "pending_notification"' not in kept(server))


def test_invalid_settings_are_rejected_without_effect(tmp_path, webhook, mailbox):
    with house(tmp_path, mailbox, inside="0") as server:
        ada = server.guest("Ada")
        for given, error, why in (
            ({"mail": "ada"}, "error-mail", "form"),
            ({"mail": "ada@home.example\nBcc: b@home.example"}, "error-mail", "form"),
            ({"hook": "gopher://home.example"}, "error-hook", "form"),
            ({"hook": webhook.url}, "error-hook", "silent"),  # on this machine
            ({"hook": "http://a..example"}, "error-hook", "silent"),  # not a host name
        ):
            refused = wish(ada, **given)
            assert (refused.status, refused.error) == (400, error)
            assert refused.json["error"]["args"]["why"] == why
        assert wish(ada, form="carrier pigeon").error == "error-malformed"
        mailbox.refuses = True
        assert wish(ada, mail="ada@home.example").json["error"]["args"]["why"] == "silent"
        assert ada.request("GET", "/api/me/reach").json["mail"] is None
        assert ada.request("GET", "/api/mail/false").error == "error-link-mail"
        for _ in range(6):
            refused = wish(ada, mail="ada@home.example")
        assert refused.error == "error-too-fast"
        assert webhook.requests == [] and mailbox.mails == []


def test_a_server_without_a_public_address_sends_no_notifications(server):
    ada = server.guest("Ada")
    assert ada.request("GET", "/api/me/reach").json["ways"] == []
    assert wish(ada, hook="https://home.example").json["error"]["args"]["why"] == "off"


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses(address):
    assert is_outside(address)


NEAR = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255"]
WAYS = ["{}", "::ffff:{}", "64:ff9b::{}", "64:ff9b:1::{}", "::{}", "2001::{}"]
SIX = ["::1", "::", "fe80::1", "fe80::1%eth0", "fec0::1", "fd00::1", "ff0e::1", "2001:db8::1", "3fff::1", "5f00::1"]


@pytest.mark.parametrize("address", [way.format(near) for way in WAYS for near in NEAR] + SIX + ["2002:7f00:1::1"])
def test_private_addresses_in_every_notation(address):
    assert not is_outside(address)


@pytest.mark.parametrize("text", ["a@b.example", "ada.lovelace+games@mail.home.example"])
def test_mail_addresses(text):
    assert is_mail(text)


@pytest.mark.parametrize(
    "text", ["", "a", "a@b", "@b.example", "a b@c.example", "a@b.example\n", "a@b.example, c@d.example"]
)
def test_invalid_mail_addresses(text):
    assert not is_mail(text)


@pytest.mark.parametrize("text", ["https://home.example/x?y=z", "http://home.example:8080"])
def test_hooks(text):
    assert is_hook(text)


@pytest.mark.parametrize(
    "text", ["", "home.example", "https://", "ftp://home.example", "https://a b", "http://x:99999"]
)
def test_invalid_webhooks(text):
    assert not is_hook(text)
