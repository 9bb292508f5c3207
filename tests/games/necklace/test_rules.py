"""Rules of Queen's Necklace that no single scenario covers: positions of merchants, the deal, knowledge, ties."""

import random
from collections import Counter
from pathlib import Path

import pytest

from courtly.adapters.observation import get_encoder
from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.engine.rng import make_generator
from courtly.games.necklace import rules
from courtly.games.necklace.cards import COUNT, DECK, EMPTY, GEM_KINDS, GEM_OF, KINDS, STONES, Card
from courtly.games.necklace.hands import gain_unseen, move_unseen
from courtly.games.necklace.table import MOVES, VERB, Phase, X
from courtly.testing.checks.properties import RandomGame

GAME = find_game("necklace")


def merchants_of_a_game(players, rng, **options):
    """Return the positions in the deck, counted from 0, at which the merchants came."""
    game = RandomGame(GAME, players, rng, options)
    merchant_places = []
    while game.state.pending:
        seat, move = game.next()
        if move == MOVES.merchant:
            merchant_places.append(DECK[game.state.thin_deck][players] - game.state.left)
        game.apply(seat, move)
    return merchant_places


def test_the_box_has_the_cards_of_the_rulebook():
    assert sum(COUNT) == 100 and sum(COUNT[:GEM_KINDS]) == 59
    for gem, stones in enumerate((23, 23, 23, 17)):
        assert sum(COUNT[card] * STONES[card] for card in range(GEM_KINDS) if GEM_OF[card] == gem) == stones


@pytest.mark.parametrize(("players", "first", "second", "block"), [(2, 30, 62, 89), (3, 29, 59, 85), (4, 28, 57, 81)])
def test_merchants_come_where_the_rules_put_them(players, first, second, block):
    rng = random.Random(players)
    games = [merchants_of_a_game(players, rng) for _ in range(60)]
    assert {tuple(game[:2]) for game in games} == {(first, second)}
    assert {game[2] for game in games} <= set(range(block, block + 6))


def test_the_third_merchant_is_equally_likely_in_each_place_of_its_block():
    s = GAME.State(players=2)
    s.phase, s.merchants = Phase.REFILL, 2
    s.deck[0] = s.pile = 5
    chances, not_yet = [], 1.0
    moves, weights = [0] * 8, [0] * 8
    for place in range(6):
        s.left = 6 - place
        n = rules.chance(s, moves, weights)
        share = sum(weights[i] for i in range(n) if moves[i] == MOVES.merchant) / sum(weights[:n])
        chances.append(not_yet * share)
        not_yet *= 1 - share
        s.deck[0] = s.pile = max(s.pile - 1, 0)
    assert chances == pytest.approx([1 / 6] * 6)


