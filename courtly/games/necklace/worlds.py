"""Worlds that one seat cannot tell from the real one: hidden cards are dealt again, consistent with everything that the
seat knows. Thefts that the seat did not see are guessed by a replay of the story: see story.py."""

from courtly.engine.constants import SPECTATOR
from courtly.engine.rng import draw_below, pick_weighted
from courtly.games.necklace.cards import (
    BANKER_AT,
    COUNT,
    EMPTY,
    GEM_KINDS,
    GEM_OF,
    GROUP_OF,
    GROUPS,
    KINDS,
    KING_AT,
    NECKLACE_AT,
    RINGS_AT,
    SHOWN,
    SHOWN_CARD,
    SLOTS,
    Card,
    Group,
)
from courtly.games.necklace.story import (
    SHARE,
    UNITS,
    among_the_hidden,
    begin,
    could_be_stolen,
    go_back,
    live,
    remember,
    saw,
)
from courtly.games.necklace.table import STORIES, Phase

KEEP, ADD = -1, 0  # values of `each` of `meet`: keep all combinations; add up their shares
COARSE = 4  # shares are added up in units of 2**-16


def determinize(s, seat, rng):
    """Deal the hidden cards again. For `seat` SPECTATOR, only public information is kept."""
    gather(s, seat)
    if not s.recalled:
        weigh_stories(s, seat)
    if s.stories:
        choose_story(s, seat, rng)
    else:
        take_what_is_certain(s, seat)
    for other in range(s.players):
        if other != seat:
            forget(s, other)
            for card in range(KINDS):
                s.pool[card] -= s.hand[other][card]
    deal_rest(s, rng)
    s.pile = 0
    for card in range(KINDS):
        s.deck[card] = s.pool[card]
        s.pile += s.pool[card]
    for other in range(s.players):
        if other != seat:
            guess_show(s, other, rng)


def gather(s, seat):
    """Fill the pool with the cards that are neither public nor in the seat's own hand."""
    for card in range(KINDS):
        s.pool[card] = COUNT[card] - s.discard[card]
        if seat != SPECTATOR:
            s.pool[card] -= s.hand[seat][card]
    for slot in range(SLOTS):
        if s.row[slot] != EMPTY:
            s.pool[s.row[slot]] -= 1
    if s.offered != EMPTY:
        s.pool[s.offered] -= 1
    if s.phase == Phase.SHOW:
        for other in range(s.players):
            for i in range(SHOWN):
                s.pool[SHOWN_CARD[i]] -= s.openly[other][i]


def forget(s, other):
    """Reduce what another seat knows to public information."""
    s.restarts[other] = 0
    for card in range(KINDS):
        s.fresh[other][card] = 0
    for third in range(s.players):
        for card in range(KINDS):
            s.known[other][third][card] = s.seen[third][card] * (third != other)
    for look in range(s.looks):
        for card in range(KINDS):
            s.looked[other][look][card] = 0
    for theft in range(s.thefts):
        s.loot[other][theft] = 0


def take_what_is_certain(s, seat):
    """Leave in each other hand the cards that the seat knows. Set `want` to the number of its unknown cards, and `room`
    to how many of them can be of each group."""
    for other in range(s.players):
        s.want[other] = 0
        if other != seat:
            hand = s.hand[other]
            room = s.room[other]
            for gem in range(4):
                room[gem] = s.at_most[other][gem]
            s.want[other] = s.size[other]
            for card in range(KINDS):
                hand[card] = s.known[seat][other][card] if seat != SPECTATOR else s.seen[other][card]
                s.want[other] -= hand[card]
                if card < GEM_KINDS:
                    room[GEM_OF[card]] -= hand[card]
            for group in range(GROUPS):
                room[group] = min(room[group], s.want[other]) if group < 4 else s.want[other]


# --- thefts -----------------------------------------------------------------------------------------------------------


def recall(s, seat):
    """Compute the possible thefts once for all worlds that are dealt from this view."""
    gather(s, seat)
    weigh_stories(s, seat)
    s.recalled = 1


