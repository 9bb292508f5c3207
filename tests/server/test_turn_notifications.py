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
from guests import PATIENCE, Guest, Server, wait_until
from webhook_receiver import WebhookReceiver

from courtly.server.services.notification_delivery import is_mail
from courtly.server.services.webhook_client import is_hook, is_outside

SHORT_RETRY_DELAYS = (
    "import courtly.server.services.turn_notifications as notices; notices.RETRY_DELAYS_S = (0.0, 0.2, 0.2, 0.2)"
)
LONG_RETRY_DELAY = "import courtly.server.services.turn_notifications as notices; notices.RETRY_DELAYS_S = (3600.0,)"
ADDRESS = "https://games.example"


class AnyPort(Controller):
    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class Mailbox:
    """A mail server that stores what it receives, and can reject or delay it."""

    def __init__(self):
        self.mails, self.is_rejecting, self.request_count, self.accepting = [], False, 0, threading.Event()
        self.accepting.set()
        self.controller = AnyPort(self, hostname="127.0.0.1", port=0, ready_timeout=PATIENCE)
        self.controller.start()
        self.port = self.controller.port

    async def handle_DATA(self, _server, _session, envelope):
        self.request_count += 1
        await asyncio.to_thread(self.accepting.wait, PATIENCE)
        if self.is_rejecting:
            return "451 not now"
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 stored"


@pytest.fixture
def mailbox():
    mail_server = Mailbox()
    yield mail_server
    mail_server.accepting.set()
    mail_server.controller.stop()


@contextmanager
def notifying_server(folder, mailbox=None, first=SHORT_RETRY_DELAYS, allow_inside="1", **settings):
    server = f"smtp://127.0.0.1:{mailbox.port}" if mailbox else ""
    mail = {"COURTLY_MAIL": server, "COURTLY_MAIL_FROM": "courtly@games.example"}
    with Server(
        folder / "data",
        first=first,
        COURTLY_ADDRESS=ADDRESS,
        COURTLY_ALLOW_LOCAL_WEBHOOKS=allow_inside,
        COURTLY_LOG_LEVEL="info",
        **mail,
        **settings,
    ) as server:
        yield server


def save_setting(guest, **fields):
    return guest.request("PUT", "/api/me/notifications", {"language": "en", **fields})


def link_token(mail, path="mail"):
    return re.search(rf"{ADDRESS}/{path}/(\S+)", mail.get_content())[1]


def open_waiting_table(ada, ben):
    """Open a game of two where both players are pending and absent."""
    table = ada.open("me", "open")
    assert ben.command(table, "sit").status == 200
    return table


def play(guest, table, seat):
    view = guest.view(table, seat)
    key = {"idempotency-key": f"{table}{seat}{view['seq']}"}
    response = guest.request(
        "POST", f"/api/tables/{table}/moves", {"seat": seat, "seq": view["seq"], "moves": [view["legal"][0]["id"]]}, key
    )
    assert response.status == 200, response.json


