"""A match of sealed bids: batches, undo, clocks, copies."""

import pytest

from courtly.engine.constants import MAX_SEATS
from courtly.engine.game import Game, find_game
from courtly.engine.match import Entry, JournalCorruptedError, Match, new_match
from courtly.engine.position import CommandRefusedError
from courtly.engine.rng import SeededChance
from courtly.engine.transcript import InvalidRecordError, check, write_record

GAME = find_game("sealed_bids")


def choosing(players=3, seed=1):
    """Return a match whose players are choosing in secret."""
    match = new_match(GAME, players=players, seed=seed, options={"looks": 0})
    assert match.pending == tuple(range(players))
    return match


def choose(match, seat, nth=0):
    return [m for m in match.legal(seat) if m.verb == "choose"][nth].id


READY = GAME.moves.ready


def rejection_of(call):
    with pytest.raises(CommandRefusedError) as error:
        call()
    return error.value


def test_the_list_of_legal_moves_is_the_callers():
    match = choosing()
    moves = match.legal(0)
    match.legal(0).clear()
    twin = match.copy()
    twin.play(0, [choose(twin, 0), READY])
    assert match.legal(0) == moves and twin.legal(0) == []


def test_a_new_match_is_at_its_first_decision():
    match = new_match(GAME, players=4, seed=3)
    assert (
        [e.seat for e in match.entries] == [-1] * 13
        and match.pending == (0,)
        and not match.over
        and match.scores is None
    )


def test_moves_are_given_as_ids_words_or_moves():
    match = new_match(GAME, seed=3)
    other_match = new_match(GAME, seed=3)
    move = match.legal(0)[1]
    match.play(0, move)
    other_match.play(0, "look target=1")
    assert match.entries == other_match.entries
    other_match.play(1, [choose(other_match, 1), READY])
    assert other_match.pending == (0,)


def test_a_batch_is_atomic():
    match = choosing()
    state = match.state.copy()
    rejection = rejection_of(lambda: match.play(0, [choose(match, 0), choose(match, 0), READY]))
    assert rejection.id == "error-illegal" and match.state == state and match.seq(0) == match.seq(None)


def test_no_move_may_follow_a_random_event_in_a_batch():
    match = new_match(GAME, seed=3)
    assert rejection_of(lambda: match.play(0, [GAME.moves.read("look 1"), READY])).id == "error-unseen"


@pytest.mark.parametrize(
    ("seat", "moves", "id"),
    [
        (0, [], "error-unknown-move"),
        (0, [10_000], "error-unknown-move"),
        (0, [True], "error-unknown-move"),
        (0, ["x"], "error-unknown-move"),
        (0, "fly 3", "error-unknown-move"),
        (0, GAME.moves.deal, "error-unknown-move"),
        (7, READY, "error-unknown-seat"),
        (-1, READY, "error-unknown-seat"),
        (0, READY, "error-illegal"),
    ],
)
def test_invalid_commands_are_rejected(seat, moves, id):
    match = choosing()
    entries = list(match.entries)
    assert rejection_of(lambda: match.play(seat, moves)).id == id
    assert match.entries == entries


def test_a_rejection_has_the_move_and_the_reason():
    match = choosing()
    rejection = rejection_of(lambda: match.play(0, READY))
    assert rejection.args_ == {
        "move": {"id": READY, "verb": "ready", "args": {}},
        "reason": "sealed_bids-refusal-choose-first",
    }


def test_commands_out_of_turn_stale_or_after_the_end_are_rejected():
    match = choosing(players=2)
    match.play(0, [choose(match, 0), READY])
    assert rejection_of(lambda: match.play(0, READY)).id == "error-not-your-turn"
    assert rejection_of(lambda: match.play(1, choose(match, 1), seq=match.seq(1) - 1)).id == "error-stale"
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    assert rejection_of(lambda: match.play(0, READY)).id == "error-over"
    assert rejection_of(lambda: match.undo(0)).id == "error-no-undo"


def test_a_secret_choice_changes_only_its_own_seats_sequence():
    match = choosing()
    seqs = [match.seq(s) for s in (0, 1, None)]
    entries = match.play(0, choose(match, 0))
    assert [match.seq(s) for s in (0, 1, None)] == [seqs[0] + 1, seqs[1], seqs[2]]
    assert match.audiences_noticing(entries) == {0}
    assert match.audiences_noticing(match.play(0, READY)) == {0, 1, 2, None}
    match.play(1, choose(match, 1), seq=match.seq(1))


def test_undo_takes_back_a_batch():
    match = choosing()
    state_before = match.state.copy()
    match.play(0, [choose(match, 0), READY])
    assert match.can_undo(0) == 2
    [entry] = match.undo(0)
    assert (entry.undo, entry.seat) == (2, 0) and match.state == state_before
    assert match.view(1, 0)["cues"][-1]["verb"] == "undo"
    assert match.audiences_noticing([entry]) == {0, 1, 2, None}


