"""Replays: every view as it was shown, nothing else, and errors for invalid records."""

import asyncio
import gzip
import json
import os
import random
import re
import socket
import struct
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor, wait
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from guests import PATIENCE, SECRET_BIDS, Server
from record_variants import VARIANTS, apply_variant

from courtly.engine import transcript
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.position import CommandRefusedError
from courtly.engine.rng import SeededChance
from courtly.rendering import share_image
from courtly.review.text import GameTexts
from courtly.server.assets.bundle import AssetBundle
from courtly.server.http import link_previews
from courtly.server.services import replay_cache, replay_worker, share_images
from courtly.server.services.replay_cache import ReplayCache
from courtly.server.settings import WEB, Settings
from courtly.session.view_history import ViewHistory, replay_decisions

GAMES = Path(__file__).parent.parent / "games"
GOLDEN = sorted(GAMES.glob("*/golden/*.jsonl"))


def assemble_views(replay):
    """Return the views of an answer, assembled as the browser does."""
    view, views = {}, []
    for moment in replay["moments"]:
        changes = moment["changed"]
        view = {**view, **changes, **{k: {**view.get(k, {}), **changes[k]} for k in ("state", "facts") if k in changes}}
        views.append({**view, "ply": moment["ply"]})
    return views


def replay_of(match, viewpoint, numbered=False):
    history = ViewHistory(viewpoint)
    for step in replay_decisions(match):
        history.record_moment(step)
    return json.loads(json.dumps(history.replay(numbered)))


def without_actions(view):
    """Return a view as it was shown, without the actions available then."""
    copy = json.loads(json.dumps(view))
    return {"facts": {}, **{k: v for k, v in copy.items() if k not in ("legal", "undo", "cues", "ply")}}


def test_there_are_records_to_play_back():
    assert len(GOLDEN) > 40 and {path.parts[-3] for path in GOLDEN} <= set(game_ids())


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=f"{path.parts[-3]}-{path.stem}", marks=pytest.mark.long if n % 3 else ())
        for n, path in enumerate(GOLDEN)  # test_record replays all of them
    ],
)
def test_the_replay_of_a_record_ends_with_the_last_view(path):
    """For every viewpoint: the last view, and all its cues."""
    match = transcript.check(path.read_text(encoding="utf-8"))
    for viewpoint in (None, *range(match.players)):
        replay = replay_of(match, viewpoint)
        expected = {"facts": {}, **match.view(viewpoint, 0), "ply": None}
        assert {**assemble_views(replay)[-1], "cues": replay["cues"]} == json.loads(json.dumps(expected))
    replay = replay_of(match, "all", numbered=True)
    views, expected = assemble_views(replay), json.loads(json.dumps(match.view(None)))
    assert {k: v for k, v in views[-1].items() if k not in ("state", "facts", "seq", "ply")} == {
        k: v for k, v in expected.items() if k not in ("state", "facts", "seq")
    }
    assert {k: v for k, v in expected["state"].items() if match.state.fields[k].visible == "public"} == {
        k: v for k, v in views[-1]["state"].items() if match.state.fields[k].visible == "public"
    }
    assert all(None not in v for v in views[-1]["state"].values() if isinstance(v, list))
    assert [view["ply"] for view in views] == sorted({view["ply"] for view in views})
    assert views[-1]["ply"] == len(match.entries) == len(replay["cues"])
    assert all(cue["args"] is not None for cue in replay["cues"])
    private_cues = [cue for cue in replay["cues"] if "to" in cue]
    assert (
        bool(private_cues) == (match.game.id == "puppet" or match.game.id == "cardinal") or match.game.id == "necklace"
    )
    for cue in private_cues:
        informed_seats = [seat for seat in range(match.players) if cue["args"] in [c["args"] for c in match.cues(seat)]]
        assert cue["seat"] == -1 and cue["to"] in informed_seats


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("seed", range(3))
def test_the_replay_of_a_seat_has_the_views_that_it_was_sent(game, seed):
    """During a game: the views that were sent, except those undone since, and nothing else in them. Audiences that
    received the same get the same replay.
    """
    r = random.Random(seed)
    rules = find_game(game)
    match = Match(rules, rules.players[seed % len(rules.players)], None, SeededChance(seed))
    audiences = (None, *range(match.players))
    sent = {audience: [without_actions(match.view(audience))] for audience in audiences}
    for _ in range(150):
        if match.over:
            break
        undoing_seats = [seat for seat in range(match.players) if match.can_undo(seat)]
        if undoing_seats and r.random() < 0.3:
            entries = match.undo(r.choice(undoing_seats))
        else:
            seat = r.choice(match.pending)
            entries = match.play(seat, r.choice(match.legal(seat)))
        for audience in match.audiences_noticing(entries):
            sent[audience].append(without_actions(match.view(audience)))
    assert any(entry.undo for entry in match.entries) or not seed
    for audience in audiences:
        replay = replay_of(match, audience)
        views = [without_actions(view) for view in assemble_views(replay)]
        assert replay["cues"] == json.loads(json.dumps(match.cues(audience)))
        assert all(moment["ply"] is None for moment in replay["moments"])
        assert views[-1] == without_actions(match.view(audience))
        # in order, each one sent before
        sent_views = iter(sent[audience])
        assert all(any(view == sent_view for sent_view in sent_views) for view in views)
        assert len(views) > len(sent[audience]) / 4


