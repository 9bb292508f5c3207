"""A match in JavaScript: node plays any game as WebAssembly, and shows every audience what Python shows."""

import json
import random
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from node_program import copy_modules, find_node, needs_node
from record_variants import VARIANTS, apply_variant

from courtly.engine import transcript
from courtly.engine.game import Game, _load_games, find_game, game_ids
from courtly.engine.match import MAX_VIEW_CUES, UNDO_LIMIT_MOVES, Match
from courtly.engine.native.webassembly.module_compiler import compile_webassembly
from courtly.engine.position import CommandRefusedError
from courtly.engine.rng import CommittedChance, SeededChance, SimulatedChance, SuccessiveChance
from courtly.session.view_history import ViewHistory, replay_decisions

ROOT = Path(__file__).parents[3]
HARNESS = ROOT / "tests" / "match_harness.mjs"
RECORDS_FOLDER = ROOT / "tests" / "games"
TEST_GAME = "sealed_bids"
MATCHES_PER_GAME = 6


@cache
def compile_game(name):
    return compile_webassembly(find_game(name))


def run_in_node(folder, name, jobs, plants=(), **described):
    """Return the results of the harness. `plants`: changes of the modules, as (file, text, other text); `described`:
    changes of the description."""
    folder.mkdir(exist_ok=True)
    copy_modules(folder / "web")
    for file, text, other in plants:
        source = (folder / "web" / file).read_text("utf-8")
        assert source.count(text) == 1, text
        (folder / "web" / file).write_text(source.replace(text, other), "utf-8")
    module = compile_game(name)
    (folder / "game.wasm").write_bytes(module.code)
    (folder / "game.json").write_text(json.dumps({**module.description, **described}))
    process = subprocess.run(
        [find_node(), HARNESS, folder / "web", folder / "game.wasm", folder / "game.json"],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def write_json(value):
    """Return a value as JavaScript writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- random matches ---------------------------------------------------------------------------------------------------


def choose_chance(choice, players):
    """Return a source of chance, and how the harness makes the same."""
    seed = choice.getrandbits(choice.choice([8, 63]))
    kind = choice.choice(["seeded", "simulated", "committed"])
    if kind == "seeded":
        return SeededChance(seed), [kind, str(seed)]
    if kind == "simulated":
        number, moves = choice.getrandbits(40), choice.random() < 0.5
        return SimulatedChance(seed, number, moves), [kind, str(seed), str(number), moves]
    secret, nonces = choice.randbytes(32), [choice.choice(["", choice.randbytes(32).hex()]) for _ in range(players)]
    counted = choice.choice(["events", "entries"])
    return CommittedChance(secret, "table é", nonces, counted), [kind, secret.hex(), "table é", nonces, counted]


def make_histories(players):
    """Return an empty history of each viewpoint."""
    return [ViewHistory(viewpoint) for viewpoint in [*range(players), None, "all"]]


class Player:
    """Plays a random match in Python, and notes each command with its result."""

    def __init__(self, name, seed):
        self.game, self.choice = find_game(name), random.Random(seed)
        players = self.choice.choice(self.game.players)
        options = {option: self.choice.choice(values) for option, values in self.game.options.items()}
        source, described = choose_chance(self.choice, players)
        self.match = Match(self.game, players, options, source, at=5)
        self.audiences = [*range(players), None]
        self.job = {"job": "match", "players": players, "options": options, "chance": described, "at": 5}
        self.commands, self.expected = [], []

    def note(self, compute, *command):
        try:
            result = compute()
        except CommandRefusedError as refused:
            result = {"refused": refused.id, "args": refused.args_}
        self.commands.append(command)
        self.expected.append(write_json(result))

    def play(self, seat, moves, seq=None, at=None):
        def compute():
            return [entry._asdict() for entry in self.match.play(seat, moves, at, seq)]

        self.note(compute, "play", seat, moves, seq, at)

    def undo(self, seat, seq=None, at=None):
        self.note(lambda: [entry._asdict() for entry in self.match.undo(seat, at, seq)], "undo", seat, seq, at)

    def preview(self, seat, moves, seq=None):
        self.note(lambda: self.match.preview(seat, moves, seq), "preview", seat, moves, seq)

    def view_all(self):
        for seat in self.audiences:
            seq = self.match.seq(seat)
            [since] = self.choice.choices([None, max(0, seq - 3), seq + 1, 0], [10, 10, 5, 1])
            self.note(lambda seat=seat, since=since: self.match.view(seat, since), "view", seat, since)

    def choose_moves(self, seat):
        """Return one move or several, as numbers or words, most of which are legal."""
        choice, position, moves = self.choice, self.match.now(), []
        for _ in range(choice.choice([1, 1, 1, 2, 4])):
            legal = position.legal_ids(seat)
            moves.append(choice.choice(legal) if legal else choice.randrange(self.game.moves.count))
            if legal:
                position.apply(seat, moves[-1])
        return [choice.choice([move, move, self.game.moves.words(move)]) for move in moves]

    def ask_for_what_is_refused(self):
        choice, match = self.choice, self.match
        seat = choice.choice(self.audiences[:-1])
        move = choice.randrange(self.game.moves.count)
        verb = choice.choice([*self.game.moves.first])
        for moves in ([move], [], [self.game.moves.total], [-1], [f"{verb} x=1"], ["é" * 50], [verb, move]):
            if choice.random() < 0.3:
                self.preview(seat, moves)
        self.preview(len(self.audiences) + 2, [move])
        self.preview(seat, [move], match.seq(seat) + choice.choice([-1, 1]))
        self.undo(seat, match.seq(seat) + 1)

    def play_on(self, most):
        """Play until the end of the game, or until the journal has so many entries."""
        choice, match = self.choice, self.match
        self.view_all()
        while not match.over and len(match.entries) < most:
            if choice.random() < 0.1:
                self.ask_for_what_is_refused()
            seat = choice.choice(match.pending)
            moves = self.choose_moves(seat)
            if choice.random() < 0.4:
                self.preview(seat, moves)
            self.play(seat, moves, choice.choice([None, match.seq(seat)]), len(match.entries))
            self.view_all()
            for other in self.audiences[:-1]:
                if choice.random() < 0.15:
                    self.undo(other, None, choice.choice([None, 7]))
                    self.view_all()
        self.ask_for_what_is_refused()
        head = {"seats": ['Ann é \u2028 \\ "', "\x00\x7f"]}
        self.note(lambda: transcript.write_record(match, **head), "record", head)
        self.note(lambda: transcript.write_record(match), "replay")
        for with_plies in (True, False):
            self.note(lambda with_plies=with_plies: self.list_histories(with_plies), "histories", with_plies)
        return self

    def list_histories(self, with_plies):
        """Return the history of each viewpoint."""
        histories = make_histories(self.match.players)
        for match in replay_decisions(self.match):
            for history in histories:
                history.record_moment(match)
        return [history.replay(with_plies) for history in histories]

    @property
    def full_job(self):
        return {**self.job, "commands": self.commands}


def find_differences(folder, players, plants=()):
    """Return the first command of each match whose result differs, with the expected and the other result."""
    results = run_in_node(folder, players[0].game.id, [player.full_job for player in players], plants)
    differences = []
    for player, found in zip(players, results, strict=True):
        commands = zip(player.commands, player.expected, found, strict=True)
        differences += [command for command in commands if command[1] != command[2]][:1]
    return differences


@cache
def play_test_matches():
    return [Player(TEST_GAME, seed).play_on(60) for seed in range(12)]


@needs_node
def test_random_matches_of_the_test_game(tmp_path):
    assert find_differences(tmp_path, play_test_matches()) == []


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_random_matches_of_every_game(tmp_path, name):
    """With random options, sources of chance, refused commands, previews and undos; every audience looks after each."""
    players = [Player(name, seed).play_on(500) for seed in range(4)]
    assert find_differences(tmp_path, players) == []


@needs_node
def test_a_game_without_reasons_of_refusals(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    package = shutil.copytree(ROOT / "tests" / TEST_GAME, tmp_path / "unexplained")
    card, rules = package / "game.toml", package / "rules.py"
    card.write_text(card.read_text("utf-8").replace(f'"{TEST_GAME}"', '"unexplained"'))
    rules.write_text(re.sub(r"def refusal.*?(?=def scores)", "", rules.read_text("utf-8"), flags=re.S))
    monkeypatch.setitem(_load_games(), "unexplained", Game("unexplained"))
    player = Player("unexplained", 1).play_on(60)
    illegal = [result for result in player.expected if '"refused":"error-illegal"' in result]
    assert illegal and not any("reason" in result for result in illegal)
    assert find_differences(tmp_path / "node", [player]) == []


PLANTS = {
    "other seats' private rows are shown": ("engine/record-fields.js", 'row === seat || seat === "all" ?', "true ?"),
    "what was taken back stays in the history": (
        "engine/view-history.js",
        "while ((this.moments.at(-1)?.seq ?? 0) > removed[0].n) this.moments.pop();",
        "",
    ),
    "moments without cues are recorded": (
        "engine/view-history.js",
        "if (this.moments.length && !newCues.length) return;",
        "",
    ),
    "the open history hides the receiver": ("engine/view-history.js", "...(isForOne && { to: informed[0] })", ""),
    "arguments are seen": ("engine/match.js", "audience === seat || bits < 0", "true"),
    "silent moves make a cue": ("engine/match.js", "!(doneMove.audience & this.game.description.silent)", "true"),
    "batches are not kept together": (
        "engine/undo.js",
        "doneMoves[first - 1].batch === doneMoves[end - 1].batch",
        "false",
    ),
    "revealing moves are taken back": ("engine/undo.js", "if (doneMoves[first].reveals) return [0, 0];", ""),
    "silent moves after it are not examined": (
        "engine/undo.js",
        "return replayMoves(without.position, removed)?.position.equals(position) ? undo : null;",
        "return null;",
    ),
    "an undo discloses silent moves": (
        "engine/undo.js",
        "if (changesSilentMoves(before, after, seat)) return null;",
        "",
    ),
    "revealing moves are followed": ("engine/position.js", "if (isRevealed || position.isChance)", "if (isRevealed)"),
    "revealing moves are previewed": (
        "engine/match.js",
        "if (isRevealed || after.position.isChance)",
        "if (isRevealed)",
    ),
    "changes are counted backwards": ("engine/logged.js", "n: number - then[i]", "n: then[i] - number"),
    "changes are named to all": (
        "engine/match.js",
        "stream.push({ n, seat, ...hidden })",
        "stream.push({ n, seat, ...hidden, ...changes })",
    ),
    "all verbs' changes are named": ("engine/logged.js", "verbs.length && !verbs.includes(verb)", "false"),
    "the reason is missing": ("engine/position.js", "...(reason >= 0 &&", "...(reason >= 1 &&"),
    "draws are counted by entries": ("engine/chance.js", 'this.counted === "events" ? event : ply', "ply"),
    "a seed's upper half": ("engine/chance.js", "philox(high, low, 2n)", "philox(0n, low, 2n)"),
    "a stream's number": ("engine/philox.js", "philox(high, low, 1n) + stream", "philox(high, low, 1n)"),
}


@needs_node
@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS.keys())
def test_a_planted_difference_is_found(tmp_path, plant):
    assert find_differences(tmp_path, play_test_matches(), [plant]) != []


@needs_node
def test_limits_of_a_match(tmp_path):
    """A seat takes back a limited number of moves; a view has a limited number of cues."""
    player = Player(TEST_GAME, 0)
    match = player.match
    while not any(player.game.moves.decode(move).verb == "choose" for move in match.legal(match.pending[0])):
        player.play(match.pending[0], [match.legal(match.pending[0])[0].id])
    seat = match.pending[0]
    for _ in range(UNDO_LIMIT_MOVES + 1):
        player.play(seat, [match.legal(seat)[0].id])
        player.undo(seat)
    assert player.expected[-1] == write_json({"refused": "error-no-undo", "args": {}})
    player.note(lambda: match.view(seat, 0), "view", seat, 0)
    assert len(json.loads(player.expected[-1])["cues"]) == MAX_VIEW_CUES < match.seq(seat)
    assert find_differences(tmp_path, [player]) == []


@needs_node
def test_setups_that_the_game_does_not_have(tmp_path):
    setups = [
        {"players": 9},
        {"players": "2"},
        {"options": {"looks": 7}},
        {"options": {"looks": "1"}},
        {"options": {"x": 1}},
        {"options": {"looks": None}},
        {"options": {"constructor": 1}},
    ]
    jobs = [{"job": "match", "chance": ["seeded", "1"], "commands": [], **setup} for setup in [*setups, {}]]
    assert run_in_node(tmp_path, TEST_GAME, jobs) == [*["not a setup of the game"] * len(setups), []]


@needs_node
def test_a_game_that_exceeds_its_bounds_and_an_older_description(tmp_path):
    job, bounds = play_test_matches()[0].full_job, find_game(TEST_GAME).bounds
    with pytest.raises(AssertionError, match="more than 2 decisions, the bound in game.toml"):
        run_in_node(tmp_path / "bounds", TEST_GAME, [job], bounds={**bounds, "decisions": 2})
    with pytest.raises(AssertionError, match="expected a description of format"):
        run_in_node(tmp_path / "format", TEST_GAME, [job], format=1)


# --- records ----------------------------------------------------------------------------------------------------------


def read_in_python(game, text):
    """Return what the harness prints for a record. The reasons of errors may differ."""
    histories, decisions = [], 0
    try:
        names = transcript.read_head(text).get("seats")
        for match in transcript.iter_checked(text):
            histories = histories or make_histories(match.players)
            decisions += 1
            for history in histories:
                history.record_moment(match)
    except transcript.InvalidRecordError as error:
        return {"line": error.line}
    extra_keys = {} if names is None else {"seats": names}
    return {
        "decisions": decisions,
        "views": [write_json(match.view(seat, 0)) for seat in [*range(match.players), None]],
        "histories": write_json([history.replay(True) for history in histories]),
        "record": transcript.write_record(match, **extra_keys),
    }


def compare_records(folder, name, texts):
    """Compare how node and Python read these records, and return how many are valid."""
    found = run_in_node(folder, name, [{"job": "record", "text": text} for text in texts])
    for result in found:
        result.pop("reason", None)
    game = find_game(name)
    for text, result in zip(texts, found, strict=True):
        assert result == read_in_python(game, text), text
    return sum("views" in result for result in found)


@needs_node
@pytest.mark.parametrize(
    "name", sorted(folder.name for folder in RECORDS_FOLDER.iterdir() if [*folder.rglob("*.jsonl")])
)
def test_every_stored_record_is_read(tmp_path, name):
    texts = [file.read_text("utf-8") for file in sorted((RECORDS_FOLDER / name).rglob("*.jsonl"))]
    assert compare_records(tmp_path, name, texts) == len(texts)


def write_test_records():
    """Return the records of the random matches, with names of the seats."""
    return [transcript.write_record(player.match, seats=["Ann"]) for player in play_test_matches()]


@needs_node
def test_records_in_many_forms(tmp_path):
    texts = [*write_test_records(), "", "\n", "[]"]
    raw = texts[0].encode()
    texts += [apply_variant(raw, variant)[0].decode(errors="replace") for variant in VARIANTS]
    assert compare_records(tmp_path, TEST_GAME, texts) == len(play_test_matches()) + sum(
        line == 0 for _, line in VARIANTS.values()
    )


def change_line(choice, line):
    """Return a line of a record with one value changed."""
    line = json.loads(line)
    key = choice.choice([*line])
    others = {
        "courtly": [0, "1"],
        "game": ["petition", None],
        "version": [0, "1", "constructor", None],
        "players": [9, "2", None],
        "options": [{"looks": 7}, {"looks": None}, [1], {"x": 1}, {"constructor": 1}],
        "chance": [{"seed": -1}, {"seed": 1 << 63}, {"seed": 5}, None, {"game": 1, "seed": 2, "moves": 0}],
        "seats": [["whole number 9007199254740993"]],
        "ply": [0, 10**6, "1", None],
        "seat": [0, 1, 9, -1, "0", None],
        "moves": [["ready"], ["choose one"], ["choose card=one", "ready"], [], ["x"], "ready", [1], None],
        "event": ["deal one", "deal card=six", "prize 2", "seen card=two", "ready", "x", 5, None],
        "undo": [0, 1, 2, "1", None],
        "of": [{}, {"deal one": 1}, None],
        "over": [True, False, None],
        "scores": [[1, 2], None, "x"],
    }
    line[key] = choice.choice(others.get(key, [None]))
    return json.dumps(line)


@needs_node
def test_damaged_records(tmp_path):
    """Node finds the first wrong line where Python does."""
    choice, texts = random.Random(1), []
    records = write_test_records()
    for _ in range(200):
        lines = choice.choice(records).splitlines()
        at = choice.choice([0, len(lines) - 1, *[choice.randrange(len(lines))] * 4])
        lines[at : at + 1] = choice.choice([[], [lines[at]] * 2, *[[change_line(choice, lines[at])]] * 6])
        texts.append("\n".join(lines))
    assert 0 < compare_records(tmp_path, TEST_GAME, texts) < len(texts) / 2


SOURCES = [
    [{"seed": 5}, {"from": 9, "seed": 6}],
    [{"seed": 5}, {"from": 9.0, "seed": (1 << 63) - 1}, {"from": 12, "game": 1, "seed": 2, "moves": False}],
    [{"seed": 5}],
    [{"from": 0, "seed": 5}, {"from": (1 << 53) - 1, "seed": 6}],
    [{"seed": 5}, {"from": 1 << 53, "seed": 6}],
    [{"seed": 5}, {"from": 9.5, "seed": 6}],
    [{"seed": 5}, {"from": True, "seed": 6}],
    [{"seed": 5}, {"from": "9", "seed": 6}],
    [{"seed": 5}, {"from": None, "seed": 6}],
    [{"seed": 5}, {"seed": 6}],
    [{"seed": 5}, {"from": 9, "seed": 6}, {"from": 9, "seed": 7}],
    [{"seed": 5}, {"from": 9, "sources": [{"seed": 6}]}],
    [{"seed": 5}, {"from": 9, "seed": -1}],
    [{"from": 1, "seed": 5}],
    [],
    ["seed"],
    [None],
    {"0": {"seed": 5}},
    "seed",
    None,
]


@needs_node
def test_chance_of_several_sources(tmp_path):
    """Records of games that were played on from a position of another game."""
    source = SuccessiveChance([(0, SeededChance(5)), (9, SeededChance(6))])
    match, choice = Match(find_game(TEST_GAME), 2, None, source), random.Random(3)
    while not match.over:
        seat = choice.choice(match.pending)
        match.play(seat, choice.choice(match.legal(seat)))
    first, *lines = transcript.write_record(match).splitlines()
    assert any(entry.seat < 0 and entry.ply >= 9 for entry in match.entries) and '"of"' in lines[0]
    heads = [json.loads(first) | {"chance": {"sources": sources}} for sources in SOURCES]
    texts = ["\n".join([first, *lines]), *("\n".join([json.dumps(head), *lines]) for head in heads)]
    texts += ["\n".join([json.dumps(head), '{"over": false, "scores": null}']) for head in heads]  # without an entry
    assert compare_records(tmp_path, TEST_GAME, texts) == 1 + 1 + 4


@needs_node
def test_a_seed_beyond_the_numbers_of_javascript(tmp_path):
    for seed in ((1 << 63) - 1, (1 << 53) + 1):
        match = Match(find_game(TEST_GAME), 2, None, SeededChance(seed))
        text = transcript.write_record(match, seats=["whole number 9007199254740993", '\\" 9007199254740993 '])
        assert compare_records(tmp_path / str(seed), TEST_GAME, [text]) == 1


@pytest.mark.parametrize("name", game_ids())
def test_previews_from_a_view_are_those_of_the_match(tmp_path, name):
    """Legal moves, moves that are not legal, and two moves at once, by what one seat sees."""
    game = find_game(name)
    choices = [
        {option: values[n % len(values)] for option, values in game.options.items()} for n in range(MATCHES_PER_GAME)
    ]
    jobs = [
        {
            "job": "foresight",
            "players": game.players[n % len(game.players)],
            "options": options,
            "seed": n,
            "movesPerDecision": 2,
            "maxDecisions": 60,
        }
        for n, options in enumerate(choices)
    ]
    results = run_in_node(tmp_path, name, jobs)
    assert [different for result in results for different in result["different"]] == []
    for outcome in ("equal", "refused"):
        assert sum(result[outcome] for result in results) > 5, results


def test_previews_with_wrong_cues_are_noticed(tmp_path):
    job = {"job": "foresight", "players": 2, "options": {}, "seed": 0, "movesPerDecision": 2, "maxDecisions": 60}
    plants = [("local/view-preview.js", "cue.n + view.seq", "cue.n")]
    [result] = run_in_node(tmp_path, "puppet", [job], plants)
    assert result["different"]
