"""Every command with generated valid and invalid input, and with ids of real tables and guests: only declared errors
occur, and every answer matches its schema.
"""

import random
from collections import Counter

import schemathesis
from guests import Guest, Server, fresh_key
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

DAILY_CASES, LONG_RUN_CASES = 120, 10_000  # cases
CASES_PER_SCENE = 30  # cases after which guests and tables are renewed
SEED = 5


class Scene:
    """Guests, and tables in every state, which can be renewed."""

    def __init__(self, server, rng):
        self.server, self.rng = server, rng

    def renew(self):
        ada, ben, _ = self.guests = [self.server.guest(name) for name in ("Ada", "Ben", "Cleo")]
        self.tables = [ada.open("me", "open", "open"), ada.open("me", "local"), ben.open("me", "random")]
        self.tables.append(self._play_game())
        shared_table = ada.open("me", "open", help_consent=True)
        assert ben.command(shared_table, "sit").status == 200
        self.tables.append(shared_table)

    def _play_game(self):
        ada = self.guests[0]
        table = ada.open("me", "random")
        while legal := ada.view(table, 0)["legal"]:
            ada.play(table, 0, ada.view(table, 0)["seq"], legal[0]["id"])
        return table

    def populate(self, case):
        """Replace some generated values by real ones. Return the guest who sends the request."""
        rng, guest = self.rng, self.rng.choice([*self.guests, self.guests[0], None])
        table = rng.choice(self.tables)
        parameters = case.path_parameters or {}
        if "table_id" in parameters and rng.random() < 0.9:
            parameters["table_id"] = table
        if "game" in parameters and rng.random() < 0.8:
            parameters["game"] = "sealed_bids"
        if "ticket" in parameters and rng.random() < 0.8:
            parameters["ticket"] = self.guests[1].post("/api/me/identity-link").json["path"].rpartition("/")[2]
        body = case.body
        if isinstance(body, dict) and rng.random() < 0.7:
            if "seq" in body:
                seat = rng.randrange(2)
                view = self.guests[0].view(table, seat)
                if "legal" in view:
                    body |= {"seat": seat, "seq": view["seq"]}
                    if "moves" in body and view["legal"]:
                        body["moves"] = [rng.choice(view["legal"])["id"]]
            elif "seat" in body:
                body["seat"] = rng.randrange(3)
            elif "seats" in body:
                body |= {
                    "game": "sealed_bids",
                    "players": 2,
                    "seats": [{"kind": "me"}, {"kind": "bot"}],
                    "options": None,
                }
        return guest


def test_only_declared_errors_occur(tmp_path, long, capsys):
    with Server(tmp_path, COURTLY_ADDRESS="http://localhost", COURTLY_CHAT_MESSAGES_PER_MINUTE="600") as server:
        scene = Scene(server, random.Random(SEED))
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        operations = [result.ok() for result in schema.get_all_operations()]
        cases_per_operation = -(-(LONG_RUN_CASES if long else DAILY_CASES) // len(operations))
        status_counts, error_counts = Counter(), Counter()
        while sum(status_counts.values()) < cases_per_operation * len(
            operations
        ):  # for some commands there are few distinct inputs
            for operation in operations:
                send_generated_requests(operation, cases_per_operation, scene, status_counts, error_counts)
        assert server.stop() == 0
        if long:
            with capsys.disabled():
                total, commands = sum(status_counts.values()), len(operations)
                print(f"\n{total} cases of {commands} commands: {dict(status_counts)}\n{dict(error_counts)}")
        assert "Traceback" not in "".join(server.log), "".join(server.log)
    assert {200, 400, 401, 404, 409} <= status_counts.keys()


def send_generated_requests(operation, cases_per_operation, scene, status_counts, error_counts):
    @seed(SEED + sum(status_counts.values()))
    @settings(
        max_examples=cases_per_operation,
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def send(case):
        if sum(status_counts.values()) % CASES_PER_SCENE == 0:
            scene.renew()
        guest = scene.populate(case)
        headers = {"cookie": guest.cookie} if guest else {}
        if scene.rng.random() < 0.8:
            headers["idempotency-key"] = fresh_key()
        response = case.call(headers=headers, allow_redirects=False)
        case.validate_response(
            response, checks=[not_a_server_error, checks.status_code_conformance, checks.response_schema_conformance]
        )
        status_counts[response.status_code] += 1
        if response.status_code >= 400:
            error_counts[response.json()["error"]["id"]] += 1
        if guest and (set_cookie := response.headers.get("set-cookie")):
            cookie = set_cookie[0].partition(";")[0]
            guest.cookie = cookie if len(cookie) > 20 else Guest(scene.server, "Again").cookie

    send()