def test_a_replay_omits_undone_moves():
    match = Match(find_game("sealed_bids"), 2, SECRET_BIDS, SeededChance(1))
    first = match.view(0)
    match.play(0, match.legal(0)[0])
    match.undo(0)
    replay = replay_of(match, 0)
    assert len(replay["moments"]) == 1 and [cue["verb"] for cue in replay["cues"]][-1] == "undo"
    assert assemble_views(replay)[0]["state"] == json.loads(json.dumps(first["state"]))
    match.play(0, match.legal(0)[-1])
    assert len(replay_of(match, 0)["moments"]) == 2
    assert len(replay_of(match, 1)["moments"]) == 1  # this seat saw nothing of it


def finish_game(guest, *kinds, **options):
    table = guest.open(*(kinds or ("me", "random")), **options)
    r = random.Random(3)
    while not (view := guest.view(table, 0))["over"]:
        if view["legal"]:
            guest.play(table, 0, view["seq"], r.choice(view["legal"])["id"])
    return table


def test_before_the_end_guests_see_only_their_own_view(pair, ada, ben, cleo):
    path = f"/api/tables/{pair}/replay"
    assert ada.get(f"{path}?seat=0").json["moments"][0]["changed"]["state"]["hand"][1] is None
    assert ada.get(f"{path}?seat=1").error == "error-not-yours"
    assert cleo.get(f"{path}?seat=0").error == "error-not-yours"
    assert cleo.get(path).status == 200
    assert ada.get(f"{path}?seat=all").error == "error-not-over"
    assert ada.get(f"{path}?seat=7").error == "error-unknown-seat"
    assert ada.get(f"{path}?seat=x").error == "error-malformed"
    assert "content-encoding" not in ada.get(f"{path}?seat=0", headers={"accept-encoding": "gzip"}.items()).headers
    body_before = ada.get(f"{path}?seat=0").body
    view = ben.view(pair, 1)
    ben.play(pair, 1, view["seq"], view["legal"][0]["id"])  # in secret
    assert ada.get(f"{path}?seat=0").body == body_before


def test_a_finished_table_and_its_record_have_the_same_replay(ada, cleo):
    table = finish_game(ada)
    record = cleo.get(f"/api/tables/{table}/record").body
    for viewpoint in ("0", "1", "", "all"):
        replay = cleo.get(f"/api/tables/{table}/replay?seat={viewpoint}").json
        record_replay = cleo.request("POST", f"/api/replay?seat={viewpoint}", raw=record).json
        table_info = record_replay.pop("table")
        assert replay == record_replay
        assert assemble_views(replay)[-1]["over"]
    assert table_info["seats"][0]["name"] == "Ada" and table_info["status"] == "over"
    compressed = cleo.get(f"/api/tables/{table}/replay?seat=all", headers={"accept-encoding": "gzip"}.items())
    assert compressed.headers["content-encoding"] == "gzip"
    assert cleo.get(f"/api/tables/{table}/replay?seat=5").error == "error-unknown-seat"
    assert cleo.request("POST", "/api/replay?seat=5", raw=record).error == "error-unknown-seat"


