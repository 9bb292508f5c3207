"""Each reason for an illegal move is correct: the test has its own definition of each and checks it for every rejected
move.
"""

import random

import pytest
from games.newtown.invariants import fits

from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.games.newtown import bot
from courtly.games.newtown import rules as r
from courtly.games.newtown import table as t
from courtly.testing.checks.properties import RandomGame

GAME = find_game("newtown")
NUMBERS = range(3, 19)


class RejectedMove:
    """A rejected move, with the terms of the rulebook for its context."""

    def __init__(self, s, seat, move):
        self.s, self.seat = s, seat
        decoded = GAME.moves.decode(move)
        self.verb, self.args = decoded.verb, decoded.args
        self.row = [card for card in s.land_row if card >= 0]
        self.land = s.craftsman[seat]
        self.total = sum(face * n for face, n in zip(s.white[seat], s.times[seat], strict=True))
        self.king = all(n == 1 for n in s.times[seat]) and (
            len(set(s.white[seat])) == 1
            or sorted(s.white[seat]) == list(range(min(s.white[seat]), max(s.white[seat]) + 1))
        )
        self.simple = s.ruleset == t.Ruleset.SIMPLE

    def die(self):
        dice = {"gem": ["green"], "reroll": ["red"], "take": ["black"], "swap": ["green", "black"], "triple": t.Colour}
        return [t.Colour.names.index(d) for d in dice.get(self.verb, [self.args.get("die")])]

    def used(self):
        return any(self.s.used[self.seat][d] for d in self.die())

    def face(self):
        return self.s.coloured[self.seat][self.die()[0]]

    def cards(self):
        ground = {"lawn": "lawn", "plus": "paved", "swap": "brick", "mud": "mud"}[self.verb]
        return [c for c in range(16) if self.s.land_owner[c] == self.seat and t.Ground[t.GROUND[c]] == ground]

    def white(self):
        return t.WHITE.index(self.args["die"])

    def after_lawn(self):
        return self.total + self.s.white[self.seat][self.white()] * (1 if self.args["way"] == "double" else -1)

    def house(self):
        return self.land * 2 + t.WHICH.index(self.args["which"])

    def form(self):
        return t.FORMS.index(self.args["form"])

    def old(self):
        return self.s.form[self.house()]

    def roofs(self, form):
        """Return the number of roofs of each size that a form needs."""
        needed = [0] * 4
        needed[t.FOOT[form]] += 1
        needed[0] += t.PENTHOUSE[form]
        return needed

    def lacks_roof(self):
        roofs_left = list(self.s.roofs[self.seat])
        if self.verb == "extend":
            roofs_left = [a + b for a, b in zip(roofs_left, self.roofs(self.old()), strict=True)]
        return any(n > roofs_left[i] for i, n in enumerate(self.roofs(self.form())))

    def fills(self):
        """Return whether some of the blocks in hand make this house."""
        form_before = "" if self.verb == "build" else t.FORMS[self.old()].rstrip("p")
        new_form = t.FORMS[self.form()].rstrip("p")
        hand = self.s.blocks[self.seat]
        wall_ways = fits(form_before, new_form) if form_before != new_form else {0}
        penthouse_ways = fits("", "2x2x1") if t.PENTHOUSE[self.form()] else {0}
        return any(all((a + b >> 5 * i & 31) <= hand[i] for i in range(6)) for a in wall_ways for b in penthouse_ways)

    def grows(self):
        old_form, new_form = t.FORMS[self.old()], t.FORMS[self.form()]
        if old_form == new_form.rstrip("p"):
            return old_form != new_form
        return all(int(old_form[i]) <= int(new_form[i]) for i in (0, 2, 4)) and not old_form.endswith("p")

    def resident(self):
        return t.RESIDENTS.index(self.args["resident"])

    def home(self):
        return t.HOUSES.index(self.args["house"])

    def beds(self):
        return t.FORM_BASE[self.s.tables][self.s.form[self.home()]] - sum(
            t.PERSONS[c] for c in range(16) if self.s.home[c] == self.home()
        )

    def size(self):
        return self.args["size"]

    def stock(self, *sizes):
        return all(not self.s.finite_supply or self.s.supply[n - 1] for n in sizes)

    def pieces(self):
        """Return the two blocks of a split or a join."""
        return self.args["part"], self.size() - self.args["part"]

    def no_block(self):
        hand = self.s.blocks[self.seat]
        if self.verb == "block":
            return not self.stock(self.face())
        if self.verb == "mud":
            return not self.stock(1) if self.args["way"] == "gain" else not hand[0]
        if self.verb == "buy":
            return not self.stock(self.size())
        part, rest = self.pieces()
        if self.verb == "split":
            return not hand[self.size() - 1] or not self.stock(part, rest)
        return hand[part - 1] < 1 + (part == rest) or hand[rest - 1] < 1 or not self.stock(self.size())

    def price(self):
        if self.verb == "buy":
            return self.size()
        return t.FOOT[self.form()] + 1 if "form" in self.args else 1

    def pips(self):
        return self.s.pips[t.Colour.RED if self.verb in ("buy", "again") else t.Colour.BLACK]

    def on_total(self):
        return self.king if self.land == t.KING else self.land + 3 == self.total