def weigh_stories(s, seat):
    """Compute the possible combinations of thefts that the seat did not see, with their likelihoods. `stories` becomes
    their number; 0 if there is nothing to guess. If there are more than STORIES, a sample is kept in which each stands
    for the same share of the likelihood."""
    count_groups(s)
    s.stories = 0
    s.ways = 0
    first = next_unseen(s, seat, 0)
    if first == s.thefts:
        return
    begin(s, seat)
    live(s, seat, first)
    remember(s, first)
    go_through(s, seat, first, KEEP)
    if s.ways <= STORIES:
        add_up(s)
        return
    s.mass = 0
    go_through(s, seat, first, ADD)
    each = s.mass // STORIES
    s.mass = 0
    s.stories = 0
    go_through(s, seat, first, each)


def go_through(s, seat, first, each):
    """Try all combinations of guesses, theft by theft."""
    for theft in range(s.thefts):
        s.untried[theft] = 0
    go_back(s)
    s.untried[first] = could_be_stolen(s, seat)
    theft = first
    while theft >= first:
        if s.untried[theft] == 0:
            theft -= 1
            continue
        s.guess[theft] = lowest(s.untried[theft])
        s.untried[theft] -= 1 << s.guess[theft]
        after = next_unseen(s, seat, theft + 1)
        go_back(s)
        chance = live(s, seat, after)
        if not s.wrong and after < s.thefts:
            s.untried[after] = could_be_stolen(s, seat)
            theft = after
        elif not s.wrong:
            chance += among_the_hidden(s, seat)
            if not s.wrong and fits(s, seat):
                meet(s, chance, each)


def next_unseen(s, seat, theft):
    """Return the first theft, from this one on, that the seat did not see; the number of thefts if there is none."""
    while theft < s.thefts and saw(s, seat, theft):
        theft += 1
    return theft


def lowest(cards):
    card = 0
    while not cards >> card & 1:
        card += 1
    return card


def meet(s, chance, each):
    """Process one combination of guesses, given the logarithm of its likelihood. If there are too many, those are kept
    that lie in the middle of each equal part of the total likelihood."""
    if each == KEEP:
        s.best_way = chance if s.ways == 0 else max(s.best_way, chance)
        s.ways += 1
        if s.stories < STORIES:
            keep(s, chance)
        return
    s.mass += share(s, chance) >> COARSE
    while each and s.stories < STORIES and s.mass > each * s.stories + each // 2:
        keep(s, s.stories + 1)


def keep(s, likely):
    guesses = 0
    for theft in range(s.thefts):
        guesses = guesses * (KINDS + 1) + s.guess[theft]
    s.taken[s.stories] = guesses
    s.likely[s.stories] = likely
    s.stories += 1


