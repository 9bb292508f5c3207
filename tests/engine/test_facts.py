"""Facts: what the rules derive from a view. They cannot reveal more than the view, since they have no other input."""

import json
import random
import subprocess
from types import SimpleNamespace

import pytest
from node_program import copy_modules, find_node, needs_node

from courtly.engine.constants import NOBODY
from courtly.engine.facts import (
    NOTHING,
    FactsBase,
    describe_facts,
    keyed,
    list_records,
    members,
    number,
    record,
    up_to,
    word,
)
from courtly.engine.game import Game, find_game
from courtly.engine.match import new_match
from courtly.engine.position import Position
from courtly.engine.state import seats
from courtly.testing.checks.properties import audience_of, other_world, random_positions

BIDS = find_game("sealed_bids")


def with_facts(declared, facts):
    """Return sealed bids with these facts."""
    game = Game(BIDS.package)
    game.__dict__["facts_module"] = SimpleNamespace(Facts=declared, facts=facts)
    return game


class EveryField(FactsBase):
    deck = number(len(BIDS.State.fields["deck"].axes[0]))
    hand = number(*BIDS.State.fields["hand"].axes)


def show_every_field(s, seat, out, moves):
    out.deck, out.hand = s.deck, s.hand


class Seat(FactsBase):
    seat = number()
    n = number()


def test_facts_cannot_reveal_hidden_information():
    game = with_facts(EveryField, show_every_field)
    rng, differences = random.Random(1), 0
    for position in random_positions(game, 3, rng):
        seat = rng.randrange(-1, 3)
        world = other_world(position, seat, rng.randrange(1 << 30))
        facts = [game.facts(world_position.view(audience_of(seat))) for world_position in (position, world)]
        assert facts[0] == facts[1], f"the facts reveal hidden information to seat {seat}"
        differences += any(getattr(position.state, name) != getattr(world.state, name) for name in ("hand", "deck"))
        assert set(facts[0]["deck"]) == {0}
        assert all(set(hand) == {0} for other, hand in enumerate(facts[0]["hand"]) if other != seat)
    assert differences > 10


def test_facts_may_change_the_state_they_receive():
    def facts(s, seat, out, moves):
        s.prize = 99
        s.score[0] = 99
        out.seat = seat

    game = with_facts(Seat, facts)
    position = Position(game, 2)
    view = position.view(1)
    view_and_state_before = json.dumps(view), position.state.pack()
    assert game.facts(view) == {"seat": 1, "n": None}
    assert (json.dumps(view), position.state.pack()) == view_and_state_before


def test_people_get_facts_and_bots_compute_them():
    def facts(s, seat, out, moves):
        out.seat, out.n = seat, s.players

    match = new_match(with_facts(Seat, facts), 3, seed=1)
    assert match.view(0)["facts"] == {"seat": 0, "n": 3} and match.view(None)["facts"] == {"seat": NOBODY, "n": 3}
    assert "facts" not in match.now().view(0)


def test_a_game_without_facts_sends_none():
    view = new_match(BIDS, 3, seed=1).view(0)
    assert "facts" not in view and BIDS.facts(view) is None


# --- what is declared, and what it becomes ----------------------------------------------------------------------------


class Way(FactsBase):
    picked = number(up_to(3))
    cost = number()
    tried = number(scratch=True)


class Use(FactsBase):
    name = word(of=("maid", "fool"))
    ways = record(Way, up_to(2))


class Everything(FactsBase):
    single = number()
    fixed = number(2)
    by_seat = number(seats(4))
    rows = number(2, up_to(3))
    lists = number(up_to(2), up_to(2))
    lack = number(keyed(("inn", "mill")), 2)
    set = members(2)
    uses = record(Use, up_to(3))
    end = record(Way)
    work = number(3, scratch=True)


BLANK = {
    "single": None,
    "fixed": None,
    "by_seat": [None, None, None],
    "rows": [[], []],
    "lists": [],
    "lack": {},
    "set": None,
    "uses": [],
    "end": None,
}


def fill(out):
    """Set some numbers of every kind."""
    out.single = 0
    out.fixed[1] = -3
    for seat in range(3):
        out.by_seat[seat] = seat
    out.rows[1][0] = 5
    out.lists[0][0] = 1
    out.lack[1][0] = 7
    out.set[0], out.set[1] = 0b101, 0
    out.uses[0].name = 1
    out.uses[0].ways[0].cost = 2
    out.uses[1].ways[0].picked[0] = 4
    out.end.tried = 9
    out.work[0] = 9


FILLED = {
    "single": 0,
    "fixed": [None, -3],
    "by_seat": [0, 1, 2],
    "rows": [[], [5]],
    "lists": [[1]],
    "lack": {"mill": [7, None]},
    "set": [[0, 2], []],
    "uses": [
        {"name": "fool", "ways": [{"picked": [], "cost": 2}]},
        {"name": None, "ways": [{"picked": [4], "cost": None}]},
    ],
    "end": None,
}


def test_what_facts_become():
    out = Everything()
    assert out.as_json(3) == BLANK
    assert len([*out.numbers()]) == Everything.length and {*out.numbers()} == {NOTHING}
    fill(out)
    assert out.as_json(3) == FILLED


PROGRAM = """
import { readFileSync } from "node:fs";
import { readFacts } from "./web/engine/facts.js";
const { description, records } = JSON.parse(readFileSync(0));
console.log(JSON.stringify(records.map((numbers) => readFacts(description, Int32Array.from(numbers), 3))));
"""


@needs_node
def test_javascript_reads_the_same_facts(tmp_path):
    blank, out = Everything(), Everything()
    fill(out)
    copy_modules(tmp_path / "web")
    (tmp_path / "program.mjs").write_text(PROGRAM)
    job = {"description": describe_facts(Everything), "records": [[*facts.numbers()] for facts in (blank, out)]}
    process = subprocess.run(
        [find_node(), tmp_path / "program.mjs"], input=json.dumps(job), capture_output=True, text=True, timeout=60
    )
    assert process.returncode == 0, process.stderr
    found = json.loads(process.stdout)
    assert found == [BLANK, FILLED] and [[*facts] for facts in found] == [[*BLANK], [*FILLED]]


def test_records_of_one_name():
    class Inner(FactsBase):
        other = type("Way", (FactsBase,), {"n": number()})
        first = record(Way)
        second = record(other)

    assert [*list_records(Everything)] == ["Everything", "Use", "Way"]
    with pytest.raises(ValueError, match="expected records of different names, found two named Way"):
        list_records(Inner)
