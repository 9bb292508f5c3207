"""Replays: every view as it was shown, nothing else, and errors for invalid records."""

import asyncio
import json
import os
import random
import re
import socket
import struct
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
from courtly.server.services import share_images
from courtly.server.services.replay_cache import ReplayCache
from courtly.server.settings import WEB, Settings
from courtly.session.view_history import ViewHistory, replay_decisions

GAMES = Path(__file__).parent.parent / "games"
GOLDEN = sorted(GAMES.glob("*/golden/*.jsonl"))


def views(told):
    """Return the views of an answer, assembled as the browser does."""
    view, found = {}, []
    for moment in told["moments"]:
        changed = moment["changed"]
        view = {**view, **changed, **{k: {**view.get(k, {}), **changed[k]} for k in ("state", "facts") if k in changed}}
        view = {**view, "facts": {k: v for k, v in view.get("facts", {}).items() if k not in moment.get("gone", ())}}
        found.append({**view, "ply": moment["ply"]})
    return found


def seen(match, eyes, numbered=False):
    past = ViewHistory(eyes)
    for step in replay_decisions(match):
        past.look(step)
    return json.loads(json.dumps(past.answer(numbered)))


def bare(view):
    """Return a view as it was shown, without the actions available then."""
    shown = json.loads(json.dumps(view))
    return {"facts": {}, **{k: v for k, v in shown.items() if k not in ("legal", "undo", "cues", "ply")}}


def test_there_are_records_to_play_back():
    assert len(GOLDEN) > 40 and {path.parts[-3] for path in GOLDEN} <= set(game_ids())


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=f"{path.parts[-3]}-{path.stem}", marks=pytest.mark.long if n % 3 else ())
        for n, path in enumerate(GOLDEN)  # test_record replays all of them
    ],
)
def test_a_record_played_back_ends_as_it_ended(path):
    """For every viewpoint: the last view, and all its cues."""
    match = transcript.check(path.read_text(encoding="utf-8"))
    for eyes in (None, *range(match.players)):
        told = seen(match, eyes)
        last = {"facts": {}, **match.view(eyes, 0), "ply": None}
        assert {**views(told)[-1], "cues": told["cues"]} == json.loads(json.dumps(last))
    told = seen(match, "all", numbered=True)
    found, last = views(told), json.loads(json.dumps(match.view(None)))
    assert {k: v for k, v in found[-1].items() if k not in ("state", "facts", "seq", "ply")} == {
        k: v for k, v in last.items() if k not in ("state", "facts", "seq")
    }
    assert {k: v for k, v in last["state"].items() if match.state.fields[k].visible == "public"} == {
        k: v for k, v in found[-1]["state"].items() if match.state.fields[k].visible == "public"
    }
    assert all(None not in v for v in found[-1]["state"].values() if isinstance(v, list))
    assert [view["ply"] for view in found] == sorted({view["ply"] for view in found})
    assert found[-1]["ply"] == len(match.entries) == len(told["cues"])
    assert all(cue["args"] is not None for cue in told["cues"])
    own = [cue for cue in told["cues"] if "to" in cue]
    assert bool(own) == (match.game.id == "puppet" or match.game.id == "cardinal") or match.game.id == "necklace"
    for cue in own:
        seen_by = [seat for seat in range(match.players) if cue["args"] in [c["args"] for c in match.cues(seat)]]
        assert cue["seat"] == -1 and cue["to"] in seen_by


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("seed", range(3))
def test_a_seat_is_played_back_what_it_was_shown(game, seed):
    """During a game: the views that were sent, except those undone since, and nothing else in them. Audiences that
    received the same get the same replay.
    """
    r = random.Random(seed)
    rules = find_game(game)
    match = Match(rules, rules.players[seed % len(rules.players)], None, SeededChance(seed))
    audiences = (None, *range(match.players))
    sent = {audience: [bare(match.view(audience))] for audience in audiences}
    for _ in range(150):
        if match.over:
            break
        back = [seat for seat in range(match.players) if match.can_undo(seat)]
        if back and r.random() < 0.3:
            entries = match.undo(r.choice(back))
        else:
            seat = r.choice(match.pending)
            entries = match.play(seat, r.choice(match.legal(seat)))
        for audience in match.noticed(entries):
            sent[audience].append(bare(match.view(audience)))
    assert any(entry.undo for entry in match.entries) or not seed
    for audience in audiences:
        told = seen(match, audience)
        found = [bare(view) for view in views(told)]
        assert told["cues"] == json.loads(json.dumps(match.cues(audience)))
        assert all(moment["ply"] is None for moment in told["moments"])
        assert found[-1] == bare(match.view(audience))
        # in order, each one sent before
        left = iter(sent[audience])
        assert all(any(view == shown for shown in left) for view in found)
        assert len(found) > len(sent[audience]) / 4


