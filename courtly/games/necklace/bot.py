"""The squire of Queen's Necklace. It values cards by what they would earn at the next sale.

The hands of the other seats come from worlds that this seat cannot tell from the real one (`determinize`). In each of
these worlds, the other seats show what they are likely to show, and the result of the sale gives the value of a card, a
show or a power. A show is planned once: the worlds are derived from the position, so the plan stays the same while the
cards are laid.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any
from zlib import crc32

from courtly.engine.game import Game
from courtly.engine.rng import Row, make_generator
from courtly.engine.schemas import PositionView
from courtly.games.necklace import rules
from courtly.games.necklace.cards import (
    BANKER_AT,
    BANKER_BONUS,
    COURTIER_MONEY,
    EMPTY,
    FASHION_BONUS,
    GEM_KINDS,
    GEM_OF,
    GIFT,
    KING_AT,
    MERCHANTS,
    NECKLACE_AT,
    PRICE,
    RARITY_BONUS,
    RINGS_AT,
    SALES,
    SHOWN,
    STONES,
    Card,
)
from courtly.games.necklace.merchants import latest, soonest
from courtly.games.necklace.table import MOVES, VERB, Phase, X, Y

WORLDS = 8  # worlds for each decision
DRAWS_PER_TURN = 2.3  # mean number of cards drawn from the deck in a turn
LATER = (0.55, 0.4, 0.0)  # value of a kept stone, as a share of a typical stone, by sale
TYPICAL = 22.0  # pounds for a typical stone
# The approximate value, in pounds, of cards that are not sold themselves.
WORTH = {
    Card.CONFESSOR: 6.0,
    Card.COURTIER: 9.0,
    Card.FORGER: 13.0,
    Card.FAVORITE: 14.0,
    Card.THIEF: 24.0,
    Card.ALCHEMIST: 16.0,
    Card.ASTROLOGER: 22.0,
    Card.CARDINAL: 16.0,
    Card.MUSKETEER: 12.0,
    Card.QUEEN: 24.0,
    Card.QUEENS_NECKLACE: 48.0,
    Card.KING: 30.0,
}

Stones = tuple[float, float, float, float]


def choose(_game: Game, view: PositionView, _rng: Row) -> int:
    """Return the id of a legal move."""
    seat, legal = view["seat"], [move["id"] for move in view["legal"]]
    assert seat is not None
    if len(legal) == 1:
        return legal[0]
    s = rules.State.from_view(view["state"])
    mind = Evaluator(s, seat)
    if s.phase == Phase.SHOW:
        return mind.next_laid(legal)
    if s.phase in (Phase.INFLUENCE, Phase.PURCHASE):
        return mind.influence(legal) or mind.purchase(legal)
    return mind.answer(legal)


# --- fast computation of a sale ---------------------------------------------------------------------------------------


class Show:
    """What a seat shows: stones and rings by gem, the gem of the king and of the necklace (-1 for none), and the number
    of bankers."""

    __slots__ = ("stones", "rings", "king", "necklace", "bankers")

    def __init__(
        self, stones: list[int], rings: list[int] | None = None, king: int = -1, necklace: int = -1, bankers: int = 0
    ):
        self.stones = stones
        self.rings = rings or [0, 0, 0, 0]
        self.king = king
        self.necklace = necklace
        self.bankers = bankers


def with_what_is_seen(s: Any, seat: int, show: Show) -> Show:
    """Return a show with the cards added that this seat has laid openly for the sale."""
    openly = s.openly[seat]
    if not any(openly):
        return show
    return Show(
        [n + more for n, more in zip(show.stones, stones_of(openly), strict=True)],
        [n + more for n, more in zip(show.rings, openly[RINGS_AT : RINGS_AT + 4], strict=True)],
        next((gem for gem in range(4) if openly[KING_AT + gem]), show.king),
        next((gem for gem in range(4) if openly[NECKLACE_AT + gem]), show.necklace),
        show.bankers + openly[BANKER_AT],
    )


def outcome(s: Any, fashion: list[int], shows: list[Show]) -> list[int]:
    """Return the pounds that each seat gains."""
    totals = list(map(sum, zip(*(show.stones for show in shows), strict=True)))
    order = sorted(fashion, key=lambda gem: totals[gem])  # stable: among equals, the more fashionable gem comes first
    if not s.rarity_zero_counts:
        order = [gem for gem in order if totals[gem]] + [gem for gem in order if not totals[gem]]
    gains = [0] * len(shows)
    wearer = next((n for n, show in enumerate(shows) if show.necklace >= 0), -1)
    guarded = shows[wearer].necklace if wearer >= 0 else -1
    stopped = {show.king for show in shows if show.king >= 0 and show.king != guarded}
    for n, show in enumerate(shows):
        if show.king >= 0 and show.king == guarded and n != wearer:
            gains[n] -= GIFT
            gains[wearer] += GIFT
    for gem in range(4):
        if totals[gem] and gem not in stopped:
            most = max(show.stones[gem] for show in shows)
            price = FASHION_BONUS[fashion.index(gem)] + RARITY_BONUS[order.index(gem)]
            for n, show in enumerate(shows):
                if show.stones[gem] == most:
                    gains[n] += (most + show.rings[gem]) * (price + BANKER_BONUS * show.bankers)
    return gains


def lead(gains: list[int], seat: int) -> float:
    """Return the pounds by which a seat is ahead. Against several opponents, only a part of what they gain counts as a
    loss."""
    others = [*gains[:seat], *gains[seat + 1 :]]
    return (
        gains[seat] - others[0]
        if len(others) == 1
        else gains[seat] - 0.3 * max(others) - 0.4 * sum(others) / len(others)
    )


def stones_of(hand: list[int]) -> list[int]:
    return [
        hand[0] + 2 * hand[1] + 3 * hand[2],
        hand[3] + 2 * hand[4] + 3 * hand[5],
        hand[6] + 2 * hand[7] + 3 * hand[8],
        hand[9],
    ]


def likely_show(s: Any, hand: list[int], number: int) -> Show:
    """Return what an opponent with this hand may show, which is nearly everything. `number` varies the guess."""
    stones = stones_of(hand)
    if s.sales < SALES - 1:
        for gem in range(4):
            if stones[gem] and stones[gem] < 3 and (number >> 2 * gem) % 4 == 0:
                stones[gem] = 0  # a weak gem is kept for later
    show = Show(stones, bankers=hand[Card.BANKER])
    best = max(range(4), key=lambda gem: stones[gem] * (10 + FASHION_BONUS[s.fashion.index(gem)]))
    if stones[best]:
        show.rings[best] = hand[Card.RING]
        held = [gem for gem in range(4) if stones[gem]]
        if hand[Card.KING] and number % 3:
            show.king = min(held, key=lambda gem: (stones[gem], number >> gem & 1))
        if hand[Card.QUEENS_NECKLACE] and number % 2:
            show.necklace = held[number % len(held)]
    return show


# --- a position -------------------------------------------------------------------------------------------------------


class Evaluator:
    """A position, with worlds that its seat cannot tell apart."""

    def __init__(self, s: Any, seat: int):
        self.s = s
        self.seat = seat
        self.hand = s.hand[seat]
        still = s.copy()  # the part of the state that stays the same while a show is being laid
        still.pending = 0
        still.step = 0
        for i in range(SHOWN):
            still.tray[seat][i] = 0
        self.packed = still.pack()
        self.worlds = worlds(self.packed, seat)
        self.purchases: dict[int, tuple[float, list[int]]] = {}

    # --- values of hands ----------------------------------------------------------------------------------------------

    def turns_to_sale(self) -> float:
        """Return about how many turns of any seat come before the next sale."""
        s = self.s
        for n in range(s.players):
            if s.held[(s.active + n) % s.players]:
                return n
        if s.merchants == MERCHANTS:
            return 0
        return max(0.0, (soonest(s) + latest(s)) / 2) / DRAWS_PER_TURN

    def worth(self, hand: list[int], fashion: list[int] | None = None) -> float:
        """Return the value of this hand: the mean lead, in pounds, after a sale now in the worlds, plus the other uses
        of its cards."""
        fashion = fashion or self.s.fashion
        mine = Show(stones_of(hand), bankers=hand[Card.BANKER])
        total = 0.0
        for shows in self.worlds:
            gains = outcome(self.s, fashion, [*shows[: self.seat], mine, *shows[self.seat + 1 :]])
            total += lead(gains, self.seat)
        value = total / len(self.worlds) + 7.0 * sum(mine.stones)  # stones are worth something after the next sale too
        best = max(mine.stones)
        value += hand[Card.RING] * (14.0 + min(best, 6)) + hand[Card.BANKER] * (10.0 + 4.0 * best)
        return value + sum(WORTH[card] * hand[card] ** 0.8 for card in WORTH if hand[card])

    def with_card(self, hand: list[int], card: int) -> list[int]:
        more = hand[:]
        more[card] += 1
        return more

    # --- purchase -----------------------------------------------------------------------------------------------------

    def best_purchase(self, budget: int) -> tuple[float, list[int]]:
        """Return the best set of slots to buy for this money, and its value."""
        if budget in self.purchases:
            return self.purchases[budget]
        s = self.s
        offers = [
            (slot, s.row[slot], PRICE[s.ladders][s.row[slot]][s.rung[slot]])
            for slot in range(s.row_size)
            if s.row[slot] != EMPTY
        ]
        base = self.worth(self.hand)
        best: tuple[float, list[int]] = (0.0, [])
        for bits in range(1, 1 << len(offers)):
            taken = [offer for i, offer in enumerate(offers) if bits >> i & 1]
            if sum(price for _, _, price in taken) <= budget:
                hand = self.hand
                for _, card, _ in taken:
                    hand = self.with_card(hand, card)
                value = self.worth(hand) - base
                if value > best[0] or not best[1]:
                    best = value, [slot for slot, _, _ in taken]
        self.purchases[budget] = best
        return best

    def purchase(self, legal: list[int]) -> int:
        gain, slots = self.best_purchase(self.s.budget)
        buys = [move for move in legal if VERB[move] == MOVES.buy and X[move] in slots]
        if not buys or gain <= 0 and MOVES.end in legal:
            return MOVES.end
        # an astrologer first, because the card that it draws may change the plan
        return max(buys, key=lambda move: (Y[move] == Card.ASTROLOGER, PRICE[self.s.ladders][Y[move]][0], -move))

    # --- influence ----------------------------------------------------------------------------------------------------

    def influence(self, legal: list[int]) -> int:
        """Return a blue card worth playing now; 0 if there is none (id 0 is a purchase)."""
        if self.s.phase != Phase.INFLUENCE:
            return 0
        best, choice = 0.0, 0
        near = self.turns_to_sale() <= self.s.players + 1
        for move in legal:
            value = self.value_of_influence(move, near)
            if value > best:
                best, choice = value, move
        return choice

    def value_of_influence(self, move: int, near: bool) -> float:
        s, verb, x, y = self.s, VERB[move], X[move], Y[move]
        if verb == MOVES.thief:
            return 20.0 + s.size[x] * 0.3 + s.score[x] * 0.01
        if verb == MOVES.musketeers:
            return 60.0
        if verb == MOVES.confessor:
            return 3.0 * s.unknown[x] - 6.0 if near or self.hand[Card.FORGER] else 0.0
        if verb == MOVES.courtier:
            return self.best_purchase(s.budget + COURTIER_MONEY)[0] - self.best_purchase(s.budget)[0] - 8.0
        if verb == MOVES.favorite:
            fashion = [y_ for y_ in s.fashion if y_ != x]
            return self.worth(self.hand, [x, *fashion]) - self.worth(self.hand) - (12.0 if near else 45.0)
        if verb == MOVES.forger:
            return self.value_of_forger(x, y) - (8.0 if near else 30.0)
        return 0.0

    def value_of_forger(self, target: int, gem: int) -> float:
        """Return the gain if the target loses one stone of a gem, in worlds where it has any."""
        total = 0.0
        mine = Show(stones_of(self.hand), bankers=self.hand[Card.BANKER])
        for shows in self.worlds:
            theirs = shows[target]
            if theirs.stones[gem]:
                all_ = [*shows[: self.seat], mine, *shows[self.seat + 1 :]]
                before = lead(outcome(self.s, self.s.fashion, all_), self.seat)
                theirs.stones[gem] -= 1
                total += lead(outcome(self.s, self.s.fashion, all_), self.seat) - before + 4.0
                theirs.stones[gem] += 1
        return total / len(self.worlds)

    # --- the show -----------------------------------------------------------------------------------------------------

    def next_laid(self, legal: list[int]) -> int:
        """Return the next card of the plan that is not laid yet."""
        plan = planned(self.packed, self.seat)
        for i in range(SHOWN):
            if self.s.tray[self.seat][i] < plan[i] and MOVES.lay + i in legal:
                return MOVES.lay + i
        return MOVES.commit

    def plan(self) -> list[int]:
        """Return the best tray over the worlds. Gems are chosen first, then the places of rings, king, necklace and
        bankers."""
        best_gems = max(self.gem_choices(), key=lambda kept: self.expect(self.mine(kept)) + self.kept_for_later(kept))
        show = self.mine(best_gems)
        seen = stones_of(self.s.openly[self.seat])
        held = [gem for gem in range(4) if show.stones[gem] or seen[gem]]
        if held:
            self.add_the_rest(show, held)
        tray = [0] * SHOWN
        for card in range(GEM_KINDS):
            tray[card] = self.hand[card] if best_gems[GEM_OF[card]] else 0
        for gem in range(4):
            tray[RINGS_AT + gem] = show.rings[gem]
        if show.king >= 0:
            tray[KING_AT + show.king] = 1
        if show.necklace >= 0:
            tray[NECKLACE_AT + show.necklace] = 1
        tray[BANKER_AT] = show.bankers
        return tray

    def gem_choices(self) -> Iterator[tuple[int, ...]]:
        stones = stones_of(self.hand)
        return product(*(((0, 1) if stones[gem] else (0,)) for gem in range(4)))

    def mine(self, shown: tuple[int, ...]) -> Show:
        stones = stones_of(self.hand)
        return Show([stones[gem] if shown[gem] else 0 for gem in range(4)])

    def kept_for_later(self, shown: tuple[int, ...]) -> float:
        stones = stones_of(self.hand)
        return sum(LATER[self.s.sales] * TYPICAL * stones[gem] for gem in range(4) if not shown[gem])

    def expect(self, mine: Show) -> float:
        mine = with_what_is_seen(self.s, self.seat, mine)
        total = 0.0
        for shows in self.worlds:
            total += lead(
                outcome(self.s, self.s.fashion, [*shows[: self.seat], mine, *shows[self.seat + 1 :]]), self.seat
            )
        return total / len(self.worlds)

    def add_the_rest(self, show: Show, held: list[int]) -> None:
        """Add each card that lies with a gem at its best place, if that is better than keeping it."""
        last = self.s.sales == SALES - 1
        value = self.expect(show)
        for _ in range(self.hand[Card.RING]):
            gem, better = self.best_place(
                held, lambda gem: Show(show.stones, [n + (g == gem) for g, n in enumerate(show.rings)])
            )
            if better - value > (0 if last else 22):
                show.rings[gem] += 1
                value = better
        if self.hand[Card.BANKER]:
            better = self.expect(Show(show.stones, show.rings, bankers=self.hand[Card.BANKER]))
            if better - value > (0 if last else 60 * self.hand[Card.BANKER]):
                show.bankers, value = self.hand[Card.BANKER], better
        if self.hand[Card.QUEENS_NECKLACE]:
            gem, better = self.best_place(held, lambda gem: Show(show.stones, show.rings, -1, gem, show.bankers))
            if last or better - value > 25:
                show.necklace, value = gem, better
        if self.hand[Card.KING] and not any(self.s.openly[self.seat][KING_AT : KING_AT + 4]):
            gem, better = self.best_place(
                held, lambda gem: Show(show.stones, show.rings, gem, show.necklace, show.bankers)
            )
            if better - value > (0 if last else 35):
                show.king = gem

    def best_place(self, held: list[int], made: Any) -> tuple[int, float]:
        better, gem = max((self.expect(made(gem)), gem) for gem in held)
        return gem, better

    # --- answers ------------------------------------------------------------------------------------------------------

    def answer(self, legal: list[int]) -> int:
        phase = self.s.phase
        if phase == Phase.FORGER:
            return self.reply(legal)
        if phase == Phase.QUEEN:
            return legal[-1] if self.queen_takes() else legal[0]
        if phase == Phase.CARDINAL:
            plan = self.expect(self.mine((1, 1, 1, 1)))
            return legal[-1] if self.s.merchants == MERCHANTS or plan < -30 else legal[0]
        return self.convert(legal)

    def reply(self, legal: list[int]) -> int:
        """Return the discard of the smallest stones, or of a musketeer if a larger gem would be lost."""
        discards = [move for move in legal if VERB[move] == MOVES.discard]
        if not discards:
            return legal[-1]
        least = min(discards, key=lambda move: STONES[X[move]])
        return legal[0] if legal[0] == MOVES.cancel and STONES[X[least]] > 1 else least

    def queen_takes(self) -> bool:
        card = self.s.offered
        gain = self.worth(self.with_card(self.hand, card)) - self.worth(self.hand)
        return gain > 45 or STONES[card] == 3 or self.s.left < 12

    def convert(self, legal: list[int]) -> int:
        """Return the alchemist's best change, if it is better than keeping him. All shows are known now."""
        best, choice = (0.0 if self.s.sales == SALES - 1 else 25.0), legal[0]
        before = self.settled(legal[0])
        for move in legal[1:]:
            gain = self.settled(move) - before
            if gain > best:
                best, choice = gain, move
        return choice

    def settled(self, move: int) -> float:
        """Return the lead in pounds after this move, if no other seat acts."""
        s = self.s
        shows = []
        for seat in range(s.players):
            shown, stones = s.shown[seat], s.stones[seat][:]
            if seat == self.seat and VERB[move] == MOVES.alchemist:
                stones[GEM_OF[X[move]]] -= STONES[X[move]]
                stones[Y[move]] += STONES[X[move]]
            king, necklace = (next((gem for gem in range(4) if shown[at + gem]), -1) for at in (KING_AT, NECKLACE_AT))
            shows.append(Show(stones, shown[RINGS_AT : RINGS_AT + 4], king, necklace, shown[BANKER_AT]))
        return lead(outcome(s, s.fashion, shows), self.seat)


@lru_cache(maxsize=64)
def worlds(packed: bytes, seat: int) -> list[list[Show]]:
    """Return the shows of all seats in worlds that this seat cannot tell apart."""
    s = rules.State.unpack(packed)
    rng = make_generator(crc32(packed))
    found = []
    for number in range(WORLDS):
        world = s.copy()
        rules.determinize(world, seat, rng)
        found.append(
            [
                with_what_is_seen(
                    s, n, likely_show(s, world.hand[n], (crc32(packed) >> 3) + number * 0x9E37 + n * 0x3D)
                )
                for n in range(s.players)
            ]
        )
    return found


@lru_cache(maxsize=64)
def planned(packed: bytes, seat: int) -> list[int]:
    """Return the plan for a show, which is the same for all its cards."""
    return Evaluator(rules.State.unpack(packed), seat).plan()