def test_an_address_is_confirmed_notified_once_per_absence_and_removed(tmp_path, mailbox):
    with notifying_server(tmp_path, mailbox) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        response = save_setting(ada, email="ada@home.example", language="ja")
        assert (
            response.status == 200
            and response.json["email"] == "ada@home.example"
            and not response.json["email_confirmed"]
        )
        wait_until(lambda: len(mailbox.mails) == 1)
        confirmation = mailbox.mails[0]
        assert confirmation["To"] == "ada@home.example" and "Courtly" in confirmation["Subject"]
        first_table = open_waiting_table(ada, ben)  # not confirmed: no mail
        stranger = server.guest()
        token = link_token(confirmation)
        assert stranger.request("GET", f"/api/mail/{token}").json == {"action": "confirm", "email": "ada@home.example"}
        assert not ada.request("GET", "/api/me/notifications").json["email_confirmed"]  # reading has no effect
        assert stranger.request("POST", f"/api/mail/{token}").status == 200
        assert ada.request("GET", "/api/me/notifications").json["email_confirmed"]
        assert stranger.request("GET", "/api/me/notifications").json["email"] is None  # it signs in no other browser
        play(ben, first_table, 1)  # both chose simultaneously: nothing new for Ada, but she is still pending
        wait_until(lambda: len(mailbox.mails) == 2)
        mail = mailbox.mails[1]
        assert f"{ADDRESS}/t/{first_table}" in mail.get_content() and "手番" in mail["Subject"]
        assert mail["List-Unsubscribe"] == f"<{ADDRESS}/api/mail/{link_token(mail)}>"
        second_table = open_waiting_table(ada, ben)
        wait_until(lambda: len(mailbox.mails) == 3)
        assert second_table in mailbox.mails[2].get_content()
        play(ada, first_table, 0)  # she does not look: no further mail about this game
        third_table = open_waiting_table(ada, ben)
        wait_until(lambda: len(mailbox.mails) == 4)
        assert third_table in mailbox.mails[3].get_content()
        with ada.connect(first_table) as connection:
            connection.view()
        play(ben, first_table, 1)
        wait_until(lambda: len(mailbox.mails) == 5)
        assert first_table in mailbox.mails[4].get_content()
        assert stranger.request("POST", f"/api/mail/{link_token(mail)}").json == {
            "action": "stop",
            "email": "ada@home.example",
        }
        assert ada.request("GET", "/api/me/notifications").json["email"] is None
        fourth_table = open_waiting_table(ada, ben)
        ada.request("PUT", "/api/me/notifications", {"language": "en", "email": "other@home.example"})
        wait_until(lambda: len(mailbox.mails) == 6)
        assert fourth_table not in mailbox.mails[5].get_content()
        assert stranger.request("POST", f"/api/mail/{token}").error == "error-link-mail"  # another address


def test_a_webhook_gets_its_format(tmp_path, webhook):
    with notifying_server(tmp_path) as server:
        ben = server.guest("Ben")
        for form, text in (("json", "text"), ("discord", "content"), ("slack", "text"), ("ntfy", "message")):
            ada = server.guest("Ada")
            assert save_setting(ada, webhook=webhook.url, webhook_format=form).status == 200
            assert len(webhook.requests) == 1  # a test message before the setting is stored
            start = time.monotonic()
            table = open_waiting_table(ada, ben)
            wait_until(lambda: len(webhook.requests) == 2)
            received_at, path, body = webhook.requests.pop()
            assert received_at - start < PATIENCE and f"{ADDRESS}/t/{table}" in json.dumps(body)
            assert "Your turn" in body[text] and "Ben" not in json.dumps(body)
            assert (path, body.get("topic")) == (("/", "topic") if form == "ntfy" else ("/topic", None))
            webhook.requests.clear()


def test_present_players_are_not_notified(tmp_path, webhook):
    with notifying_server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        table = ada.open("me", "open")
        with ada.connect(table) as connection:
            assert ben.command(table, "sit").status == 200
            connection.view()
            other = open_waiting_table(ada, ben)
            wait_until(lambda: len(webhook.requests) == 2)
            assert webhook.requests[1][2]["table"] == other


def test_undelivered_notifications_are_retried_and_delay_no_other(tmp_path, webhook):
    with notifying_server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        webhook.status = 500
        table = open_waiting_table(ada, ben)
        wait_until(lambda: len(webhook.requests) == 3)
        webhook.status = 200
        wait_until(lambda: len(webhook.requests) == 4)
        wait_until(lambda: any("not delivered" in line for line in server.log))
        webhook.responding.clear()  # no more answers
        open_waiting_table(ada, ben)
        wait_until(lambda: len(webhook.requests) == 5)
        play(ben, table, 1)
        play(ada, table, 0)
        webhook.responding.set()