def test_dropped_positions_are_computed_again():
    match = choosing()
    state_before, first_choice = match.state.copy(), choose(match, 0)
    match.play(0, [first_choice, READY])
    twin = match.copy()
    match.drop_caches()
    assert [match.view(seat, 0) for seat in (0, 1, None)] == [twin.view(seat, 0) for seat in (0, 1, None)]
    match.drop_caches()
    match.play(1, choose(match, 1))
    match.drop_caches()
    match.undo(0)
    assert choose(match, 0) == first_choice and match.can_undo(1) == 1
    match.undo(1)
    assert match.state == state_before


def test_an_undo_has_the_number_of_moves_that_were_visible():
    match = choosing()
    match.play(0, [choose(match, 0), READY])
    match.undo(0)
    assert [match.view(seat, 0)["cues"][-1]["args"] for seat in (0, 1, None)] == [
        {"count": 2},
        {"count": 1},
        {"count": 1},
    ]


def test_an_undo_does_not_go_behind_the_start_of_a_secret_choice():
    match = new_match(GAME, players=2, seed=3)
    match.play(0, "skip")
    assert match.pending == (0, 1) and match.can_undo(0) == 0
    match.play(1, choose(match, 1))
    assert match.can_undo(0) == 0 and match.can_undo(1) == 1


def test_a_journal_with_an_unfair_undo_is_refused():
    match = new_match(GAME, players=2, seed=3)
    match.play(0, "skip")
    ply = len(match.entries)
    with pytest.raises(JournalCorruptedError, match="taken back"):
        Match.replay(GAME, 2, match.options, match.source, [*match.entries, Entry(ply, 0, -1, None, ply, 1)])


def test_undo_of_a_secret_choice_is_invisible_and_may_be_late():
    match = choosing()
    state_before = match.state.copy()
    match.play(0, choose(match, 0))
    match.play(1, choose(match, 1))
    assert match.can_undo(0) == match.can_undo(1) == 1
    entries = match.undo(0)
    assert (
        match.audiences_noticing(entries) == {0}
        and match.state.choice[0] == state_before.choice[0]
        and match.state.choice[1] > 0
    )


def test_no_undo_after_others_acted_openly_or_something_was_revealed():
    match = choosing(players=2)
    match.play(0, [choose(match, 0), READY])
    match.play(1, choose(match, 1))
    assert match.can_undo(0) == 2
    match.play(1, READY)
    assert match.can_undo(0) == match.can_undo(1) == 0
    second_match = new_match(GAME, seed=3)
    second_match.play(0, "look 1")
    assert second_match.can_undo(0) == 0


def test_no_undo_of_a_choice_that_changed_the_silent_moves_of_others(change_game):
    """Whether the choice may be taken back would disclose whether they made a silent move."""
    ready = "        if s.choice[seat]:\n            moves[n] = MOVES.ready\n"
    offer = "        if s.choice[(seat + 1) % s.players]:\n            moves[n] = MOVES.skip\n            n += 1\n"
    match = Match(change_game(("rules.py", ready, offer + ready)), 3, {"looks": 0}, SeededChance(1))
    match.play(0, choose(match, 0))
    assert "skip" in [move.verb for move in match.legal(2)]
    assert match.can_undo(0) == 0


def test_no_undo_of_a_choice_on_which_the_audience_of_a_later_one_depends(change_game):
    silent = "        return SILENT | 1 << seat\n"
    shown = "        return SILENT | 1 << seat | (s.choice[0] > 0)\n"
    match = Match(change_game(("rules.py", silent, shown)), 3, {"looks": 0}, SeededChance(1))
    match.play(0, choose(match, 0))
    assert match.can_undo(0) == 1
    match.play(1, choose(match, 1))
    assert match.can_undo(0) == 0 and match.can_undo(1) == 1


def test_a_copy_is_independent():
    match = choosing()
    twin = match.copy()
    twin.play(0, choose(twin, 0))
    assert match.state != twin.state and len(match.entries) + 1 == len(twin.entries) and match.seq(0) + 1 == twin.seq(0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda e: e._replace(ply=e.ply + 1), "is missing"),
        (lambda e: e._replace(seat=2), "not legal"),
        (lambda e: e._replace(move=9999), "not legal"),
        (lambda e: e._replace(seat=-1), "no random event was due"),
        (lambda e: e._replace(undo=1), "taken back"),
        (lambda e: e._replace(seat=9), "not legal"),
    ],
)
def test_a_damaged_journal_is_reported_by_its_first_wrong_entry(change, reason):
    match = choosing(players=2)
    ply = len(match.entries)
    match.play(0, [choose(match, 0), READY])
    entries = list(match.entries)
    entries[ply] = change(entries[ply])
    with pytest.raises(JournalCorruptedError, match=reason):
        Match.replay(GAME, 2, match.options, match.source, entries)