def test_merchants_can_be_displaced_and_cards_left_out():
    r = random.Random(1)
    places = Counter(merchants_of_a_game(2, r, merchant_jitter=3, thin_deck=1)[0] for _ in range(200))
    assert set(places) == set(range(62 // 3 - 3, 62 // 3 + 4))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_follows_the_rules(players):
    for number in range(20):
        s = new_match(GAME, players=players, seed=number).state
        assert s.size[:players] == [4] * players and not any(hand[Card.ASTROLOGER] for hand in s.hand)
        assert EMPTY not in s.row and s.rung == [0] * 5 and s.left == DECK[0][players] - 5
        assert s.necklace == next((seat for seat in range(players) if s.hand[seat][Card.QUEENS_NECKLACE]), -1)


def test_a_row_of_four_is_an_option():
    match = new_match(GAME, players=2, seed=1, options={"row_size": 4})
    assert match.state.row[4] == EMPTY and EMPTY not in match.state.row[:4]


def test_the_better_last_sale_breaks_a_tie():
    scores = [0] * 8
    for tie_break, is_tie in ((0, True), (1, False)):
        s = GAME.State(players=2, tie_break=tie_break)
        s.score[0] = s.score[1] = 100
        s.income[2][0][1] = 40
        s.income[2][1][0] = 90
        s.gifts[2][1] = -40
        rules.scores(s, scores)
        assert (scores[0] == scores[1]) == is_tie and scores[0] <= scores[1]


def test_only_the_player_who_looks_at_a_hand_knows_it():
    s = GAME.State(players=3)
    rules.setup(s)
    s.phase, s.pending, s.active = Phase.INFLUENCE, 1, 0
    for card in (Card.KING, Card.RUBY_2):
        gain_unseen(s, 2, card)
    gain_unseen(s, 0, Card.CONFESSOR)
    rules.apply(s, 0, MOVES.confessor + 2)
    assert s.known[0][2] == s.hand[2] and not any(s.known[1][2]) and not any(s.seen[2])
    move_unseen(s, 2, 1, Card.KING)
    assert s.known[2][1][Card.KING] == 1 and not any(s.known[0][1]), "the victim knows the stolen card"
    assert s.known[0][2] == [0] * KINDS, "either card may be the stolen one"


def test_other_worlds_vary():
    """A seat with little knowledge can be in many worlds, and every card that an opponent may have occurs in some of
    them.
    """
    match = new_match(GAME, players=2, seed=3)
    seen_cards = set()
    for number in range(300):
        world = match.state.copy()
        rules.determinize(world, 0, make_generator(number))
        seen_cards |= {card for card in range(KINDS) if world.hand[1][card]}
    s = match.state
    possible = {card for card in range(KINDS) if COUNT[card] > s.hand[0][card] + s.row.count(card)} - {
        Card.ASTROLOGER,
        Card.QUEENS_NECKLACE,
    }
    assert possible - seen_cards == set(), [Card[card] for card in possible - seen_cards]


def test_a_forger_who_found_none_is_remembered():
    s = GAME.State(players=4)
    rules.setup(s)
    s.phase = Phase.OPENING
    for seat in range(1, 4):
        for _ in range(4):
            gain_unseen(s, seat, Card.AMBER_1)
        for gem in range(3):
            s.at_most[seat][gem] = 0
    for number in range(50):
        world = s.copy()
        rules.determinize(world, 0, make_generator(number))
        for seat in range(1, 4):
            assert sum(world.hand[seat]) == 4 and not any(world.hand[seat][: Card.AMBER_1])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("king", '"event": "stops'),
        ("king-against-necklace", '"event": "pays'),
        ("alchemist", "alchemist card="),
        ("thief-arrested", "steal card=musketeer"),
        ("forger-finds-nothing", "show_hand"),
        ("deck-runs-out-under-a-cardinal", '["cardinal"]'),
        ("astrologer-meets-a-merchant", "card=astrologer"),
    ],
)
def test_the_golden_records_show_what_their_names_say(name, text):
    assert text in (Path(__file__).parent / "golden" / f"{name}.jsonl").read_text(encoding="utf-8")


def named_events_of(match):
    """Return the set of events in a game that records are named after."""
    s = GAME.State(players=match.players, **match.options)
    rules.setup(s)
    names_by_verb = {
        "stops": "king",
        "pays": "king-against-necklace",
        "alchemist": "alchemist",
        "show_hand": "forger-finds-nothing",
    }
    names, sales = set(), []
    for entry in match.entries:
        move = GAME.moves.decode(entry.move)
        if move.verb == "sells":
            sales.append((s.sales, move.args["gem"]))
        elif move.verb == "merchant" and s.phase == Phase.ASTROLOGER:
            names.add("astrologer-meets-a-merchant")
        elif move.verb.endswith("_open"):
            names.add("laid-openly")
        elif move.verb == "steal" and move.args["card"] == "musketeer":
            names.add("thief-arrested")
        names.add(names_by_verb.get(move.verb, ""))
        was_showing = s.phase == Phase.SHOW
        rules.apply(s, entry.seat, entry.move)
        if was_showing and s.phase != Phase.SHOW and not any(map(any, s.shown)):
            names.add("nobody-shows")
        if not s.left and any(s.held) and EMPTY in s.row[: s.row_size]:
            names.add("deck-runs-out-under-a-cardinal")
    if len(set(sales)) < len(sales):
        names.add("tie")
    if match.scores.count(max(match.scores)) > 1:
        names.add("victory-shared")
    return names


@pytest.mark.parametrize(
    "record", sorted((Path(__file__).parent / "golden").glob("*.jsonl")), ids=lambda record: record.stem
)
def test_each_record_has_the_events_in_its_name(record):
    assert record.stem in named_events_of(transcript.check(record.read_text(encoding="utf-8")))


def test_an_observation_has_the_stolen_card():
    """It is shown to the two players who saw it, and to no other."""
    game = RandomGame(GAME, 3, random.Random(4))
    while game.state.pending:
        seat, move = game.next()
        verb, card, giver, taker = VERB[move], X[move], game.state.giver, game.state.taker
        game.apply(seat, move)
        if verb == MOVES.steal:
            break
    s, encoder = game.state, get_encoder(GAME, 3)
    assert (verb, s.thefts) == (MOVES.steal, 1)
    for seat in range(3):
        loot_names = [
            name for name, x in zip(encoder.names, encoder.encode(s, seat), strict=True) if x and "loot" in name
        ]
        assert loot_names == [f"loot[0]={tuple(Card)[card]}"] * (seat in (giver, taker))
