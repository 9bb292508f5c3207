"""A command's answer equals the socket's message, byte for byte, and matches /openapi.json."""

import json

from guests import Connection, Guest
from pydantic import TypeAdapter

from courtly.session.schemas import FromServer

MESSAGES = TypeAdapter(FromServer)


def test_answers_equal_the_sockets_messages(ada, ben, pair):
    with ben.connect(pair) as connection:
        assert connection.socket.recv() == f'{{"type":"table","table":{ben.get(f"/api/tables/{pair}").body.decode()}}}'
        own_view = ben.get(f"/api/tables/{pair}/view?seat=1").body.decode()
        assert connection.socket.recv() == f'{{"type":"view","view":{own_view}}}'
        view = ben.view(pair, 1)
        response = ben.play(pair, 1, view["seq"], view["legal"][0]["id"])
        assert connection.socket.recv() == f'{{"type":"view","view":{response.body.decode()}}}'
    with Connection(ada, "/ws/lobby") as lobby:
        message = lobby.socket.recv()
    assert message == '{"type":"tables",' + ada.get("/api/tables").body.decode()[1:] and pair in message


def test_every_answer_is_described(server):
    api = Guest(server, cookie=False).get("/openapi.json").json
    responses = {
        f"{method} {path}": operation["responses"]["200"]
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    }
    for lines in ("get /api/v1/tables/{table_id}/record", "get /api/v1/me/export"):
        assert responses.pop(lines)["content"].keys() == {"application/x-ndjson"}
    for command, response in responses.items():
        schema = response["content"]["application/json"]["schema"]
        for variant in schema.get("anyOf", [schema]):
            name = variant.get("items", variant)["$ref"].rpartition("/")[2]
            assert api["components"]["schemas"][name]["required"], command
    assert responses["get /api/v1/tables/{table_id}/view"]["content"]["application/json"]["schema"]["$ref"].endswith(
        "/View"
    )


def test_socket_messages_match_their_schema(ben, pair):
    messages = []
    with ben.connect(pair, page="0000") as connection, Connection(ben, "/ws/lobby") as lobby:
        connection.send(type="dance")
        connection.send(type="undo", key="k1", seat=1, seq=99)
        while not messages or "k1" not in messages[-1]:
            messages.append(connection.socket.recv())
        view = ben.view(pair, 1)
        connection.play(view, view["legal"][0]["id"])
        messages += [connection.socket.recv(), connection.socket.recv(), lobby.socket.recv()]
    assert {json.loads(text)["type"] for text in messages} == {"table", "view", "error", "done", "page", "tables"}
    for text in messages:
        assert MESSAGES.dump_json(MESSAGES.validate_json(text, strict=True)).decode() == text