def replace_line(lines, n, line):
    return "\n".join([*lines[:n], line, *lines[n + 1 :]]).encode()


def test_an_invalid_record_is_reported_with_its_first_wrong_line(server):
    lines = (GAMES / "cardinal" / "golden" / "three-players.jsonl").read_text(encoding="utf-8").splitlines()
    ada = server.guest("Ada")
    head = json.loads(lines[0])

    def post_record(raw):
        return ada.request("POST", "/api/replay", raw=raw)

    def reported_line(raw):
        response = post_record(raw)
        assert response.error == "error-record", response.json
        return response.json["error"]["args"]["line"]

    move_line = next(n for n, line in enumerate(lines) if '"moves"' in line)
    assert post_record("\n".join(lines).encode()).status == 200
    for variant in VARIANTS:
        raw, line = apply_variant("".join(f"{line}\n" for line in lines).encode(), variant)
        response = server.guest().request("POST", "/api/replay", raw=raw)
        assert response.status == (400 if line else 200), variant
        assert not line or response.json["error"]["args"]["line"] == line, variant
    assert reported_line(b"") == 1
    assert reported_line(b"\xff\xfe") == 1
    assert reported_line(b"[" * 100_000) == 1
    assert reported_line(replace_line(lines, 5, "{")) == 6
    assert reported_line(replace_line(lines, 5, "[1]")) == 6
    assert reported_line(replace_line(lines, 5, "{}")) == 6
    assert (
        reported_line(replace_line(lines, move_line, json.dumps({**json.loads(lines[move_line]), "moves": ["fly"]})))
        == move_line + 1
    )
    assert (
        reported_line(replace_line(lines, move_line, json.dumps({**json.loads(lines[move_line]), "seat": 4})))
        == move_line + 1
    )
    assert (
        reported_line(replace_line(lines, move_line, json.dumps({**json.loads(lines[move_line]), "seat": "0"})))
        == move_line + 1
    )
    assert reported_line(replace_line(lines, len(lines) - 1, '{"over": true, "scores": [1, 2, 3]}')) == len(lines)
    assert reported_line("\n".join(lines[:-1]).encode()) == len(lines) - 1
    for players in (9, -1, None, "3", [], True):
        assert reported_line(replace_line(lines, 0, json.dumps({**head, "players": players}))) == 1
    assert reported_line(replace_line(lines, 0, json.dumps({**head, "chance": 5}))) == 1
    assert reported_line(replace_line(lines, 0, json.dumps({**head, "options": 5}))) == 1
    assert reported_line(replace_line(lines, 0, json.dumps({**head, "courtly": 99}))) == 1
    for name in ("\u202eevil", "\u3164\u2800"):
        changed_head = {**head, "seats": [name, 7, "x" * 1000]}
        assert [
            s["name"] for s in post_record(replace_line(lines, 0, json.dumps(changed_head))).json["table"]["seats"]
        ] == ["", "", ""]
    response = post_record(replace_line(lines, 0, json.dumps({**head, "version": 999})))
    assert response.json["error"] == {
        "id": "error-record-version",
        "args": {"game": "cardinal", "played": "999", "installed": head["version"]},
    }
    assert post_record(replace_line(lines, 0, json.dumps({**head, "game": "whist"}))).error == "error-record-game"
    surrogate = "\ud800"  # half of a surrogate pair
    assert post_record(replace_line(lines, 0, json.dumps({**head, "game": surrogate}))).error == "error-record-game"
    assert (
        post_record(replace_line(lines, 0, json.dumps({**head, "version": surrogate}))).error == "error-record-version"
    )
    for field in ("players", "options", "chance", "seats"):
        assert post_record(replace_line(lines, 0, json.dumps({**head, field: {surrogate: surrogate}}))).status in (
            200,
            400,
        )
    assert post_record(b"x" * (1 << 20) + b"x").error == "error-too-large"


def test_replays_are_limited_per_guest(tmp_path):
    with Server(tmp_path / "data", COURTLY_COMMANDS_PER_SECOND="10") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "random")
        responses = [ada.get(f"/api/tables/{table}/replay?seat=0") for _ in range(130)]
        assert responses[0].status == 200
        assert "error-too-fast" in {response.error for response in responses}