def share(s, chance):
    """Return the likelihood relative to the most likely combination."""
    less = s.best_way - chance
    return SHARE[less % UNITS] >> min(less // UNITS, 30)


def add_up(s):
    """Replace the logarithms in `likely` by cumulative shares."""
    total = 0
    for story in range(s.stories):
        total += share(s, s.likely[story])
        s.likely[story] = total


def choose_story(s, seat, rng):
    """Draw a combination of guesses and replay the story with it. The result has the form of `take_what_is_certain`."""
    luck = draw_below(rng, s.likely[s.stories - 1])
    story = 0
    while s.likely[story] <= luck:
        story += 1
    guesses = s.taken[story]
    for theft in range(s.thefts - 1, -1, -1):
        s.guess[theft] = guesses % (KINDS + 1)
        guesses //= KINDS + 1
    go_back(s)
    live(s, seat, s.thefts)


def fits(s, seat):
    """Return True if the hands can be filled from the pool."""
    for other in range(s.players):
        if other != seat:
            for card in range(KINDS):
                if card != Card.QUEENS_NECKLACE:
                    s.kinds[GROUP_OF[card]] -= s.hand[other][card]
    good = feasible(s)
    count_groups(s)
    return good


def count_groups(s):
    """Count the pool by group, without cards that are never hidden in a hand."""
    s.hidden = 0
    for group in range(GROUPS):
        s.kinds[group] = 0
    for card in range(KINDS):
        if card != Card.ASTROLOGER and card != Card.QUEENS_NECKLACE:
            s.kinds[GROUP_OF[card]] += s.pool[card]
            s.hidden += s.pool[card]


# --- dealing within bounds --------------------------------------------------------------------------------------------


def deal_rest(s, rng):
    """Deal the unknown cards. Hands with restrictions come first."""
    count_groups(s)
    for other in range(s.players):
        while narrow(s, other):
            deal_one(s, other, True, rng)
    for other in range(s.players):
        while s.want[other]:
            deal_one(s, other, False, rng)


def narrow(s, other):
    """Return True if some unknown card of this hand cannot be of some group."""
    for group in range(Group.OTHER):
        if s.room[other][group] < s.want[other]:
            return True
    return False


def feasible(s):
    """Return True if all hands can still be filled: for every set of hands, the groups must have enough cards
    (max-flow, min-cut)."""
    for hands in range(1, 1 << s.players):
        need = 0
        for seat in range(s.players):
            if hands >> seat & 1:
                need += s.want[seat]
        for group in range(GROUPS):
            room = 0
            for seat in range(s.players):
                if hands >> seat & 1 and s.want[seat]:
                    room += min(s.room[seat][group], s.want[seat])
            need -= min(room, s.kinds[group])
        if need > 0:
            return False
    return True


def deal_one(s, other, bounded, rng):
    for card in range(KINDS):
        s.weight[card] = s.pool[card]
    s.weight[Card.ASTROLOGER] = 0
    s.weight[Card.QUEENS_NECKLACE] = 0
    if bounded:
        keep_within_bounds(s, other)
    card = pick_weighted(rng, s.weight, KINDS)
    s.pool[card] -= 1
    s.hand[other][card] += 1
    take_group(s, other, GROUP_OF[card], 1)


def keep_within_bounds(s, other):
    """Restrict the weights to groups that all unknown cards of this hand can have; if none is possible, to groups that
    some of them can have."""
    some = 0
    all_of_them = 0
    for group in range(GROUPS):
        if may_deal(s, other, group):
            some |= 1 << group
            all_of_them |= (s.room[other][group] >= s.want[other]) << group
    for card in range(KINDS):
        if not (all_of_them or some) >> GROUP_OF[card] & 1:
            s.weight[card] = 0


def take_group(s, other, group, n):
    s.kinds[group] -= n
    s.room[other][group] -= n
    s.want[other] -= n


def may_deal(s, other, group):
    """Return True if a card of this group can be dealt to this hand and all hands can still be filled."""
    if not s.kinds[group] or not s.room[other][group]:
        return False
    take_group(s, other, group, 1)
    good = feasible(s)
    take_group(s, other, group, -1)
    return good


# --- secret choices of other seats ------------------------------------------------------------------------------------


def guess_show(s, seat, rng):
    """Guess a show of this hand, in addition to the cards that lie openly."""
    hand = s.hand[seat]
    tray = s.tray[seat]
    openly = s.openly[seat]
    for i in range(SHOWN):
        tray[i] = 0
    if s.phase != Phase.SHOW:
        return
    gems = 0
    last = 0
    king = 0
    for card in range(GEM_KINDS):
        tray[card] = draw_below(rng, hand[card] + 1)
        if tray[card] or openly[card]:
            gems |= 1 << GEM_OF[card]
            last = GEM_OF[card]
    if not gems:
        return
    for _ in range(hand[Card.RING]):
        if draw_below(rng, 2):
            tray[RINGS_AT + some_gem(gems, last, rng)] += 1
    for gem in range(4):
        king += openly[KING_AT + gem]
    if hand[Card.KING] and not king and draw_below(rng, 2):
        tray[KING_AT + some_gem(gems, last, rng)] = 1
    if hand[Card.QUEENS_NECKLACE] and draw_below(rng, 2):
        tray[NECKLACE_AT + some_gem(gems, last, rng)] = 1
    tray[BANKER_AT] = draw_below(rng, hand[Card.BANKER] + 1)


def some_gem(gems, last, rng):
    """Return a random one of these gems, the last of them with the highest probability."""
    gem = draw_below(rng, 4)
    return gem if gems >> gem & 1 else last