def test_what_was_taken_back_is_left_out():
    match = Match(find_game("sealed_bids"), 2, SECRET_BIDS, SeededChance(1))
    first = match.view(0)
    match.play(0, match.legal(0)[0])
    match.undo(0)
    told = seen(match, 0)
    assert len(told["moments"]) == 1 and [cue["verb"] for cue in told["cues"]][-1] == "undo"
    assert views(told)[0]["state"] == json.loads(json.dumps(first["state"]))
    match.play(0, match.legal(0)[-1])
    assert len(seen(match, 0)["moments"]) == 2
    assert len(seen(match, 1)["moments"]) == 1  # this seat saw nothing of it


def finished(guest, *kinds, **about):
    table = guest.open(*(kinds or ("me", "random")), **about)
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
    before = ada.get(f"{path}?seat=0").body
    view = ben.view(pair, 1)
    ben.play(pair, 1, view["seq"], view["legal"][0]["id"])  # in secret
    assert ada.get(f"{path}?seat=0").body == before


def test_a_finished_table_and_its_record_have_the_same_replay(ada, cleo):
    table = finished(ada)
    record = cleo.get(f"/api/tables/{table}/record").body
    for eyes in ("0", "1", "", "all"):
        told = cleo.get(f"/api/tables/{table}/replay?seat={eyes}").json
        brought = cleo.request("POST", f"/api/replay?seat={eyes}", raw=record).json
        about = brought.pop("table")
        assert told == brought
        assert views(told)[-1]["over"]
    assert about["seats"][0]["name"] == "Ada" and about["status"] == "over"
    packed = cleo.get(f"/api/tables/{table}/replay?seat=all", headers={"accept-encoding": "gzip"}.items())
    assert packed.headers["content-encoding"] == "gzip"
    assert cleo.get(f"/api/tables/{table}/replay?seat=5").error == "error-unknown-seat"
    assert cleo.request("POST", "/api/replay?seat=5", raw=record).error == "error-unknown-seat"


def wrong(lines, n, line):
    return "\n".join([*lines[:n], line, *lines[n + 1 :]]).encode()