def read_preview(guest, path, language="en"):
    page = guest.get(path, headers={"accept": "text/html", "accept-language": language}.items()).body.decode()
    assert "{{" not in page.partition("</head>")[0]
    return dict(re.findall(r'<meta property="(og:[a-z_]+)" content="([^"]*)">', page))


def test_a_shared_link_shows_the_game_and_the_moment(server, ada, cleo):
    assert ada.request("PUT", "/api/me", {"name": 'A"<b>'}).status == 200
    waiting_table = ada.open("me", "open")
    assert read_preview(cleo, f"/t/{waiting_table}")["og:description"] == "Waiting for players"
    table = finish_game(ada, "me", "random", game="necklace", options=None)
    preview = read_preview(cleo, f"/t/{table}")
    assert preview["og:title"].startswith("Queen’s Necklace") and "A&quot;&lt;b&gt; " in preview["og:description"]
    assert re.search(r"( wins|share the victory)\. ", preview["og:description"])
    image_path = read_preview(cleo, f"/t/{waiting_table}")["og:image"].removeprefix(server.url)
    assert cleo.get(image_path).headers["content-type"] == "image/png" and "/sealed_bids/" not in image_path
    moments = cleo.get(f"/api/tables/{table}/replay?seat=all").json["moments"]
    descriptions = {read_preview(cleo, f"/t/{table}?ply={moment['ply']}")["og:description"] for moment in moments[:12]}
    assert len(descriptions) > 4 and any("buys" in text for text in descriptions)
    assert read_preview(cleo, f"/t/{table}?ply=5", "ja,en;q=0.5")["og:title"].startswith("クイーンズ")
    assert read_preview(cleo, f"/t/{table}?ply=5", "de, ja-JP;q=0.7, en;q=0.5")["og:title"].startswith("クイーンズ")
    for ply in ("-1", "x", "9" * 40, "%D9%A3"):
        assert read_preview(cleo, f"/t/{table}?ply={ply}")["og:description"]
    for path in ("/", "/replay", "/rules/petition", "/t/none", "/nowhere"):
        assert read_preview(cleo, path)["og:title"] == "Courtly"


def test_a_shared_moment_has_a_picture(server, ada, cleo):
    table = finish_game(ada, "me", "random", game="necklace", options=None)

    def get_picture(path):
        response = cleo.get(path.removeprefix(server.url).replace("&amp;", "&"))
        assert response.status == 200 and response.headers["content-type"] == "image/png"
        assert struct.unpack(">II", response.body[16:24]) == (1200, 630)
        return response.body

    moments = [read_preview(cleo, f"/t/{table}?ply={ply}")["og:image"] for ply in (0, 20, 40)]
    english_pictures = [get_picture(moment) for moment in moments]
    assert len(set(english_pictures)) == 3 and get_picture(moments[0]) == english_pictures[0]
    assert get_picture(read_preview(cleo, f"/t/{table}?ply=20", "ja")["og:image"]) != english_pictures[1]
    end_image = read_preview(cleo, f"/t/{table}")["og:image"]
    assert (
        read_preview(cleo, f"/t/{table}?ply=99999")["og:image"] == end_image
        and get_picture(end_image) not in english_pictures
    )
    picture_path = f"/t/{table}/moment.png"
    for query in ("?ply=-1", "?ply=x&language=../ja", f"?ply={'9' * 40}", ""):
        assert get_picture(picture_path + query) == get_picture(end_image)
    assert cleo.get("/t/none/moment.png").status == 404
    running_table = ada.open("me", "random")
    assert cleo.get(f"/t/{running_table}/moment.png").error == "error-not-over"
    picture_with_name = get_picture(moments[0])
    assert ada.request("DELETE", "/api/me").status == 200
    assert get_picture(moments[0]) != picture_with_name  # a deleted guest is in no cached picture


def test_pictures_are_limited_per_guest(tmp_path):
    images = share_images.ShareImages(Settings(tmp_path, commands_per_second=10), AssetBundle(WEB))
    moment = share_image.GameMoment("petition", "", "", [share_image.PlayerLine("", "vert", "", False)], 0)

    async def draw_until_refused():
        key = "table", 0, "en", ()
        picture = await images.draw(key, moment)
        assert await images.find(key, "here") is picture  # and it is not counted
        for ply in range(1, 1000):
            assert await images.find(("table", ply, "en", ()), "here") is None

    with pytest.raises(CommandRefusedError, match="error-too-fast"):
        asyncio.run(draw_until_refused())


