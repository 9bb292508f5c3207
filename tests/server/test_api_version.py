"""Version 1 of the API: it has paths of its own, and no release takes anything away from it.

`api_1.json` is what programs rely on, from its OpenAPI description. After an addition, write it again:

    python tests/server/test_api_version.py
"""

import json
import re
import sys
from pathlib import Path

import pytest
from guests import Connection

KEPT = Path(__file__).parent / "api_1.json"
TEXTS = {"description", "operationId", "summary", "tags", "title", "examples"}  # may change
REQUESTS = {"requests", "requestBody", "parameters"}  # may not demand more than before

# a model's name without what some versions of FastAPI add to it
MODEL_NAME = re.compile(r"\b(?:courtly__\w+__)?([A-Z]\w+?)(?:-(?:In|Out)put)?(?=\")")


def comparable(api):
    """Return what programs rely on: the commands, the models of requests and those of answers, and the errors."""
    api = json.loads(MODEL_NAME.sub(r"\1", json.dumps(api)))
    paths, schemas = api["paths"], api["components"]["schemas"]
    operations = [operation for path in paths.values() for operation in path.values()]
    in_requests = models_in(
        [schemas["FromClient"], *(operation.get("requestBody") for operation in operations)], schemas
    )
    in_answers = models_in([schemas["FromServer"], *(operation["responses"] for operation in operations)], schemas)
    error = operations[0]["responses"]["default"]["content"]["application/json"]["schema"]["properties"]["error"]
    return without_texts(
        {
            "commands": {
                path: {
                    method: operation | {"responses": operation["responses"]["200"]}
                    for method, operation in methods.items()
                }
                for path, methods in paths.items()
            },
            "requests": {name: schemas[name] for name in ("FromClient", *sorted(in_requests))},
            "answers": {name: schemas[name] for name in ("FromServer", *sorted(in_answers))},
            "errors": error["properties"]["id"]["enum"],
        }
    )


def models_in(parts, schemas):
    """Return the names of the models that these parts of a description consist of."""
    found, waiting = set(), [json.dumps(part) for part in parts]
    while waiting:
        text = waiting.pop()
        for name in schemas.keys() - found:
            if f'/schemas/{name}"' in text:
                found.add(name)
                waiting.append(json.dumps(schemas[name]))
    return found


def without_texts(part, is_named=False):
    """Return a part of a description without texts. `is_named`: its keys are names, such as those of properties."""
    if isinstance(part, list):
        return [without_texts(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: without_texts(value, key in ("properties", "requests", "answers"))
        for key, value in part.items()
        if is_named or key not in TEXTS
    }


def lost_parts(kept, now, where=()):
    """Yield where the description `now` lacks something that `kept` has, or demands more of requests."""
    name = where[-1] if where else ""
    if isinstance(kept, dict) and isinstance(now, dict):
        for key in kept:
            if key in now:
                yield from lost_parts(kept[key], now[key], (*where, key))
            else:
                yield " ".join((*where, key))
    elif isinstance(kept, list) and isinstance(now, list):
        if name == "parameters":
            kept, now = ({parameter["name"]: parameter for parameter in part} for part in (kept, now))
            yield from lost_parts(kept, now, where)
            yield from (" ".join((*where, new)) for new in now.keys() - kept.keys() if now[new].get("required"))
        else:
            demands_more = name == "required" and len(now) > len(kept) and REQUESTS & {*where}
            if demands_more or any(part not in now for part in kept):
                yield " ".join(where)
    elif kept != now:
        yield " ".join(where)


def current_description():
    from courtly.server.app import make_app
    from courtly.server.assets.bundle import AssetBundle
    from courtly.server.persistence.engine import open_database
    from courtly.server.settings import WEB, Settings

    return make_app(Settings(None), open_database("sqlite://"), AssetBundle(WEB)).openapi()


def kept_description():
    return json.loads(KEPT.read_text("utf-8"))


def test_nothing_that_programs_use_is_taken_away(server):
    now = comparable(server.guest().get("/openapi.json").json)
    kept = kept_description()
    assert [*lost_parts(kept, now)] == []
    new = {part: [name for name in now[part] if name not in kept[part]] for part in now}
    assert not any(new.values()), f"run this file as a program, so that this is kept: {new}"


CHANGES = {
    "a command": (lambda api: api["commands"].pop("/api/v1/me"), "commands /api/v1/me"),
    "a field": (lambda api: api["answers"]["View"]["properties"].pop("pending"), "answers View properties pending"),
    "a type": (
        lambda api: api["answers"]["View"]["properties"]["over"].update(type="integer"),
        "answers View properties over type",
    ),
    "an error": (lambda api: api["errors"].remove("error-stale"), "errors"),
    "a demand": (lambda api: api["requests"]["NewTable"]["required"].append("private"), "requests NewTable required"),
    "a parameter": (
        lambda api: api["commands"]["/api/v1/tables/{table_id}/view"]["get"]["parameters"].append(
            {"name": "until", "in": "query", "required": True}
        ),
        "commands /api/v1/tables/{table_id}/view get parameters until",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_breaking_change_is_found(change):
    kept, changed = kept_description(), kept_description()
    assert [*lost_parts(kept, changed)] == []
    make_change, where = CHANGES[change]
    make_change(changed)
    assert [*lost_parts(kept, changed)] == [where]


def test_an_addition_is_no_breaking_change():
    kept, changed = kept_description(), kept_description()
    changed["commands"]["/api/v1/new"] = {}
    changed["answers"]["View"]["required"].append("new")
    changed["answers"]["View"]["properties"]["new"] = {"type": "string"}
    changed["errors"].append("error-new")
    assert [*lost_parts(kept, changed)] == []


def test_paths_with_and_without_the_version_are_the_same(ada, pair):
    with_version, without = (ada.get(f"/api{version}/tables/{pair}") for version in ("/v1", ""))
    assert with_version.status == 200 and with_version.body == without.body
    assert ada.request("PUT", "/api/v1/me", {"name": "Ada the First"}).status == 200
    assert ada.get("/api/v2/me").status == ada.get("/api/v1/nothing").status == 404
    with Connection(ada, f"/ws/v1/tables/{pair}") as connection:
        connection.send(type="hello", since={})
        assert connection.wait("table")["table"]["id"] == pair


def test_the_limit_of_a_request_holds_for_both_paths(ada):
    """The longest record is allowed, with and without the version."""
    record = b"x" * 100_000
    statuses = [ada.request("POST", f"/api{version}/replay", raw=record).status for version in ("", "/v1")]
    assert statuses == [400, 400]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    KEPT.write_text(json.dumps(comparable(current_description()), indent=1, sort_keys=True) + "\n", encoding="utf-8")
