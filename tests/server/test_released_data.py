"""What a released version stored is served by this one, from the same file or restored into PostgreSQL."""

import pytest
import released_data
from databases import KINDS, empty_database
from guests import Server
from sqlalchemy import text

from courtly import __version__
from courtly.engine.transcript import check
from courtly.server.persistence import repository
from courtly.server.persistence.backup import restore
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.integrity_check import all_table_ids, check_table, examine_rest
from courtly.server.security.signed_tokens import COOKIE_NAME, Signatures

VERSIONS = sorted(path.stem for path in released_data.FOLDER.glob("*.sql"))


def test_the_data_of_this_version_is_kept():
    assert __version__ in VERSIONS, "for the release: python tests/server/released_data.py"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", VERSIONS)
def test_released_data_is_played_on(version, kind, tmp_path):
    file = tmp_path / "released.db"
    released_data.read(version, file)
    address = f"sqlite:///{file}"
    if kind == "postgresql":
        address = empty_database(kind, tmp_path)
        restore(address, file)
    engine = open_database(address)
    with engine.connect() as connection:
        tables = all_table_ids(connection)
        assert [check_table(connection, table) for table in tables] == [None] * 3 and examine_rest(connection) == []
        rows = repository.load_tables(connection, tables)
        status = {(row.started_at is not None, row.ended_at is not None): row for row, _ in rows.values()}
        over, running, host = status[True, True].id, status[True, False].id, status[True, False].host
        key = connection.execute(text("SELECT value FROM setting WHERE name = 'signing-key'")).scalar()
    engine.dispose()
    with Server(tmp_path / "data", COURTLY_DATABASE=address, COURTLY_ADDRESS="https://games.example") as server:
        ada, stranger = server.guest(), server.guest()
        ada.cookie = f"{COOKIE_NAME}={Signatures(key).sign_cookie(host)}"
        assert ada.get("/api/me").json["name"] == "Ada"
        assert [table["id"] for table in ada.get("/api/tables").json["mine"]] == [running]
        assert ada.get("/api/me/notifications").json["webhook_format"] == "slack"
        messages = ada.get(f"/api/tables/{over}/chat").json["messages"]
        assert [(message["text"], message["you"]) for message in messages] == [("Good luck", True), ("幸運を", True)]
        record = stranger.get(f"/api/tables/{over}/record").body
        assert check(record.decode()).over
        view = ada.view(running, 0)
        assert ada.play(running, 0, view["seq"], view["legal"][0]["id"]).status == 200
        assert server.stop() == 0
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