def test_an_invalid_record_is_reported_with_its_first_wrong_line(server):
    lines = (GAMES / "cardinal" / "golden" / "three-players.jsonl").read_text(encoding="utf-8").splitlines()
    ada = server.guest("Ada")
    head = json.loads(lines[0])

    def bring(raw):
        return ada.request("POST", "/api/replay", raw=raw)

    def told(raw):
        answer = bring(raw)
        assert answer.error == "error-record", answer.json
        return answer.json["error"]["args"]["line"]

    moved = next(n for n, line in enumerate(lines) if '"moves"' in line)
    assert bring("\n".join(lines).encode()).status == 200
    for way in VARIANTS:
        raw, line = apply_variant("".join(f"{line}\n" for line in lines).encode(), way)
        answer = server.guest().request("POST", "/api/replay", raw=raw)
        assert answer.status == (400 if line else 200), way
        assert not line or answer.json["error"]["args"]["line"] == line, way
    assert told(b"") == 1
    assert told(b"\xff\xfe") == 1
    assert told(b"[" * 100_000) == 1
    assert told(wrong(lines, 5, "{")) == 6
    assert told(wrong(lines, 5, "[1]")) == 6
    assert told(wrong(lines, 5, "{}")) == 6
    assert told(wrong(lines, moved, json.dumps({**json.loads(lines[moved]), "moves": ["fly"]}))) == moved + 1
    assert told(wrong(lines, moved, json.dumps({**json.loads(lines[moved]), "seat": 4}))) == moved + 1
    assert told(wrong(lines, moved, json.dumps({**json.loads(lines[moved]), "seat": "0"}))) == moved + 1
    assert told(wrong(lines, len(lines) - 1, '{"over": true, "scores": [1, 2, 3]}')) == len(lines)
    assert told("\n".join(lines[:-1]).encode()) == len(lines) - 1
    for players in (9, -1, None, "3", [], True):
        assert told(wrong(lines, 0, json.dumps({**head, "players": players}))) == 1
    assert told(wrong(lines, 0, json.dumps({**head, "chance": 5}))) == 1
    assert told(wrong(lines, 0, json.dumps({**head, "options": 5}))) == 1
    assert told(wrong(lines, 0, json.dumps({**head, "courtly": 99}))) == 1
    for bad in ("\u202eevil", "\u3164\u2800"):
        names = {**head, "seats": [bad, 7, "x" * 1000]}
        assert [s["name"] for s in bring(wrong(lines, 0, json.dumps(names))).json["table"]["seats"]] == ["", "", ""]
    other = bring(wrong(lines, 0, json.dumps({**head, "version": 999})))
    assert other.json["error"] == {
        "id": "error-record-version",
        "args": {"game": "cardinal", "played": "999", "installed": head["version"]},
    }
    assert bring(wrong(lines, 0, json.dumps({**head, "game": "whist"}))).error == "error-record-game"
    half = "\ud800"  # half of a surrogate pair
    assert bring(wrong(lines, 0, json.dumps({**head, "game": half}))).error == "error-record-game"
    assert bring(wrong(lines, 0, json.dumps({**head, "version": half}))).error == "error-record-version"
    for place in ("players", "options", "chance", "seats"):
        assert bring(wrong(lines, 0, json.dumps({**head, place: {half: half}}))).status in (200, 400)
    assert bring(b"x" * (1 << 20) + b"x").error == "error-too-large"


def test_replays_are_limited_per_guest(tmp_path):
    with Server(tmp_path / "data", COURTLY_COMMANDS_PER_SECOND="10") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "random")
        answers = [ada.get(f"/api/tables/{table}/replay?seat=0") for _ in range(130)]
        assert answers[0].status == 200
        assert "error-too-fast" in {answer.error for answer in answers}


def shared(guest, path, language="en"):
    page = guest.get(path, headers={"accept": "text/html", "accept-language": language}.items()).body.decode()
    assert "{{" not in page.partition("</head>")[0]
    return dict(re.findall(r'<meta property="(og:[a-z_]+)" content="([^"]*)">', page))