def test_a_webhook_that_always_fails_is_disabled_and_marked(tmp_path, webhook):
    with notifying_server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        webhook.status = 500
        tables = [open_waiting_table(ada, ben) for _ in range(6)]
        wait_until(lambda: ada.request("GET", "/api/me/notifications").json["webhook_disabled"])
        assert len(webhook.requests) == 1 + 4, "the number of retries does not depend on the number of tables"
        assert any("webhook switched off after 4 failures" in line and "500" in line for line in server.log)
        open_waiting_table(ada, ben)
        webhook.status = 200
        assert save_setting(ada, webhook=webhook.url).json["webhook_disabled"] is False  # tried immediately
        assert len(webhook.requests) == 6
        other = open_waiting_table(ada, ben)
        wait_until(lambda: len(webhook.requests) > 6)
        assert other in {body["table"] for _, _, body in webhook.requests[6:]}.difference(tables)


def test_a_hanging_receiver_delays_no_other(tmp_path, webhook):
    other = WebhookReceiver()
    with notifying_server(tmp_path) as server:
        eve, ada, ben = server.guest("Eve"), server.guest("Ada"), server.guest("Ben")
        save_setting(eve, webhook=webhook.url)
        save_setting(ada, webhook=other.url)
        webhook.responding.clear()
        for _ in range(40):
            open_waiting_table(eve, ben)
        wait_until(lambda: len(webhook.requests) == 2)
        table = open_waiting_table(ada, ben)
        wait_until(lambda: len(other.requests) == 2)
        assert other.requests[1][2]["table"] == table
        assert len(webhook.requests) == 2, "one request at a time per receiver"
        webhook.responding.set()


def test_mail_and_webhook_do_not_wait_for_each_other(tmp_path, webhook, mailbox):
    with notifying_server(tmp_path, mailbox) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, email="ada@home.example", webhook=webhook.url)
        wait_until(lambda: mailbox.mails)
        ada.request("POST", f"/api/mail/{link_token(mailbox.mails[0])}")
        mailbox.accepting.clear()
        webhook.responding.clear()
        open_waiting_table(ada, ben)
        wait_until(
            lambda: mailbox.request_count == 2 and len(webhook.requests) == 2
        )  # both are pending, and neither is answered
        mailbox.accepting.set()
        webhook.responding.set()


def test_closing_the_last_page_sends_a_notification(tmp_path, webhook):
    with notifying_server(tmp_path, COURTLY_GRACE="0.3") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        table = ada.open("me", "open")
        with ada.connect(table) as connection:
            assert ben.command(table, "sit").status == 200
            connection.view()
            play(ben, table, 1)  # she is present, so she is not notified
            other = open_waiting_table(ada, ben)
            wait_until(lambda: len(webhook.requests) == 2)
            assert webhook.requests[1][2]["table"] == other
        wait_until(lambda: len(webhook.requests) == 3)
        assert webhook.requests[2][2]["table"] == table


def test_a_player_with_only_hidden_pages_is_absent(tmp_path, webhook):
    with notifying_server(tmp_path, COURTLY_GRACE="0.3") as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        table = ada.open("me", "open")
        with ada.connect(table) as connection:
            assert ben.command(table, "sit").status == 200
            connection.view()
            connection.send(type="hidden", hidden=True)
            wait_until(lambda: len(webhook.requests) == 2)
            assert webhook.requests[1][2]["table"] == table
            connection.send(type="hidden", hidden=False)  # she looks, so she is notified of her next turn again
            wait_until(lambda: 'INTO "pending_notification"' not in database_dump(server))
            connection.send(type="hidden", hidden=True)
            wait_until(lambda: len(webhook.requests) == 3)


def test_unsent_notifications_are_sent_after_a_restart(tmp_path, webhook):
    with notifying_server(tmp_path, first=LONG_RETRY_DELAY) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        table = open_waiting_table(ada, ben)
        server.kill()
    assert len(webhook.requests) == 1
    with notifying_server(tmp_path) as server:
        wait_until(lambda: len(webhook.requests) == 2)
        assert webhook.requests[1][2]["table"] == table
        wait_until(lambda: any("turn notification done" in line for line in server.log))
        server.kill()
    with notifying_server(tmp_path) as server:  # notifications are not repeated
        ada.server = ben.server = server
        open_waiting_table(ada, ben)
        wait_until(lambda: len(webhook.requests) == 3)
        assert webhook.requests[2][2]["table"] != table


