"""What cues say about amounts: LOGGED of facts.py."""

import random
from collections import Counter

import pytest

import courtly
from courtly.engine.facts import Logged
from courtly.engine.game import find_game, game_ids
from courtly.engine.logged import check_logged
from courtly.session.view_history import ViewHistory

REFUSED = {
    "no such field": (Logged("pints", ("points",)), "pints, which is not a public field"),
    "a private field": (Logged("choice", ("cards",)), "choice, which is not a public field"),
    "a secret field": (Logged("deck", ("cards",)), "deck, which is not a public field"),
    "no row of a seat": (Logged("gone", ("cards",)), "expected one number, or one or a row for each seat"),
    "a name too many": (Logged("score", ("points", "cards")), "2 names for score; expected one for each number"),
    "revealed without a row": (Logged("score", ("points",), revealed_after=(0,)), "reveals score; expected a row for"),
    "no such verb": (Logged("score", ("points",), verbs=("win",)), "names win; expected moves or events"),
}


def play_randomly(game, seed, count=400):
    """Return a match and its history with everything open."""
    choice, history = random.Random(seed), ViewHistory("all")
    match = courtly.new_match(game, players=choice.choice(find_game(game).players), seed=seed)
    while not match.over and len(match.entries) < count:
        seat = choice.choice(match.pending)
        match.play(seat, choice.choice(match.legal(seat)))
        for other in range(match.players):
            if match.can_undo(other) and choice.random() < 0.1:
                match.undo(other)
        history.record_moment(match)
    return match, history


def drop_undone(cues):
    """Return the cues of moves that were not taken back."""
    kept = []
    for cue in cues:
        if cue["verb"] == "undo":
            undone = [other for other in kept if other["seat"] == cue["seat"]][-cue["args"]["count"] :]
            kept = [other for other in kept if other not in undone]
        else:
            kept.append(cue)
    return kept


@pytest.mark.parametrize(("logged", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_public_or_does_not_fit_is_refused(logged, message):
    game = find_game("sealed_bids")
    with pytest.raises(ValueError, match=message):
        check_logged([logged], game.State, tuple(game.moves.first))


@pytest.mark.parametrize("game", ["sealed_bids", *game_ids()])
@pytest.mark.parametrize("seed", range(6))
def test_what_the_log_says_adds_up(game, seed):
    """From the beginning, the changes of a number that is always named add up to the number. In the games of Courtly
    spectators see all of them."""
    match, history = play_randomly(game, seed)
    totals = Counter()
    for cue in drop_undone(history.cues if game == "sealed_bids" else match.cues(None)):
        for change in cue.get("changes", ()):
            assert change["n"]
            if "revealed" in change:
                continue
            totals[change["seat"], change["name"]] += change["n"]
    for field, names, verbs, revealed_after in match.game.logged:
        if not verbs and not revealed_after:
            for seat, number in enumerate(getattr(match.state, field)):
                assert totals[seat, names[0]] == number


def test_what_is_named():
    """A number that belongs to no seat is that of the seat that moves; only changes by the named verbs are named."""
    cues = [cue for seed in range(20) for cue in play_randomly("sealed_bids", seed)[1].cues]
    rounds = [(cue, change) for cue in cues for change in cue.get("changes", ()) if change["name"] == "rounds"]
    assert rounds and all(change["seat"] == cue["seat"] and cue["verb"] == "answer" for cue, change in rounds)


@pytest.mark.parametrize("seed", range(6))
def test_what_all_have_chosen_in_secret_is_named_when_it_is_revealed(seed):
    """The last to be ready reveals the shows of all; until then the log names none of them."""
    choice, match, reveals = random.Random(seed), courtly.new_match("necklace", players=3, seed=seed), 0
    phases, names = type(match.state).fields["phase"].names, match.game.logged[1].names
    while not match.over:
        before, seat = phases[match.state.phase], choice.choice(match.pending)
        match.play(seat, choice.choice(match.legal(seat)))
        cue = next(cue for cue in reversed(match.cues(None)) if cue["seat"] == seat)
        shown = [change for change in cue.get("changes", ()) if "revealed" in change]
        if before != "show" or phases[match.state.phase] == "show":
            assert not shown
            continue
        reveals += 1
        rows = [{change["name"]: change["n"] for change in shown if change["seat"] == seat} for seat in range(3)]
        assert cue["verb"] == "commit"
        assert rows == [{name: n for name, n in zip(names, row, strict=True) if n} for row in match.state.shown[:3]]
    assert reveals == 3


@pytest.mark.parametrize("seed", range(6))
def test_changes_are_named_to_those_who_see_the_move(seed):
    """A card that is dealt is seen by one seat, which alone learns by the cue that it has one more."""
    match, _ = play_randomly("sealed_bids", seed)
    dealt = {seat: [cue for cue in match.cues(seat) if cue["verb"] == "deal"] for seat in [*range(match.players), None]}
    assert not any("changes" in cue for cue in dealt[None])
    for seat in range(match.players):
        received = [cue for cue in dealt[seat] if cue["args"]]
        assert received and all(cue["changes"] == [{"seat": seat, "name": "cards", "n": 1}] for cue in received)
        assert not any("changes" in cue for cue in dealt[seat] if not cue["args"])


def test_the_open_history_has_the_changes_of_the_match():
    match, history = play_randomly("sealed_bids", 3)
    moves = drop_undone(history.cues)
    assert [cue.get("changes", []) for cue in moves] == match.changes(len(moves))