def test_a_shared_link_shows_the_game_and_the_moment(server, ada, cleo):
    assert ada.request("PUT", "/api/me", {"name": 'A"<b>'}).status == 200
    waiting = ada.open("me", "open")
    assert shared(cleo, f"/t/{waiting}")["og:description"] == "Waiting for players"
    table = finished(ada, "me", "random", game="necklace", options=None)
    told = shared(cleo, f"/t/{table}")
    assert told["og:title"].startswith("Queen’s Necklace") and "A&quot;&lt;b&gt; " in told["og:description"]
    door = shared(cleo, f"/t/{waiting}")["og:image"].removeprefix(server.url)
    assert cleo.get(door).headers["content-type"] == "image/png" and "/sealed_bids/" not in door
    plies = cleo.get(f"/api/tables/{table}/replay?seat=all").json["moments"]
    said = {shared(cleo, f"/t/{table}?ply={moment['ply']}")["og:description"] for moment in plies[:12]}
    assert len(said) > 4 and any("buys" in text for text in said)
    assert shared(cleo, f"/t/{table}?ply=5", "ja,en;q=0.5")["og:title"].startswith("クイーンズ")
    for odd in ("-1", "x", "9" * 40, "%D9%A3"):
        assert shared(cleo, f"/t/{table}?ply={odd}")["og:description"]
    for path in ("/", "/replay", "/rules/petition", "/t/none", "/nowhere"):
        assert shared(cleo, path)["og:title"] == "Courtly"


def test_a_shared_moment_has_a_picture(server, ada, cleo):
    table = finished(ada, "me", "random", game="necklace", options=None)

    def drawn(path):
        answer = cleo.get(path.removeprefix(server.url).replace("&amp;", "&"))
        assert answer.status == 200 and answer.headers["content-type"] == "image/png"
        assert struct.unpack(">II", answer.body[16:24]) == (1200, 630)
        return answer.body

    moments = [shared(cleo, f"/t/{table}?ply={ply}")["og:image"] for ply in (0, 20, 40)]
    english = [drawn(moment) for moment in moments]
    assert len(set(english)) == 3 and drawn(moments[0]) == english[0]
    assert drawn(shared(cleo, f"/t/{table}?ply=20", "ja")["og:image"]) != english[1]
    end = shared(cleo, f"/t/{table}")["og:image"]
    assert shared(cleo, f"/t/{table}?ply=99999")["og:image"] == end and drawn(end) not in english
    picture = f"/t/{table}/moment.png"
    for odd in ("?ply=-1", "?ply=x&language=../ja", f"?ply={'9' * 40}", ""):
        assert drawn(picture + odd) == drawn(end)
    assert cleo.get("/t/none/moment.png").status == 404
    playing = ada.open("me", "random")
    assert cleo.get(f"/t/{playing}/moment.png").error == "error-not-over"
    named = drawn(moments[0])
    assert ada.request("DELETE", "/api/me").status == 200
    assert drawn(moments[0]) != named  # a deleted guest is in no cached picture


def test_pictures_are_limited_per_guest(tmp_path):
    drawn = share_images.ShareImages(Settings(tmp_path, commands_per_second=10), AssetBundle(WEB))
    moment = share_image.GameMoment("petition", "", "", [share_image.PlayerLine("", "vert", "", False)], 0)

    async def all_of_it():
        key = "table", 0, "en", ()
        made = await drawn.draw(key, moment)
        assert await drawn.kept(key, "here") is made  # and it is not counted
        for ply in range(1, 1000):
            assert await drawn.kept(("table", ply, "en", ()), "here") is None

    with pytest.raises(CommandRefusedError, match="error-too-fast"):
        asyncio.run(all_of_it())


@pytest.mark.parametrize("words", ["W" * 400, "あ、" * 200, "a b " * 200, "שלום😀\u202e" * 40, ""])
def test_no_text_exceeds_a_picture(words):
    from PIL import Image

    players = [share_image.PlayerLine(words[:24], "gules", "10000" * 3, True)] * 5
    statics = AssetBundle(WEB)
    drawn = Image.open(BytesIO(share_image.render_png(statics, share_image.GameMoment("", words, words, players, 1))))
    ground = drawn.getpixel((0, 0))
    margins = (
        drawn.crop((share_image.RIGHT + 4, 0, *drawn.size)),
        drawn.crop((0, 606, 1200, 630)).crop((560, 0, 1200, 24)),
    )
    assert all(margin.getcolors() == [(margin.width * margin.height, ground)] for margin in margins)