@pytest.mark.parametrize("text", ["W" * 400, "あ、" * 200, "a b " * 200, "שלום😀\u202e" * 40, ""])
def test_no_text_exceeds_a_picture(text):
    from PIL import Image

    players = [share_image.PlayerLine(text[:24], "gules", "10000" * 3, True)] * 5
    statics = AssetBundle(WEB)
    picture = Image.open(BytesIO(share_image.render_png(statics, share_image.GameMoment("", text, text, players, 1))))
    background = picture.getpixel((0, 0))
    margins = (
        picture.crop((share_image.RIGHT + 4, 0, *picture.size)),
        picture.crop((0, 606, 1200, 630)).crop((560, 0, 1200, 24)),
    )
    assert all(margin.getcolors() == [(margin.width * margin.height, background)] for margin in margins)


def test_the_standing_is_described_in_the_games_words():
    texts = GameTexts(find_game("petition"), "en")
    assert [link_previews.points_text(texts, points) for points in (None, 0, 56)] == ["", "–", "5 × 6"]
    assert link_previews.points_text(GameTexts(find_game("necklace"), "en"), 31) == "31"


def test_a_replay_page_preloads_its_files(ada):
    table = finish_game(ada)
    accept = {"accept": "text/html"}.items()
    for path, module in ((f"/t/{table}?ply=3", "pages/finished-table.js"), ("/replay", "pages/record.js")):
        assert f"web/{module}" in ada.get(path, headers=accept).body.decode().partition("</head>")[0]
    assert "pages/finished-table.js" not in ada.get(f"/t/{table}", headers=accept).body.decode()


SLOW_WORKER = """
import time
from courtly.bots.runtime.worker_process import main
from courtly.server.services.replay_worker import replay

def slowly(question, *rest):
    if question["record"].startswith("slow"):
        time.sleep(1000)
    return replay(question, *rest)

main(slowly)
"""


def test_a_record_of_a_disconnected_sender_does_not_delay_others(tmp_path):
    """Other records of this sender do not block either, as they wait in turn."""
    (tmp_path / "slow_replayer.py").write_text(SLOW_WORKER, encoding="utf-8")
    record = (GAMES / "cardinal" / "golden" / "three-players.jsonl").read_bytes()
    preparation = "import courtly.server.services.replay_cache as replays; "
    preparation += "replays.REPLAY_WORKER, replays.RECORD_LIMIT_S = 'slow_replayer', 1e6"
    path = f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}"
    with Server(tmp_path / "data", first=preparation, PYTHONPATH=path) as server:
        connections = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        for connection in connections:
            headers = f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 4\r\n\r\n"
            connection.sendall(f"{headers}slow".encode())
        with ThreadPoolExecutor() as threads:
            response = threads.submit(server.guest("Ada").request, "POST", "/api/replay", raw=record)
            assert not wait([response], 1).done
            for connection in connections:
                connection.close()
            assert response.result(PATIENCE).status == 200


HANGING_RECORDS = """
import asyncio
from courtly.server.http.routes import records
record_text, requests = records.record_text, []
async def hang(match, **about):
    requests.append(match)
    if len(requests) < 4:
        await asyncio.Event().wait()
    return await record_text(match, **about)
records.record_text = hang
"""


def test_a_replay_for_a_disconnected_client_does_not_delay_others(tmp_path):
    with Server(tmp_path, first=HANGING_RECORDS) as server:
        ada = server.guest("Ada")
        table = finish_game(ada)
        connections = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        for connection in connections:
            connection.sendall(f"GET /api/tables/{table}/record HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        with ThreadPoolExecutor() as threads:
            response = threads.submit(ada.get, f"/api/tables/{table}/replay?seat=all")
            assert not wait([response], 1).done
            for connection in connections:
                connection.close()
            assert response.result(PATIENCE).status == 200


def test_replays_of_tables_alternate_between_guests():
    async def main():
        replays, turns = ReplayCache(Settings(Path())), []

        async def take_turn(guest):
            async with replays.turn(guest, "10.0.0.1"):
                turns.append(guest)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(take_turn(guest)) for guest in ["eve"] * 6 + ["ada"]]
        errors = await asyncio.gather(*tasks, return_exceptions=True)
        assert [error and error.id for error in errors] == [None] * 5 + ["error-too-fast", None]
        assert turns == ["eve", "ada", "eve", "eve", "eve", "eve"]

    asyncio.run(main())


