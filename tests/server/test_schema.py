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

A_DAY, LONG = 120, 10_000  # cases
ROUND = 30  # cases after which guests and tables are renewed
SEED = 5


class Scene:
    """Guests, and tables in every state, which can be renewed."""

    def __init__(self, server, rng):
        self.server, self.rng = server, rng

    def renew(self):
        ada, ben, _ = self.people = [self.server.guest(name) for name in ("Ada", "Ben", "Cleo")]
        self.tables = [ada.open("me", "open", "open"), ada.open("me", "local"), ben.open("me", "random")]
        self.tables.append(self._played())
        shared = ada.open("me", "open", help=True)
        assert ben.command(shared, "sit").status == 200
        self.tables.append(shared)

    def _played(self):
        ada = self.people[0]
        table = ada.open("me", "random")
        while legal := ada.view(table, 0)["legal"]:
            ada.play(table, 0, ada.view(table, 0)["seq"], legal[0]["id"])
        return table

    def populate(self, case):
        """Replace some generated values by real ones. Return the guest who sends the request."""
        rng, guest = self.rng, self.rng.choice([*self.people, self.people[0], None])
        table = rng.choice(self.tables)
        places = case.path_parameters or {}
        if "table_id" in places and rng.random() < 0.9:
            places["table_id"] = table
        if "game" in places and rng.random() < 0.8:
            places["game"] = "sealed_bids"
        if "ticket" in places and rng.random() < 0.8:
            places["ticket"] = self.people[1].post("/api/me/carry").json["path"].rpartition("/")[2]
        body = case.body
        if isinstance(body, dict) and rng.random() < 0.7:
            if "seq" in body:
                seat = rng.randrange(2)
                view = self.people[0].view(table, seat)
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
    with Server(tmp_path, COURTLY_ADDRESS="http://localhost", COURTLY_SAYINGS_PER_MINUTE="600") as server:
        town = Scene(server, random.Random(SEED))
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        operations = [found.ok() for found in schema.get_all_operations()]
        each = -(-(LONG if long else A_DAY) // len(operations))
        seen, errors = Counter(), Counter()
        while sum(seen.values()) < each * len(operations):  # for some commands there are few distinct inputs
            for operation in operations:
                ask_anything(operation, each, town, seen, errors)
        assert server.stop() == 0
        if long:
            with capsys.disabled():
                print(f"\n{sum(seen.values())} cases of {len(operations)} commands: {dict(seen)}\n{dict(errors)}")
        assert "Traceback" not in "".join(server.log), "".join(server.log)
    assert {200, 400, 401, 404, 409} <= seen.keys()


def ask_anything(operation, each, town, seen, errors):
    @seed(SEED + sum(seen.values()))
    @settings(
        max_examples=each,
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case):
        if sum(seen.values()) % ROUND == 0:
            town.renew()
        guest = town.populate(case)
        headers = {"cookie": guest.cookie} if guest else {}
        if town.rng.random() < 0.8:
            headers["idempotency-key"] = fresh_key()
        answer = case.call(headers=headers, allow_redirects=False)
        case.validate_response(
            answer, checks=[not_a_server_error, checks.status_code_conformance, checks.response_schema_conformance]
        )
        seen[answer.status_code] += 1
        if answer.status_code >= 400:
            errors[answer.json()["error"]["id"]] += 1
        if guest and (given := answer.headers.get("set-cookie")):
            kept = given[0].partition(";")[0]
            guest.cookie = kept if len(kept) > 20 else Guest(town.server, "Again").cookie

    ask()