def test_notifications_wait_for_a_database_that_refuses(tmp_path, webhook):
    """A process may lose its connection while it reads at whose tables it is whose turn, for example because it was
    suspended.
    """
    with notifying_server(tmp_path, first=LONG_RETRY_DELAY) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        table = open_waiting_table(ada, ben)
        server.stop()
    failing_read = f"""
from courtly.server.errors import CommitUncertainError; from courtly.server.tables.registry import TableRegistry
load, failures = TableRegistry.load_tables_of_guest, [CommitUncertainError("the connection failed")] * 2
async def load_tables_of_guest(*arguments):
    if failures: raise failures.pop()
    return await load(*arguments)
TableRegistry.load_tables_of_guest = load_tables_of_guest
{SHORT_RETRY_DELAYS}; notices.STORAGE_RETRY_DELAY_S = 0.1
"""
    with notifying_server(tmp_path, first=failing_read) as server:
        wait_until(lambda: len(webhook.requests) == 2)  # the first one is a greeting
        assert webhook.requests[1][2]["table"] == table
        assert "Traceback" not in "".join(server.log), "".join(server.log)


def database_dump(server):
    with sqlite3.connect(server.data / "courtly.db") as database:
        return "\n".join(database.iterdump())


@pytest.mark.parametrize("change", ["guest deleted", "other settings"])
def test_pending_mails_are_dropped_after_a_change_of_settings(tmp_path, mailbox, change):
    with notifying_server(tmp_path, mailbox) as server, ThreadPoolExecutor() as pool:
        ada = server.guest("Ada")
        mailbox.accepting.clear()
        pending = pool.submit(save_setting, ada, email="ada@home.example")
        wait_until(lambda: mailbox.request_count)
        same_guest = Guest(server, cookie=False)
        same_guest.cookie = ada.cookie
        response = same_guest.request("DELETE", "/api/me") if change == "guest deleted" else save_setting(same_guest)
        assert response.status == 200
        mailbox.accepting.set()
        assert pending.result().error == "error-stale"
        if change != "guest deleted":
            assert save_setting(ada, language="ja").json["email"] is None
        assert "ada@home.example" not in database_dump(server)


def test_pending_notifications_of_a_deleted_guest_are_dropped(tmp_path, webhook):
    with notifying_server(tmp_path) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        ada_id = ada.get("/api/me").json["id"]
        save_setting(ada, webhook=webhook.url)
        webhook.responding.clear()
        open_waiting_table(ada, ben)
        wait_until(lambda: len(webhook.requests) == 2)
        assert ada.request("DELETE", "/api/me").status == 200
        webhook.responding.set()
        ben.get("/api/me")
        assert ada_id not in database_dump(server)
        assert server.stop() == 0
        assert ada_id not in database_dump(server) and not [line for line in server.log if "Traceback" in line]


def test_the_settings_say_which_channel_is_disabled(tmp_path, webhook, mailbox):
    with notifying_server(tmp_path, mailbox) as server:
        mailbox.is_rejecting = True
        assert save_setting(server.guest(), webhook=webhook.url, email="ada@home.example").error == "error-mail"
        webhook.status = 500
        assert save_setting(server.guest(), webhook=webhook.url, email="ada@home.example").error == "error-webhook"


LOG_NOTIFIED_COUNT = """
import courtly.server.services.turn_notifications as notices
look = notices.TurnNotifications.notify_due
def counted(self, table):
    look(self, table)
    notices.log.info("%s: %d notified", table.status, len(self._notified))
notices.TurnNotifications.notify_due = counted
"""