def test_the_standing_is_described_in_the_games_words():
    words = GameTexts(find_game("petition"), "en")
    assert [link_previews.points_text(words, points) for points in (None, 0, 56)] == ["", "–", "5 × 6"]
    assert link_previews.points_text(GameTexts(find_game("necklace"), "en"), 31) == "31"


def test_a_replay_page_preloads_its_files(ada):
    table = finished(ada)
    accept = {"accept": "text/html"}.items()
    for path, module in ((f"/t/{table}?ply=3", "pages/finished-table.js"), ("/replay", "pages/record.js")):
        assert f"web/{module}" in ada.get(path, headers=accept).body.decode().partition("</head>")[0]
    assert "pages/finished-table.js" not in ada.get(f"/t/{table}", headers=accept).body.decode()


SLOW = """
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
    (tmp_path / "slow_replayer.py").write_text(SLOW, encoding="utf-8")
    record = (GAMES / "cardinal" / "golden" / "three-players.jsonl").read_bytes()
    first = "import courtly.server.services.replay_cache as replays; "
    first += "replays.REPLAY_WORKER, replays.RECORD_LIMIT_S = 'slow_replayer', 1e6"
    path = f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}"
    with Server(tmp_path / "data", first=first, PYTHONPATH=path) as server:
        lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        for line in lines:
            head = f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 4\r\n\r\n"
            line.sendall(f"{head}slow".encode())
        with ThreadPoolExecutor() as beside:
            answer = beside.submit(server.guest("Ada").ask, "POST", "/api/replay", raw=record)
            assert not wait([answer], 1).done
            for line in lines:
                line.close()
            assert answer.result(PATIENCE).status == 200


HANGS = """
import asyncio
from courtly.server.http.routes import records
record_text, asked = records.record_text, []
async def hang(match, **about):
    asked.append(match)
    if len(asked) < 4:
        await asyncio.Event().wait()
    return await record_text(match, **about)
records.record_text = hang
"""


def test_a_replay_for_a_disconnected_client_does_not_delay_others(tmp_path):
    with Server(tmp_path, first=HANGS) as server:
        ada = server.guest("Ada")
        table = finished(ada)
        lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        for line in lines:
            line.sendall(f"GET /api/tables/{table}/record HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        with ThreadPoolExecutor() as beside:
            answer = beside.submit(ada.get, f"/api/tables/{table}/replay?seat=all")
            assert not wait([answer], 1).done
            for line in lines:
                line.close()
            assert answer.result(PATIENCE).status == 200


def test_replays_of_tables_alternate_between_guests():
    async def main():
        replays, turns = ReplayCache(Settings(Path())), []

        async def ask(guest):
            async with replays.turn(guest, "10.0.0.1"):
                turns.append(guest)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(ask(guest)) for guest in ["eve"] * 6 + ["ada"]]
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert [one and one.id for one in ended] == [None] * 5 + ["error-too-fast", None]
        assert turns == ["eve", "ada", "eve", "eve", "eve", "eve"]

    asyncio.run(main())


def test_the_queue_per_guest_is_limited():
    async def main():
        replays = ReplayCache(Settings(Path()))
        replays._worker = SimpleNamespace(ask=lambda question, limit: asyncio.Event().wait())
        tasks = [asyncio.create_task(replays.of_record("", "eve", "10.0.0.1", "all")) for _ in range(4)]
        await asyncio.sleep(0.01)
        assert [task.done() for task in tasks] == [False, False, False, True]
        with pytest.raises(CommandRefusedError, match="error-too-fast"):
            tasks[3].result()
        other = asyncio.create_task(replays.of_record("", "ada", "10.0.0.1", "all"))
        await asyncio.sleep(0.01)
        assert not other.done()
        for task in (*tasks, other):
            task.cancel()
        await asyncio.gather(*tasks, other, return_exceptions=True)

    asyncio.run(main())
