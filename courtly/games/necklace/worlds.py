"""Another world that one seat cannot tell from this one: hidden cards are dealt anew, as far as nothing known forbids
it. What thieves took that the seat did not see is guessed by living through the story again: see story.py."""

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

KEEP, ADD = -1, 0  # instead of how much each way stands for that is kept
COARSE = 4  # shares are added up as 2**16ths


def determinize(s, seat, rng):
    """`seat` SPECTATOR: whoever looks on, who knows what everybody knows."""
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
    """Into the pool goes what is neither public nor in the seat's own hand."""
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
    """Of what another player knows alone, leave only what everybody knows."""
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
    """Leave in the others' hands what the seat is certain of, `want` other cards, and of each group as many among
    these as may be."""
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
    """What may have been stolen is the same in all the worlds that will be dealt from this view."""
    gather(s, seat)
    weigh_stories(s, seat)
    s.recalled = 1


def weigh_stories(s, seat):
    """All that thieves may have taken that the seat did not see, and how likely the story is then: in `stories` how
    many ways there are, none if there is nothing to guess. Of more than there is room for some, spread so evenly that
    each stands for as much."""
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
    """All guesses that can be, theft by theft."""
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
    """The first from this theft on that the seat did not see; if there is none, how many there are."""
    while theft < s.thefts and saw(s, seat, theft):
        theft += 1
    return theft


def lowest(cards):
    card = 0
    while not cards >> card & 1:
        card += 1
    return card


def meet(s, chance, each):
    """One way in which all may have been, and the logarithm of how likely. If there are too many, those are kept that
    are met in the middle of each part of the whole."""
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
    """Beside the likeliest way."""
    less = s.best_way - chance
    return SHARE[less % UNITS] >> min(less // UNITS, 30)


def add_up(s):
    """In `likely` the shares of the stories up to this one, instead of logarithms."""
    total = 0
    for story in range(s.stories):
        total += share(s, s.likely[story])
        s.likely[story] = total


def choose_story(s, seat, rng):
    """Do as `take_what_is_certain` with a guess of what was stolen."""
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
    """Can the hands be filled with what is left?"""
    for other in range(s.players):
        if other != seat:
            for card in range(KINDS):
                if card != Card.QUEENS_NECKLACE:
                    s.kinds[GROUP_OF[card]] -= s.hand[other][card]
    good = feasible(s)
    count_groups(s)
    return good


def count_groups(s):
    """The pool by group, without the cards that are in no hand, unless everybody knows."""
    s.hidden = 0
    for group in range(GROUPS):
        s.kinds[group] = 0
    for card in range(KINDS):
        if card != Card.ASTROLOGER and card != Card.QUEENS_NECKLACE:
            s.kinds[GROUP_OF[card]] += s.pool[card]
            s.hidden += s.pool[card]


# --- dealing within bounds --------------------------------------------------------------------------------------------


def deal_rest(s, rng):
    """Places where not every card can be come first."""
    count_groups(s)
    for other in range(s.players):
        while narrow(s, other):
            deal_one(s, other, True, rng)
    for other in range(s.players):
        while s.want[other]:
            deal_one(s, other, False, rng)


def narrow(s, other):
    """Is there a place in this hand where a card of some group cannot be?"""
    for group in range(Group.OTHER):
        if s.room[other][group] < s.want[other]:
            return True
    return False


def feasible(s):
    """Can all hands still be filled? For every set of hands, the groups must have room for what these lack
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
    """A card of a group that all unknown cards of this hand can be; only if that cannot be, of one that some can be."""
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
    """Could a card of this group come to this hand, and all hands still be filled?"""
    if not s.kinds[group] or not s.room[other][group]:
        return False
    take_group(s, other, group, 1)
    good = feasible(s)
    take_group(s, other, group, -1)
    return good


# --- what the others may have chosen ----------------------------------------------------------------------------------


def guess_show(s, seat, rng):
    """Some of the cards a hand could show, beside those that lie openly."""
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
    """One of these gems, the last of them more often than not."""
    gem = draw_below(rng, 4)
    return gem if gems >> gem & 1 else last