def test_nothing_is_stored_about_a_finished_game(tmp_path, webhook):
    with notifying_server(tmp_path, first=SHORT_RETRY_DELAYS + LOG_NOTIFIED_COUNT) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        save_setting(ada, webhook=webhook.url)
        table = open_waiting_table(ada, ben)
        wait_until(
            lambda: (
                "pending_notification" in database_dump(server)
                and any("turn notification done" in line for line in server.log)
            )
        )
        assert f"'{table}'" in next(
            line for line in database_dump(server).splitlines() if 'INTO "pending_notification"' in line
        )
        while not ada.view(table, 0)["over"]:
            for guest, seat in ((ada, 0), (ben, 1)):
                if guest.view(table, seat)["legal"]:
                    play(guest, table, seat)
        wait_until(lambda: any("over: 0 notified" in line for line in server.log))
        wait_until(lambda: 'INTO "pending_notification"' not in database_dump(server))


def test_invalid_settings_are_rejected_without_effect(tmp_path, webhook, mailbox):
    with notifying_server(tmp_path, mailbox, allow_inside="0") as server:
        ada = server.guest("Ada")
        for fields, error, reason in (
            ({"email": "ada"}, "error-mail", "form"),
            ({"email": "ada@home.example\nBcc: b@home.example"}, "error-mail", "form"),
            ({"webhook": "gopher://home.example"}, "error-webhook", "form"),
            ({"webhook": webhook.url}, "error-webhook", "silent"),  # on this machine
            ({"webhook": "http://a..example"}, "error-webhook", "silent"),  # not a host name
        ):
            refusal = save_setting(ada, **fields)
            assert (refusal.status, refusal.error) == (400, error)
            assert refusal.json["error"]["args"]["why"] == reason
        assert save_setting(ada, webhook_format="carrier pigeon").error == "error-malformed"
        mailbox.is_rejecting = True
        assert save_setting(ada, email="ada@home.example").json["error"]["args"]["why"] == "silent"
        assert ada.request("GET", "/api/me/notifications").json["email"] is None
        assert ada.request("GET", "/api/mail/false").error == "error-link-mail"
        for _ in range(6):
            refusal = save_setting(ada, email="ada@home.example")
        assert refusal.error == "error-too-fast"
        assert webhook.requests == [] and mailbox.mails == []


def test_a_server_without_a_public_address_sends_no_notifications(server):
    ada = server.guest("Ada")
    assert ada.request("GET", "/api/me/notifications").json["channels"] == []
    assert save_setting(ada, webhook="https://home.example").json["error"]["args"]["why"] == "off"


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_outside(address):
    assert is_outside(address)


PRIVATE_IPV4 = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255"]
IPV4_NOTATIONS = ["{}", "::ffff:{}", "64:ff9b::{}", "64:ff9b:1::{}", "::{}", "2001::{}"]
PRIVATE_IPV6 = [
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fd00::1",
    "ff0e::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
]


@pytest.mark.parametrize(
    "address",
    [notation.format(address) for notation in IPV4_NOTATIONS for address in PRIVATE_IPV4]
    + PRIVATE_IPV6
    + ["2002:7f00:1::1"],
)
def test_private_addresses_in_every_notation_are_inside(address):
    assert not is_outside(address)


@pytest.mark.parametrize("text", ["a@b.example", "ada.lovelace+games@mail.home.example"])
def test_a_valid_mail_address_is_accepted(text):
    assert is_mail(text)


@pytest.mark.parametrize(
    "text", ["", "a", "a@b", "@b.example", "a b@c.example", "a@b.example\n", "a@b.example, c@d.example"]
)
def test_an_invalid_mail_address_is_rejected(text):
    assert not is_mail(text)


@pytest.mark.parametrize("text", ["https://home.example/x?y=z", "http://home.example:8080"])
def test_a_valid_webhook_address_is_accepted(text):
    assert is_hook(text)


@pytest.mark.parametrize(
    "text", ["", "home.example", "https://", "ftp://home.example", "https://a b", "http://x:99999"]
)
def test_an_invalid_webhook_address_is_rejected(text):
    assert not is_hook(text)
