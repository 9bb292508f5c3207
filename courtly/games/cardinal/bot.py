"""The squire of Web of Power. It compares what each piece would bring in countries, alliances and chains, and which
cards remain.

It decides from its view alone. The value of a position is the result of a scoring now, plus a part for what may still
come: leads that are not shared, alliances led on one side, and cloisters that may become a chain.
"""

from collections.abc import Iterator
from typing import Any

from courtly.engine.game import Game
from courtly.engine.rng import Row
from courtly.engine.schemas import PositionView
from courtly.games.cardinal import rules
from courtly.games.cardinal.map import DEGREE, NEAR, PARTNERS
from courtly.games.cardinal.payment import CARDINAL_AND_MORE, CLOISTER_AND_MORE

RIVALS = 0.8  # the weight of other seats' points, relative to own points
DISCARD = 0.4  # the value of each changed card
PAIR_LEFT = 0.5  # the value of a pair kept in the hand, and of two cards of colours with good countries

First = tuple[float, int]  # the gain of a turn in a country, and its first piece: a site, or -1 for a cardinal
Gains = list[tuple[First, First]]  # for each country: with one piece, and with two
Wished = tuple[float, int, int, int, int]  # the value of a turn, pair, single, country, first piece


def choose(game: Game, view: PositionView, _rng: Row) -> int:
    s = game.State.from_view(view["state"])
    seat, legal = view["seat"], [move["id"] for move in view["legal"]]
    assert seat is not None
    if s.phase == rules.Phase.CHOOSING:
        return best_turn(s, seat, legal)
    if s.phase == rules.Phase.PLACING:
        return max(legal, key=lambda move: after(s, seat, move))
    return best_card(s, seat, legal)


# --- values of positions ----------------------------------------------------------------------------------------------


def value(s: Any, seat: int) -> float:
    """Return the seat's own prospects minus those of the other seats."""
    others = [prospects(s, other) for other in range(s.players) if other != seat]
    return prospects(s, seat) - RIVALS * (0.5 * max(others) + 0.5 * sum(others) / len(others))


def prospects(s: Any, seat: int) -> float:
    rest = time_left(s)
    country = sum(s.country_points[seat])
    points = country * (2 - s.scored) + sum(s.alliance_points[seat]) + s.chain_points[seat]
    return points + (0.4 + rest) * (0.5 * alliances_to_come(s, seat) + chains_to_come(s, seat)) + standing_out(s, seat)


def time_left(s: Any) -> float:
    """Return about which part of the game remains, from 1 to 0."""
    cards = s.deck_left + (0 if s.exhaustions else 36)
    return min(1.0, cards / 72)


def standing_out(s: Any, seat: int) -> float:
    """Return the value of leads: a lead by more than one piece is likely to last, a smaller one is in danger."""
    sum_of_leads = 0.0
    for country in range(rules.ALL_COUNTRIES):
        mine = s.cloisters[country][seat]
        if mine:
            best = max(s.cloisters[country][other] for other in range(s.players) if other != seat)
            if s.free[country]:
                sum_of_leads += 0.5 if mine > best + 1 else 0.2 if mine > best else 0.0
    return sum_of_leads


def alliances_to_come(s: Any, seat: int) -> float:
    """Return the value of alliances led on one side, whose other side can still be reached: a part of their points."""
    points = 0.0
    for a, b in PARTNERS:
        leads_a, leads_b = s.leaders[a] >> seat & 1, s.leaders[b] >> seat & 1
        if leads_a != leads_b:
            led, other = (a, b) if leads_a else (b, a)
            missing = max(s.cardinals[other]) - s.cardinals[other][seat] or 1
            room = s.top[other] - s.standing[other]
            possible = min(s.cardinals_left[seat], max(room, 1 if s.free[other] else 0))
            if missing <= possible:
                points += (s.standing[led] + s.standing[other] + missing) / (1 + 1.5 * missing)
        elif leads_a and s.leaders[a] == s.leaders[b] == 1 << seat:
            points += 1
    return points


def chains_to_come(s: Any, seat: int) -> float:
    """Return the value of groups of joined cloisters with a free site beside them, which may become chains or longer
    ones."""
    points = 0.0
    seen = set[int]()
    for site in range(rules.ALL_SITES):
        if s.owner[site] == seat + 1 and site not in seen:
            group, edge = [site], set[int]()
            seen.add(site)
            for here in group:
                for k in range(DEGREE[here]):
                    there = NEAR[here][k]
                    if s.owner[there] == seat + 1 and there not in seen:
                        seen.add(there)
                        group.append(there)
                    elif s.owner[there] == 0:
                        edge.add(there)
            if edge and s.cloisters_left[seat]:
                points += (
                    (0.0, 0.1, 0.5, 1.4)[len(group)] * (1 if len(edge) > 1 else 0.6)
                    if len(group) < 4
                    else 0.3 * min(len(edge), 3)
                )
    return points


def after(s: Any, seat: int, move: int) -> float:
    t = s.copy()
    rules.apply(t, seat, move)
    return value(t, seat)


# --- the turn ---------------------------------------------------------------------------------------------------------