def test_an_outcome_that_contradicts_the_commitment_is_detected():
    match = choosing(players=2)
    other_prize = (
        GAME.moves.read("prize 1")
        if match.entries[-1].move != GAME.moves.read("prize 1")
        else GAME.moves.read("prize 2")
    )
    entries = [*match.entries[:-1], match.entries[-1]._replace(move=other_prize)]
    with pytest.raises(JournalCorruptedError, match="source of chance"):
        Match.replay(GAME, 2, match.options, match.source, entries)
    with pytest.raises(JournalCorruptedError, match="was not possible"):
        Match.replay(GAME, 2, match.options, match.source, [*match.entries[:-1], match.entries[-1]._replace(move=0)])


def test_a_game_with_too_many_players_is_rejected_when_loaded(monkeypatch):
    monkeypatch.setattr(GAME.State.fields["players"], "option", (2, MAX_SEATS + 1))
    game = Game(GAME.package)
    with pytest.raises(ValueError, match="at most 6 seats"):
        _ = game.rules


@pytest.mark.parametrize(("players", "options"), [(6, {}), (1, {}), ("3", {}), (2, {"looks": 5}), (2, {"nothing": 1})])
def test_unsupported_tables_are_rejected(players, options):
    with pytest.raises(ValueError):
        Match(GAME, players, options, SeededChance(1))


def test_entries_are_ready_for_a_journal():
    match = choosing()
    ply = len(match.entries)
    assert match.play(0, [choose(match, 0), READY], at="noon") == [
        Entry(ply, 0, match.entries[ply].move, "noon", ply, 0),
        Entry(ply + 1, 0, READY, "noon", ply, 0),
    ]


def test_undos_per_seat_are_limited(monkeypatch):
    monkeypatch.setattr("courtly.engine.match.UNDO_LIMIT_MOVES", 4)
    match = choosing()
    for _ in range(4):
        match.play(0, choose(match, 0))
        assert match.view(0)["undo"] and match.undo(0)
    match.play(0, choose(match, 0))
    assert not match.view(0)["undo"] and rejection_of(lambda: match.undo(0)).id == "error-no-undo"
    match.play(1, choose(match, 1))
    assert match.view(1)["undo"], "each seat has its own limit"
    assert not Match.replay(GAME, 3, match.options, match.source, match.entries).can_undo(0)
    assert match.play(0, READY), "the seat can still decide"


def test_a_journal_with_more_undos_than_are_offered_now_still_replays(monkeypatch):
    match = choosing()
    for _ in range(6):
        match.play(0, choose(match, 0))
        match.undo(0)
    monkeypatch.setattr("courtly.engine.match.UNDO_LIMIT_MOVES", 2)
    replayed = Match.replay(GAME, 3, match.options, match.source, match.entries)
    assert replayed.state == match.state and replayed.entries == match.entries


def test_a_record_with_more_undos_than_are_offered_ends_there(monkeypatch):
    """The length of a record is up to its sender, so work is bounded by the maximum length of a game."""
    match = choosing()
    for _ in range(6):
        match.play(0, choose(match, 0))
        match.undo(0)
    record = write_record(match)
    first_undo_line = next(n for n, line in enumerate(record.splitlines(), 1) if '"undo"' in line)
    monkeypatch.setattr("courtly.engine.match.UNDO_LIMIT_MOVES", 2)
    with pytest.raises(InvalidRecordError, match="can take back at most 2 moves") as error:
        check(record)
    assert error.value.line == first_undo_line + 2 * 2


def test_a_view_has_the_last_cues_and_no_more(monkeypatch):
    monkeypatch.setattr("courtly.engine.match.MAX_VIEW_CUES", 3)
    match = choosing()
    for _ in range(4):
        match.play(0, choose(match, 0))
        match.undo(0)
    seq = match.seq(0)
    assert [cue["n"] for cue in match.view(0, 0)["cues"]] == [seq - 3, seq - 2, seq - 1]
    assert [cue["n"] for cue in match.view(0, seq - 1)["cues"]] == [seq - 1]


def test_an_undo_replays_from_a_nearby_position(monkeypatch):
    """However long the game was, and even after caches were dropped."""
    monkeypatch.setattr("courtly.engine.match.CHECKPOINT_INTERVAL_MOVES", 4)
    match = choosing()
    while match.decisions < 40 and not match.over:
        seat = match.pending[0]
        match.play(seat, match.legal(seat)[-1])
    assert match._checkpoints and match._checkpoints[-1][0] + 4 >= len(match._done_moves)
    for length, position in match._checkpoints:
        replayed = Match(GAME, 3, match.options, match.source, start=False)
        for move_done in match._done_moves[:length]:
            replayed.apply(move_done.seat, move_done.move)
        assert replayed.state == position.state


def test_without_a_seed_every_match_has_its_own():
    seeds = {new_match(GAME).source.number for _ in range(3)}
    assert len(seeds) == 3 and all(0 <= seed < 1 << 63 for seed in seeds)


def test_an_overflow_that_the_checked_rules_do_not_repeat_is_reported_as_it_is():
    error = new_match(GAME, seed=1)._overflow_error(OverflowError("a number is too wide"))
    assert "OverflowError: a number is too wide" in str(error)
