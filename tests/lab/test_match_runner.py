"""Games between bots of any kind, played by machine code, equal those of the rules and the bots."""

import json
from itertools import islice
from unittest.mock import Mock

import pytest
from interpreted_drivers import load_interpreted

from courtly.bots.registry import find_bot
from courtly.bots.search.search import Search
from courtly.engine.errors import RulesError
from courtly.engine.game import Game, find_game
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import draw_word, make_generator
from courtly.lab.runs.interpreted_game import SEAT_STREAM_SHIFT
from courtly.lab.strength import match_runner
from courtly.lab.strength.match_runner import CHEATER, load_bot, play_games, run_games

BIDS = find_game("sealed_bids")


def play_in_python(game, bots, deal, seed):
    """Play the same game in plain Python. Return the victory in 60ths, the choices by seat, and the scores."""
    position, deal_rng = Position(game, len(bots)), make_generator(seed, deal)
    bot_rngs = [make_generator(seed, (seat + 1 << SEAT_STREAM_SHIFT) + deal) for seat in range(len(bots))]
    choice_counts = [0] * len(bots)
    while not position.over:
        if position.chance:
            position.happen(deal_rng)
            continue
        seat = position.pending[0]
        legal = position.legal(seat)
        move = legal[0]
        if len(legal) > 1:
            choice_counts[seat] += 1
            if bots[seat] == CHEATER:
                number = draw_word(bot_rngs[seat]) << 31 ^ draw_word(bot_rngs[seat])
                move = load_bot(game, CHEATER).ponder(position.state, seat, legal, number).lines[0].move
            else:
                move = load_bot(game, bots[seat])(game, position.view(seat), bot_rngs[seat])
        position.play(seat, move)
    best_score = max(position.scores)
    wins = [60 // position.scores.count(best_score) * (score == best_score) for score in position.scores]
    return wins, choice_counts, position.scores


def assert_same_as_python(game, bots, deals):
    seatings = [(deal, bots[seat:] + bots[:seat]) for deal in range(deals) for seat in range(len(bots))]
    games = play_games(game.id, {}, 3, seatings)
    results = [([*game.wins], [n for n, _, _ in game.thinking], [*game.scores]) for game in games]
    assert results == [play_in_python(game, bots, deal, 3) for deal, bots in seatings]
    return games


def test_machine_code_plays_by_the_rules():
    games = assert_same_as_python(BIDS, ("random", "search:3", "random"), 6)
    assert all(game.thinking[1][1] >= game.thinking[1][2] for game in games)


def test_a_peeking_search_peeks_in_a_match(monkeypatch):
    peeking_search = Search(BIDS, 5, dials=find_bot(BIDS, "master").dials._replace(peeks=1))
    monkeypatch.setattr(
        match_runner, "load_bot", lambda game, name: peeking_search if name == CHEATER else find_bot(game, name)
    )
    monkeypatch.setitem(globals(), "load_bot", match_runner.load_bot)
    assert_same_as_python(BIDS, (CHEATER, "search:2"), 4)


def test_a_bot_in_plain_python_sees_what_its_seat_sees(monkeypatch):
    views = []

    def choose(game, view, rng):
        views.append(view)
        return view["legal"][draw_word(rng) % len(view["legal"])]["id"]

    monkeypatch.setattr(match_runner, "load_bot", lambda game, name: choose if name == "own" else find_bot(game, name))
    monkeypatch.setitem(globals(), "load_bot", match_runner.load_bot)
    assert_same_as_python(BIDS, ("own", "random"), 4)
    half = len(views) // 2
    assert half and views[:half] == views[half:]


def test_a_bot_that_solves_its_decisions_plays_its_solutions():
    assert_same_as_python(find_game("petition"), ("search:1", "random"), 1)


def test_the_cheater_peeks():
    assert load_bot(BIDS, CHEATER).dials.peeks == 1 and load_bot(BIDS, "master").dials.peeks == 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["cardinal", "necklace", "newtown", "petition", "puppet"])
def test_every_game_is_the_same(name):
    game = find_game(name)
    for players in {game.players[0], game.players[-1]}:
        assert_same_as_python(game, ("random", "policy", "knight", "squire", "search:20")[:players], 1)
        assert_same_as_python(game, ("page", "policy", "search:50", "random", "random")[:players], 2)


SEATINGS = [(deal, bots) for deal in range(40) for bots in (("random", "search:2"), ("search:2", "random"))]


def results_of(games):
    return [(*game.seating, game.wins, game.scores) for game in games]


def test_games_come_in_order_on_any_number_of_cores(tmp_path):
    on_one_core = list(run_games(BIDS, SEATINGS, 1, None, 1))
    assert [game.seating for game in on_one_core] == SEATINGS
    assert results_of(run_games(BIDS, SEATINGS, 1, tmp_path / "games.jsonl", 3)) == results_of(on_one_core)
    assert results_of(
        sorted(match_runner.read_games(tmp_path / "games.jsonl"), key=lambda game: game.seating)
    ) == results_of(on_one_core)


def test_a_closed_run_stops_and_others_continue(tmp_path):
    file = tmp_path / "games.jsonl"
    stream = run_games(BIDS, ((deal, ("random", "random")) for deal in range(10**9)), 1, file, 2)
    first_games = list(islice(stream, 700))
    stream.close()
    assert [game.deal for game in first_games] == [*range(700)]
    stored = [game.seating for game in match_runner.read_games(file)]  # the last ones are not always in a row
    assert {(deal, ("random", "random")) for deal in range(700)} <= {*stored} and len(stored) < 10_000
    assert results_of(run_games(BIDS, sorted(stored), 1, file, 1))[:700] == results_of(first_games)
    assert [game.seating for game in match_runner.read_games(file)] == stored


def test_another_table_is_other_code(tmp_path):
    file = tmp_path / "games.jsonl"
    list(run_games(BIDS, SEATINGS[:4], 1, file, 1))
    options = {name: values[-1] for name, values in BIDS.options.items()}
    list(run_games(BIDS, SEATINGS[:4], 1, file, 1, options))
    assert len(match_runner.read_games(file)) == 8 and len({game.code for game in match_runner.read_games(file)}) == 2


def test_a_line_without_scores_is_read(tmp_path):
    file = tmp_path / "games.jsonl"
    list(run_games(BIDS, SEATINGS[:2], 1, file, 1))
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps({k: row[k] for k in row if k != "scores"}) + "\n" for row in rows))
    assert [game.scores for game in match_runner.read_games(file)] == [(), ()]


def test_a_bot_with_an_illegal_move_is_reported(monkeypatch):
    monkeypatch.setattr(match_runner, "load_bot", lambda game, name: lambda game, view, rng: 999)
    with pytest.raises(RulesError, match="the bot own chose 999"):
        play_games("sealed_bids", {}, 1, [(0, ("own", "random"))])


def test_a_game_beyond_its_bounds_is_reported(monkeypatch):
    game = Game("sealed_bids")
    game.bounds.update(decisions=5, events=20)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    table = match_runner.NativeTable(game)
    table.set_initial_state(game.State(players=2))
    with pytest.raises(RulesError, match="the native game does not end within its bounds"):
        table.play(3, 0, ("random", "random"))


def test_batches_are_submitted_for_every_core_of_a_cluster(monkeypatch):
    executor = Mock(cores=7)
    monkeypatch.setattr(match_runner.ray_cluster, "make_executor", lambda *_: executor)
    with match_runner.start_workers(BIDS, 1) as (workers, ahead):
        assert workers is executor and ahead == 7 * match_runner.BATCHES_AHEAD_PER_CORE
    assert executor.shutdown.called