def gains(s: Any, seat: int) -> Gains:
    """Return, for each country, the best first piece and its gain: alone, and with the best second piece."""
    now = value(s, seat)
    found: Gains = []
    for country in range(rules.ALL_COUNTRIES):
        can = rules.openings(s, seat, country)
        firsts = sorted(((value(t, seat) - now, piece) for piece, t in pieces(s, seat, country, can)), reverse=True)
        two = (-99.0, 0)
        if can & (CLOISTER_AND_MORE | CARDINAL_AND_MORE):
            for _, piece in firsts[:3]:
                t = put(s, seat, country, piece)
                seconds = [value(u, seat) - now for _, u in pieces(t, seat, country, rules.openings(t, seat, country))]
                two = max(two, (max(seconds, default=-99.0), piece))
        found.append((firsts[0] if firsts else (-99.0, 0), two))
    return found


def pieces(s: Any, seat: int, country: int, can: int) -> Iterator[tuple[int, Any]]:
    if can & rules.A_CLOISTER:
        for site in range(rules.FIRST[country], rules.END[country]):
            if s.owner[site] == 0:
                yield site, put(s, seat, country, site)
    if can & rules.A_CARDINAL:
        yield -1, put(s, seat, country, -1)


def put(s: Any, seat: int, country: int, piece: int) -> Any:
    t = s.copy()
    if piece < 0:
        rules.place_cardinal(t, seat, country)
    else:
        rules.place_cloister(t, seat, piece)
    return t


def sets(hand: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the sets of a hand, each as a pair and a single card (colour + 1, 0 for none)."""
    for a in range(rules.COLOURS):
        if hand[a]:
            yield 0, a + 1
        if hand[a] > 1:
            yield a + 1, 0
            for b in range(rules.COLOURS):
                if hand[b] > 2 * (a == b):
                    yield a + 1, b + 1


def turns(s: Any, hand: list[int], found: Gains) -> Iterator[Wished]:
    """Yield the turns that a hand allows."""
    for pair, single in sets(hand):
        if pair == single and not s.joker_own_colour:
            continue
        kept = hand[:]
        for card in (pair, pair, single):
            if card:
                kept[card - 1] -= 1
        rest = promise(kept, found)
        for country, (one, two) in enumerate(found):
            colour = rules.TYPE_OF[country]
            if single and single != colour + 1:
                continue
            if rules.pieces(pair, single, colour) == 2 and (two > one or rules.fewest(s, pair, single, colour) == 2):
                yield two[0] + rest, pair, single, country, two[1]
            elif rules.fewest(s, pair, single, colour) == 1:
                yield one[0] + rest, pair, single, country, one[1]


def promise(hand: list[int], found: Gains) -> float:
    """Return an estimate of the value of the kept cards: pairs, and colours whose countries are worth playing in."""
    total = 0.0
    for colour in range(rules.COLOURS):
        if hand[colour]:
            best = max(
                max(one[0], two[0] * 0.5)
                for country, (one, two) in enumerate(found)
                if rules.TYPE_OF[country] == colour
            )
            total += 0.1 * max(best, 0) * hand[colour] + (PAIR_LEFT if hand[colour] > 1 else 0)
    return total


def best_turn(s: Any, seat: int, legal: list[int]) -> int:
    found = gains(s, seat)
    hand = s.hand[seat]
    open_now = set(legal)
    for worth, pair, single, country, piece in sorted(turns(s, hand, found), reverse=True):
        bill = pair * (rules.COLOURS + 1) + single
        cardinal = rules.MOVES.cardinal + bill * rules.ALL_COUNTRIES + country
        move = cardinal if piece < 0 else rules.MOVES.cloister + bill * rules.ALL_SITES + piece
        if move in open_now:
            return move if worth > discard_worth(s) else best_discard(legal, hand, found)
    return best_discard(legal, hand, found)


def discard_worth(s: Any) -> float:
    return DISCARD * (1 if s.discard_max == 1 else 2)


def best_discard(legal: list[int], hand: list[int], found: Gains) -> int:
    """Return the discard that leaves the best hand; each changed card has a value too."""

    def worth(move: int) -> float:
        kept = hand[:]
        for card in (rules.X[move], rules.Y[move], rules.Z[move]):
            if card:
                kept[card - 1] -= 1
        return promise(kept, found) + DISCARD * (3 - sum(kept))

    return max((move for move in legal if rules.VERB[move] == rules.MOVES.discard), key=worth)


# --- refilling --------------------------------------------------------------------------------------------------------


def best_card(s: Any, seat: int, legal: list[int]) -> int:
    """Return whether to take an open card or to draw, by the best turn that the hand would then allow."""
    if len(legal) == 1:
        return legal[0]
    found = gains(s, seat)
    unseen = [
        rules.COUNT[c]
        - rules.REMOVED[s.players]
        - s.discards[c]
        - s.hand[seat][c]
        - sum(card == c + 1 for card in s.open)
        for c in range(rules.COLOURS)
    ]

    def worth(colour: int) -> float:
        hand = s.hand[seat][:]
        hand[colour] += 1
        return max((turn[0] for turn in turns(s, hand, found)), default=0.0) + 0.3 * promise(hand, found)

    worths = [worth(colour) for colour in range(rules.COLOURS)]
    deck = sum(n * w for n, w in zip(unseen, worths, strict=True)) / max(sum(unseen), 1)
    return max(legal, key=lambda move: deck + 0.05 if rules.VERB[move] == rules.MOVES.draw else worths[rules.X[move]])
