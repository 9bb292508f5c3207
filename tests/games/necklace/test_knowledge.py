"""A seat's knowledge of hands: sampled worlds are compared with the histories that are consistent with its
observations.
"""

import random
from collections import Counter

import pytest
from necklace_histories import History

from courtly.engine.constants import NOBODY, SPECTATOR
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.necklace import worlds
from courtly.games.necklace.cards import COUNT, GEM_KINDS, GEM_OF, KINDS, MERCHANTS, Card, Gem
from courtly.games.necklace.hands import gain_seen, gain_unseen, lack, look_at_hand, move_unseen, spend
from courtly.games.necklace.position import lies_openly
from courtly.games.necklace.sale import lay_openly
from courtly.games.necklace.story import UNITS
from courtly.games.necklace.table import MOVES, STORIES, VERB, Phase
from courtly.testing.checks.belief_check import Histories, total_variation
from courtly.testing.checks.properties import RandomGame, check_position_keeps_secrets, other_world
from courtly.testing.resources import invariants

GAME = find_game("necklace")
CHECK = invariants("necklace")
SEATS = 3


# --- short stories: whole histories, without those that the observer rules out
# -----------------------------------------


class Story:
    """Events in the hands of three players, and what `observer` saw of them. The steps are:
        ("come", seat, card)        visible to all
        ("drawn", seat)             visible to its owner only
        ("gone", seat, card)        discarded
        ("open", seat, card)        a gem card, laid openly for a sale
        ("stolen", giver, taker)    the card is visible to these two only
        ("look", seat, who)         `who` sees the whole hand
        ("none", seat, gem)         the hand has none of this gem
    `chosen` lists the cards that were really drawn or stolen, in this order.
    """

    def __init__(self, steps, chosen_cards, observer):
        self.steps, self.observer = steps, observer
        self.truth = self.play(iter(chosen_cards))

    def play(self, chosen_cards, rng=None, expected=None):
        """Return the hands, the observations and the weight, or None as soon as an observation differs from `seen`.
        Cards of chance are `chosen`, or drawn with `r`.
        """
        deck, hands, observations, weight = list(COUNT), [[0] * KINDS for _ in range(SEATS)], [], 1.0
        for kind, seat, *details in self.steps:
            hand = hands[seat]
            if kind == "come":
                weight *= deck[details[0]] / sum(deck)
                deck[details[0]] -= 1
                hand[details[0]] += 1
            elif kind in ("gone", "open"):
                if not hand[details[0]]:
                    return None
                hand[details[0]] -= 1
            elif kind == "none":
                if any(hand[card] for card in range(GEM_KINDS) if GEM_OF[card] == details[0]):
                    return None
            elif kind == "look":
                if self.observer == details[0]:
                    observations.append(tuple(hand))
            else:
                source, target = (hand, hands[details[0]]) if kind == "stolen" else (deck, hand)
                is_observed = self.observer in (seat, *details)
                if rng is None:
                    card = next(chosen_cards)
                elif is_observed:  # the observed card, with its probability
                    card = expected[len(observations)]
                    weight *= source[card] / sum(source)
                else:
                    card = rng.choices(range(KINDS), source)[0]
                if not source[card] or card in (
                    (Card.MUSKETEER, Card.QUEENS_NECKLACE)
                    if kind == "stolen"
                    else (Card.ASTROLOGER, Card.QUEENS_NECKLACE)
                ):
                    return None
                source[card] -= 1
                target[card] += 1
                if is_observed:
                    observations.append(card)
            if expected is not None and observations != expected[: len(observations)]:
                return None
        return hands, observations, weight

    def sample_hands(self, rng, count):
        """Return hands of whole histories with the observer's observations."""
        _, observations, _ = self.truth
        histories = []
        while len(histories) < count:
            if history := self.play(None, rng, observations):
                histories.append(history)
        return [hands for hands, _, weight in rng.choices(histories, [weight for _, _, weight in histories], k=count)]

    def position(self, chosen_cards):
        """Return the resulting position."""
        position = Position(GAME, SEATS)
        s = position.state
        chosen_cards = iter(chosen_cards)
        for kind, seat, *details in self.steps:
            if kind == "come":
                gain_seen(s, seat, details[0])
            elif kind == "drawn":
                gain_unseen(s, seat, next(chosen_cards))
            elif kind == "gone":
                spend(s, seat, details[0])
            elif kind == "open":
                lay_openly(s, seat, details[0])
                s.merchants = 1
            elif kind == "stolen":
                move_unseen(s, seat, details[0], next(chosen_cards))
            elif kind == "look":
                look_at_hand(s, details[0], seat)
            else:
                lack(s, seat, details[0])
        s.phase, s.pending, s.active = (Phase.SHOW, 7, 0) if s.merchants else (Phase.INFLUENCE, 1, 0)
        s.fashion = [0, 1, 2, 3]
        for card in range(KINDS):
            held_count = sum(s.hand[seat][card] + lies_openly(s, seat, card) for seat in range(SEATS))
            s.deck[card] = COUNT[card] - s.discard[card] - held_count
        s.pile = sum(s.deck)
        s.left = s.pile + MERCHANTS - s.merchants
        CHECK(s)
        return position