DEFINITIONS = {
    "go-total": lambda m: m.verb in ("go", "aim") and m.args["land"] != "king" and int(m.args["land"]) != m.total,
    "king-dice": lambda m: m.s.phase == t.Phase.PLACING and m.args["land"] == "king" and not m.king,
    "die-used": RejectedMove.used,
    "two-blocks": lambda m: m.s.drawn == 2,
    "same-size": lambda m: m.s.sizes >> m.face() - 1 & 1,
    "no-block": RejectedMove.no_block,
    "not-triple": lambda m: m.used() or len(set(m.s.coloured[m.seat])) > 1,
    "card-none": lambda m: not m.cards(),
    "card-later": lambda m: (
        m.cards() and all(m.s.land_used[c] == m.s.round or m.s.land_gained[c] == m.s.round for c in m.cards())
    ),
    "die-changed": lambda m: m.s.times[m.seat][m.white()] != 1,
    "lawn-bounds": lambda m: m.s.times[m.seat][m.white()] == 1 and m.after_lawn() not in NUMBERS,
    "six-is-most": lambda m: m.face() == 6,
    "land-full": lambda m: m.s.houses[m.land] == 2,
    "no-roof": RejectedMove.lacks_roof,
    "no-fit": lambda m: not m.fills(),
    "not-larger": lambda m: not m.grows(),
    "no-gem": lambda m: (m.simple or m.verb == "take_over") and m.s.gems[m.seat] == 0,
    "worked": lambda m: m.s.once_per_turn and m.s.worked[m.house()] == m.s.turns,
    "penthouse-owner": lambda m: t.PENTHOUSE[m.form()] and m.s.owner[m.house()] != m.seat,
    "penthouse-closed": lambda m: t.PENTHOUSE[m.old()],
    "no-house": lambda m: m.house() % 2 >= m.s.houses[m.land],
    "not-yours": lambda m: m.verb == "extend" and m.s.owner[m.house()] != m.seat,
    "yours": lambda m: m.verb == "take_over" and m.s.owner[m.house()] == m.seat,
    "build-first": lambda m: m.simple and not m.s.built,
    "not-in-row": lambda m: (
        int(m.args["card"]) - 3 not in m.row
        if m.verb == "take"
        else m.s.welcome > 1 or m.resident() not in m.s.resident_row
    ),
    "row-empty": lambda m: m.args["effect"] == "card" and not m.row,
    "no-bed": lambda m: m.beds() < t.PERSONS[m.resident()],
    "one-card": lambda m: m.s.one_card_per_house and m.home() in m.s.home,
    "lodged": lambda m: m.s.home[m.resident()] >= 0,
    "wrong-ground": lambda m: (
        m.home() // 2 != t.KING and t.Ground[t.GROUND[m.home() // 2]] not in t.PEOPLE[m.resident()]["grounds"]
    ),
    "already-there": lambda m: t.LANDS.index(m.args["land"]) == m.land,
    "too-far": lambda m: (
        t.LANDS.index(m.args["land"]) != m.land
        and m.s.distance[t.LANDS.index(m.args["land"])] > m.s.pips[t.Colour.GREEN]
    ),
    "taken-land": lambda m: t.LANDS.index(m.args["land"]) in m.s.craftsman[: m.s.players] and m.args["land"] != "king",
    "no-pips": lambda m: not m.simple and m.pips() < m.price(),
    "not-on-total": lambda m: not m.simple and not m.on_total(),
    "two-players": lambda m: not m.simple and m.land == t.KING and m.s.owner[t.KING * 2] == m.seat,
    "no-such-part": lambda m: not m.simple and m.args["part"] * 2 > m.size(),
    "not-in-pool": lambda m: not m.s.pool[t.POOL.index(m.args["colour"])][m.args["face"] - 1],
    "have-those": lambda m: m.verb == "draft",
    "lawn-waits": lambda m: m.s.phase == t.Phase.AIMING and m.verb == "lawn" and len(m.cards()) > 0,
}


def test_every_reason_has_a_definition():
    assert set(DEFINITIONS) == set(GAME.refusals)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ruleset": 1},
        {"finite_supply": 1, "residents": 1, "one_card_per_house": 1, "once_per_turn": 0},
        {"ruleset": 1, "finite_supply": 1},
    ],
)
def test_each_reason_is_correct(options, long):
    """The bot plays, with occasional random moves, so that most reasons occur."""
    rng, seen_reasons = random.Random(1), set()
    for number in range(20 if long else 2):
        game = RandomGame(GAME, 2 + number % 3, rng, options)
        while not game.over:
            seat, move = game.next()
            if seat != NOBODY:
                seen_reasons |= checked_reasons(game, seat)
                if rng.random() < 0.8:
                    move = bot.choose(GAME, game.view(seat), None)
            game.apply(seat, move)
    assert len(seen_reasons) > 15


def checked_reasons(game, seat):
    """Return the reasons given now, after checking each."""
    s, found_reasons = game.state, set()
    legal = set(game.legal(seat))
    for move in range(GAME.moves.count):
        if move not in legal:
            reason = r.refusal(s, seat, move)
            if reason >= 0:
                found_reasons.add(reason)
                rejected = RejectedMove(s, seat, move)
                assert DEFINITIONS[GAME.refusals[reason]](rejected), (
                    f"{GAME.moves.words(move)}: {GAME.refusals[reason]}"
                )
    return found_reasons