def test_the_queue_per_guest_is_limited():
    async def main():
        replays = ReplayCache(Settings(Path()))
        replays._worker = SimpleNamespace(ask=lambda question, limit: asyncio.Event().wait())
        tasks = [asyncio.create_task(replays.replay_record("", "eve", "10.0.0.1", "all")) for _ in range(4)]
        await asyncio.sleep(0.01)
        assert [task.done() for task in tasks] == [False, False, False, True]
        with pytest.raises(CommandRefusedError, match="error-too-fast"):
            tasks[3].result()
        other = asyncio.create_task(replays.replay_record("", "ada", "10.0.0.1", "all"))
        await asyncio.sleep(0.01)
        assert not other.done()
        for task in (*tasks, other):
            task.cancel()
        await asyncio.gather(*tasks, other, return_exceptions=True)

    asyncio.run(main())


def test_the_oldest_picture_is_forgotten(monkeypatch):
    monkeypatch.setattr(share_images, "MAX_IMAGES", 1)
    monkeypatch.setattr(share_images, "render_png", lambda statics, moment: moment)

    async def main():
        images = share_images.ShareImages(Settings(Path()), None)
        keys = [("table", ply, "en", ()) for ply in (1, 2)]
        assert [await images.draw(key, bytes(key[1])) for key in keys] == [b"\0", b"\0\0"]
        assert [await images.find(key, "10.0.0.1") for key in keys] == [None, b"\0\0"]

    asyncio.run(main())


def test_the_oldest_replay_is_forgotten(monkeypatch):
    monkeypatch.setattr(replay_cache, "MAX_REPLAYS", 1)

    async def main():
        replays = ReplayCache(Settings(Path()))
        match = transcript.check(GOLDEN[0].read_text("utf-8"))
        tables = [SimpleNamespace(require_match=lambda: match, row=SimpleNamespace(id=name)) for name in "ab"]
        first, second = [await replays.replay_table(table, "ada", "10.0.0.1", None) for table in tables]
        assert await replays.replay_table(tables[1], "ada", "10.0.0.1", None) is second
        again = await replays.replay_table(tables[0], "ada", "10.0.0.1", None)
        assert again is not first and again == first

    asyncio.run(main())


def test_the_answers_of_the_replaying_process(monkeypatch):
    record = GOLDEN[0].read_text("utf-8")
    answer = replay_worker.replay({"record": record, "viewpoint": None}, 0, None)
    assert gzip.decompress(b64decode(answer["packed"])) == b64decode(answer["plain"])
    assert json.loads(b64decode(answer["plain"]))["moments"]
    refused = replay_worker.replay({"record": "{}", "viewpoint": None}, 0, None)
    assert refused["refused"]["id"] == "error-record"

    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(replay_worker.RecordReplay, "iter_steps", fail)
    failed = replay_worker.replay({"record": record, "viewpoint": None}, 0, None)
    assert "ZeroDivisionError" in failed["error"]


def test_a_preview_of_a_game_that_is_not_installed_has_the_names_alone():
    seats = [SimpleNamespace(name=name) for name in ("Ada", "", "Ben")]
    table = SimpleNamespace(row=SimpleNamespace(game="nowhere"), seats=seats)
    assert link_previews._title_and_sentence(table, "en", "") == ("Courtly", "Ada · Ben")


def test_without_the_package_for_pictures_there_are_none(monkeypatch):
    monkeypatch.setattr(share_images, "AVAILABLE", False)
    match = SimpleNamespace(over=True)

    async def require(*_):
        return match

    monkeypatch.setattr(link_previews, "require_finished_match", require)
    with pytest.raises(CommandRefusedError, match="error-unknown-page"):
        asyncio.run(link_previews.share_image(None, None, "en", "", "10.0.0.1"))