HOLDS_RINGS = [("come", 2, Card.RING), ("come", 2, Card.RING), ("drawn", 2), ("drawn", 2), ("drawn", 1)]
HOLDS_RUBIES = [("come", 2, Card.RUBY_2), ("come", 2, Card.RUBY_2), ("drawn", 2), ("drawn", 2), ("drawn", 1)]
ALL_KNOWN_TO_OBSERVER = [
    ("come", 2, Card.RING),
    ("come", 2, Card.KING),
    ("come", 2, Card.AMBER_1),
    ("come", 2, Card.AMBER_1),
]
THEFT = ("stolen", 2, 1)
STORIES_BY_NAME = {
    "one of two known rings": ([*HOLDS_RINGS, THEFT], [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING]),
    "one of two known rings, and the other is laid open": (
        [*HOLDS_RINGS, THEFT, ("gone", 2, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "both rings are laid open by their owner": (
        [*HOLDS_RINGS, THEFT, ("gone", 2, Card.RING), ("gone", 2, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RUBY_1],
    ),
    "the thief lays a ring open": (
        [*HOLDS_RINGS, THEFT, ("gone", 1, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "one known and three unknown": (
        [("come", 2, Card.KING), ("drawn", 2), ("drawn", 2), ("drawn", 2), ("drawn", 1), THEFT],
        [Card.RUBY_1, Card.RUBY_1, Card.RING, Card.RING, Card.KING],
    ),
    "a whole known hand": ([*ALL_KNOWN_TO_OBSERVER, ("drawn", 1), THEFT], [Card.RUBY_1, Card.AMBER_1]),
    "the thief has nothing else": ([*ALL_KNOWN_TO_OBSERVER, THEFT], [Card.KING]),
    "a ring is bought afterwards": (
        [*HOLDS_RINGS, THEFT, ("come", 2, Card.RING), ("come", 1, Card.RING), ("gone", 1, Card.RING)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "the loot is stolen in turn": (
        [*HOLDS_RINGS, THEFT, ("stolen", 1, 0)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING, Card.RING],
    ),
    "the victim takes one back": (
        [*ALL_KNOWN_TO_OBSERVER, ("drawn", 1), THEFT, ("stolen", 1, 2)],
        [Card.RUBY_1, Card.KING, Card.KING],
    ),
    "two thieves rob one hand": (
        [*ALL_KNOWN_TO_OBSERVER, ("drawn", 1), ("drawn", 0), THEFT, ("stolen", 2, 0)],
        [Card.RUBY_1, Card.RUBY_2, Card.KING, Card.RING],
    ),
    "two thieves, and the rest is laid open": (
        [
            *ALL_KNOWN_TO_OBSERVER,
            ("drawn", 1),
            ("drawn", 0),
            THEFT,
            ("stolen", 2, 0),
            ("gone", 2, Card.AMBER_1),
            ("gone", 2, Card.AMBER_1),
        ],
        [Card.RUBY_1, Card.RUBY_2, Card.KING, Card.RING],
    ),
    "a confessor sees what is missing": (
        [*HOLDS_RINGS, THEFT, ("look", 2, 0)],
        [Card.RUBY_1, Card.AMBER_1, Card.RUBY_2, Card.RING],
    ),
    "a confessor sees what has come": (
        [("come", 2, Card.RING), ("come", 2, Card.KING), ("drawn", 1), THEFT, ("look", 1, 0)],
        [Card.RUBY_1, Card.KING],
    ),
    "looked at before, and after": (
        [("come", 2, Card.RING), ("drawn", 2), ("look", 2, 0), ("drawn", 1), THEFT, ("look", 2, 0)],
        [Card.KING, Card.RUBY_1, Card.KING],
    ),
    "one of two known rubies, and the other is laid openly": (
        [*HOLDS_RUBIES, THEFT, ("open", 2, Card.RUBY_2)],
        [Card.RUBY_1, Card.AMBER_1, Card.RING, Card.RUBY_2],
    ),
    "a forger finds no ruby at the thief's": (
        [
            ("come", 2, Card.RUBY_1),
            ("come", 2, Card.RUBY_2),
            ("come", 2, Card.KING),
            ("drawn", 1),
            THEFT,
            ("none", 1, Gem.RUBY),
        ],
        [Card.RING, Card.KING],
    ),
    "a forger found no ruby before": (
        [("come", 2, Card.KING), ("drawn", 2), ("drawn", 2), ("none", 2, Gem.RUBY), THEFT],
        [Card.RING, Card.AMBER_1, Card.AMBER_1],
    ),
}


@pytest.mark.parametrize("observer", [-1, 0, 1, 2])
@pytest.mark.parametrize("name", STORIES_BY_NAME)
def test_worlds_are_as_likely_as_their_histories(name, observer):
    steps, chosen_cards = STORIES_BY_NAME[name]
    story, rng = Story(steps, chosen_cards, observer), random.Random(5)
    position = story.position(chosen_cards)
    assert position.state.hand[:SEATS] == story.truth[0]
    history_hands = story.sample_hands(rng, 1000)
    worlds = [other_world(position, observer, number).state.hand[:SEATS] for number in range(500)]
    for seat in range(SEATS):
        for card in range(KINDS):
            history_counts, world_counts = (
                Counter(hands[seat][card] for hands in hands_list) for hands_list in (history_hands, worlds)
            )
            assert total_variation(history_counts, world_counts) < 0.08, (
                f"{Card[card]} at seat {seat}: histories {dict(history_counts)}, worlds {dict(world_counts)}"
            )
    for number in range(3):
        CHECK(check_position_keeps_secrets(position, observer, number).state)


def test_at_most_one_of_two_known_rings_is_stolen():
    """Two of four cards are rings. The thief has one of them in half of the worlds or slightly more, since it was not a
    musketeer.
    """
    steps, chosen_cards = STORIES_BY_NAME["one of two known rings"]
    position = Story(steps, chosen_cards, 0).position(chosen_cards)
    worlds = [other_world(position, 0, number).state for number in range(600)]
    assert all(world.hand[1][Card.RING] + world.hand[2][Card.RING] >= 2 for world in worlds)
    hidden_counts = [
        COUNT[card] - 2 * (card == Card.RING)
        for card in range(KINDS)
        if card not in (Card.ASTROLOGER, Card.QUEENS_NECKLACE)
    ]
    unknown_are_rings = 5 / sum(hidden_counts)
    no_musketeer = 1 - COUNT[Card.MUSKETEER] / sum(hidden_counts)
    share_with_one = 2 / (2 + 2 * no_musketeer) * (1 - unknown_are_rings) ** 2
    assert sum(world.hand[2][Card.RING] == 1 for world in worlds) / 600 == pytest.approx(share_with_one, abs=0.06)


# --- along random games -----------------------------------------------------------------------------------------------


class Thieving(RandomGame):
    """A random game in which influence cards are played whenever possible, thieves first."""

    def next(self):
        seat, move = super().next()
        if seat != NOBODY and self.state.phase == Phase.INFLUENCE and self.r.random() < 0.8:
            blue = [m for m in self.legal(seat) if MOVES.confessor <= m <= MOVES.musketeers]
            thieves = [m for m in blue if VERB[m] == MOVES.thief]
            move = self.r.choice(thieves or blue or [move])
        return seat, move


def impossible_worlds(games):
    """Return, by number of thefts so far, the worlds that contradict the observer's history, and all worlds."""
    impossible_counts, world_counts = Counter(), Counter()
    for number in games:
        game = Thieving(GAME, 3 + number % 2, random.Random(number), {})
        histories = [History(observer) for observer in range(-1, game.state.players)]
        while not game.over:
            state_before = game.state.copy()
            seat, move = game.next()
            game.apply(seat, move)
            for history in histories:
                history.add_move(state_before, game.state, seat, move)
            if game.r.random() < (0.1 if game.state.thefts else 0.02):
                for history in histories:
                    assert history.is_possible(game.state.hand[: game.state.players]), "the true hands are possible"
                    world = other_world(game, history.observer, game.r.randrange(1 << 30)).state
                    CHECK(world)
                    world_counts[game.state.thefts] += 1
                    impossible_counts[game.state.thefts] += not history.is_possible(world.hand[: world.players])
    return impossible_counts, world_counts


def test_worlds_are_consistent_with_the_history(long):
    impossible_counts, world_counts = impossible_worlds(range(100 if long else 5))
    assert min(world_counts[thefts] for thefts in range(4)) > 10
    assert sum(impossible_counts.values()) <= sum(world_counts.values()) // 500, (impossible_counts, world_counts)


SHORT_GAME_STEPS = [
    (what, seat, *card)
    for seat in range(SEATS)
    for what, *card in [
        ("come", Card.THIEF),
        ("come", Card.RING),
        ("come", (Card.RUBY_1, Card.RUBY_2, Card.AMBER_1)[seat]),
        ("drawn",),
        ("drawn",),
    ]
]


def short_game(rng):
    """Three players with a thief each, two known cards and two unknown ones."""
    drawn_cards = iter(
        rng.sample(
            [
                Card.RUBY_1,
                Card.RUBY_2,
                Card.AMBER_1,
                Card.KING,
                Card.MUSKETEER,
                Card.CONFESSOR,
                Card.EMERALD_1,
                Card.DIAMOND_2,
            ],
            6,
        )
    )
    s = Story(SHORT_GAME_STEPS, chosen_cards := list(drawn_cards), NOBODY).position(chosen_cards).state
    for slot, card in enumerate([Card.DIAMOND_1, Card.EMERALD_1, Card.CONFESSOR, Card.AMBER_1, Card.RUBY_1]):
        s.row[slot] = card
        s.deck[card] -= 1
        s.pile -= 1
        s.left -= 1
    CHECK(s)
    game = Thieving(GAME, SEATS, rng, {})
    game.state = s
    return game


def test_worlds_have_the_right_frequencies_after_thefts(long):
    rng, compared, total = random.Random(7), 0, 0.0
    while compared < (4000 if long else 250):
        game = short_game(rng)
        seat = rng.randrange(-1, SEATS)
        histories = Histories(game, seat, 400)
        histories.positions = [other_world(game, seat, number) for number in range(400)]
        for number in range(24):
            if not histories.step():
                break
            if number % 4 or not game.state.thefts:
                continue
            worlds = [other_world(game, seat, rng.randrange(1 << 30)) for _ in range(200)]
            for other in range(SEATS):
                for card in range(KINDS):
                    history_counts, world_counts = (
                        Counter(position.state.hand[other][card] for position in positions)
                        for positions in (histories.positions, worlds)
                    )
                    if len(history_counts | world_counts) > 1:
                        compared, total = compared + 1, total + total_variation(history_counts, world_counts)
                        assert total_variation(history_counts, world_counts) < 0.25, (
                            f"{Card[card]} at seat {other}, for {seat}: "
                            f"{dict(history_counts)}, worlds {dict(world_counts)}"
                        )
    assert total / compared < 0.05


def test_of_too_many_explanations_a_weighted_sample_is_kept(monkeypatch):
    checked, rng = 0, random.Random(5)
    for _ in range(40):
        game = Thieving(GAME, 4, rng, {})
        while not game.over and checked < 5:
            game.apply(*game.next())
            s = game.state.copy()
            worlds.gather(s, SPECTATOR)
            worlds.weigh_stories(s, SPECTATOR)
            if s.ways > STORIES and rng.random() < 0.2:
                checked += 1
                explanations = []
                with monkeypatch.context() as patch:
                    patch.setattr(
                        worlds,
                        "meet",
                        lambda s, chance, each, explanations=explanations: explanations.append(
                            (tuple(s.guess), chance)
                        ),
                    )
                    worlds.go_through(s, SPECTATOR, 0, worlds.KEEP)
                assert len(explanations) == s.ways and s.stories == STORIES
                best_chance = max(chance for _, chance in explanations)
                exact = {guesses: 2 ** ((chance - best_chance) / UNITS) for guesses, chance in explanations}
                for theft in range(s.thefts):
                    exact_shares, sampled_shares = Counter(), Counter()
                    for guesses, chance in exact.items():
                        exact_shares[guesses[theft]] += chance / sum(exact.values())
                    for taken in s.taken:
                        sampled_shares[taken // (KINDS + 1) ** (s.thefts - 1 - theft) % (KINDS + 1)] += 1 / STORIES
                    assert (
                        sum(abs(exact_shares[card] - sampled_shares[card]) for card in exact_shares | sampled_shares)
                        / 2
                        < (0.05, 0.1)[theft > 0]
                    )
        if checked == 5:
            return
    raise AssertionError("no game had enough thefts")
