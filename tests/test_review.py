"""The review of a finished game: it judges by what a player knew, is deterministic, and its numbers add up."""

import json
import random
import re

import pytest
from test_cli import courtly

from courtly.bots.search.search import Search
from courtly.bots.shares import round_to_percents, shares_to_percents
from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import SeededChance
from courtly.engine.transcript import write_record
from courtly.lab.statistics.calibration import Prediction, brier_score, calibration_error, reliability_bins
from courtly.review.analysis import add_losses, compute_balances, iter_choices, judge, make_review, remaining_entries
from courtly.review.text import iter_review_lines

BIDS = find_game("sealed_bids")


def random_match(seed, players=3, undo_share=0.0):
    """Return a finished match of random moves, some of which are undone and made again."""
    match, r = Match(BIDS, players, None, SeededChance(seed)), random.Random(seed)
    while not match.over:
        undoing_seats = [seat for seat in range(players) if match.can_undo(seat)]
        if undoing_seats and r.random() < undo_share:
            match.undo(r.choice(undoing_seats))
            continue
        seat = r.choice(match.pending)
        match.play(seat, r.choice(match.legal(seat)))
    return match


@pytest.fixture(scope="module")
def search():
    return Search(BIDS, 40, loader.InterpretedBackend())


def test_undone_moves_are_not_judged():
    undo_count = 0
    for seed in range(12):
        match = random_match(seed, undo_share=0.2)
        undo_count += sum(entry.undo for entry in match.entries)
        position = Position(BIDS, 3)
        for entry in remaining_entries(match.entries):
            position.apply(entry.seat, entry.move)
        assert position.state == match.state
        assert all(choice.move in {move["id"] for move in choice.view["legal"]} for choice in iter_choices(match))
    assert undo_count > 10


def test_every_decision_with_a_choice_is_judged_and_no_other(search):
    match = random_match(3)
    review = make_review(match, search.count, [judge(search, choice) for choice in iter_choices(match)])
    assert {d["ply"] for d in review["decisions"]} == {
        entry.ply for entry in match.entries if entry.seat >= 0 and len(legal_at(match, entry)) > 1
    }
    for decision in review["decisions"]:
        entry = match.entries[decision["ply"]]
        assert decision["seat"] == entry.seat
        assert decision["tallies"][decision["played"]]["move"]["id"] == entry.move
        for tally in decision["tallies"]:
            assert sum(tally["chances"]) == pytest.approx(1, abs=0.001) and tally["error"] > 0


def legal_at(match, entry):
    position = Position(BIDS, match.players)
    for earlier in match.entries[: entry.ply]:
        position.apply(earlier.seat, earlier.move)
    return position.legal(entry.seat)


def test_the_same_decision_is_always_judged_the_same(search):
    other_search = Search(BIDS, 40, loader.InterpretedBackend())
    for choice in iter_choices(random_match(5)):
        assert judge(search, choice) == judge(other_search, choice)


def test_hidden_information_changes_no_judgement(search):
    """Two games differ only in a secret choice; a player who decides after it is judged the same in both."""
    match = Match(BIDS, 3, None, SeededChance(1))
    while len(match.pending) < 3:
        match.play(match.pending[0], "skip")
    compared = 0
    for cards in zip(match.legal(0)[:-1], match.legal(0)[1:], strict=True):
        decisions = []
        for card in cards:
            other = match.copy()
            other.play(0, card)
            other.play(1, other.legal(1)[-1])
            decisions.append(list(iter_choices(other)))
        (*_, bid, choice), (*_, other_bid, other_choice) = decisions
        assert bid.move != other_bid.move and choice.seat == 1
        assert choice == other_choice and judge(search, choice) == judge(search, other_choice)
        compared += 1
    assert compared


def test_a_clear_mistake_turns_the_game_and_the_best_move_never_does(search):
    """The last round: a player who is behind can win only with the highest card, and plays another."""
    turning_points = best_move_count = 0
    for seed in range(30):
        for choice in iter_choices(random_match(seed, players=2)):
            [decision] = add_losses([judge(search, choice)])
            turning_points += decision["turning"]
            best = decision["tallies"][0]["move"]["id"]
            [best_decision] = add_losses([judge(search, choice._replace(move=best))])
            assert (
                best_decision["played"] == 0
                and best_decision["loss"] == best_decision["error"] == 0
                and not best_decision["turning"]
            )
            best_move_count += 1
            if best_move_count > 60 and turning_points:
                return
    raise AssertionError("no game had such a mistake")


def decision(seat, *chances, goes_on=False, error=0.1):
    """Return a decision in which the last of the moves was played."""
    tallies = [
        {"move": {"id": i, "verb": "ready", "args": {}}, "chances": c, "error": error} for i, c in enumerate(chances)
    ]
    fields = {"ply": 0, "seat": seat, "goes_on": goes_on, "played": len(chances) - 1, "tallies": tallies}
    return {**fields, "loss": 0.0, "error": error, "turning": False}


def test_the_balances_equal_those_computed_by_hand():
    """The first player begins at 0.5 and loses 0.2 by choices; luck gives 0.1 back, the other loses 0.3 by choices, and
    luck does the rest.
    """
    balances = compute_balances([decision(0, [0.5, 0.5], [0.3, 0.7]), decision(1, [0.4, 0.6], [0.7, 0.3])], [1.0, 0.0])
    one, other = balances
    assert one == {"begin": 0.5, "choices": -0.2, "error": 0.1, "others": 0.3, "luck": 0.4, "end": 1.0}
    assert other == {"begin": 0.5, "choices": -0.3, "error": 0.1, "others": 0.2, "luck": -0.4, "end": 0.0}


def test_a_moves_worth_includes_the_same_players_next_decision():
    """By simulation, the first move seems to lose 0.4; but the player moves again and can keep the earlier chances."""
    for goes_on, loss, turning in ((True, 0.05, False), (False, 0.4, True)):
        first, other, second = add_losses(
            [
                decision(0, [0.6, 0.4], [0.2, 0.8]),
                decision(1, [0.3, 0.7]),
                decision(0, [0.55, 0.45], [0.1, 0.9], goes_on=goes_on),
            ]
        )
        assert first["loss"] == pytest.approx(loss) and first["turning"] == turning
        assert other["loss"] == 0 and not other["turning"]
        assert second["loss"] == pytest.approx(0.45) and second["turning"]
        assert first["error"] == pytest.approx(0.1 * 2**0.5, abs=0.001)


def test_new_information_ends_a_run_of_decisions():
    """All choose a card in secret, and the first changes it, which shows nothing. Then all cards are revealed."""
    match = Match(BIDS, 2, {"looks": 0}, SeededChance(1))
    for seat, verb in ((0, "choose"), (1, "choose"), (0, "choose"), (0, "ready"), (1, "choose"), (1, "ready")):
        match.play(seat, next(move for move in match.legal(seat) if move.verb == verb))
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[0])
    choices = [(choice.seat, choice.goes_on) for choice in iter_choices(match)]
    assert choices[:6] == [(0, False), (1, False), (0, True), (0, True), (1, False), (1, True)]
    assert choices[6][1] is False


def test_balances_add_up(search):
    for seed in range(3):
        match = random_match(seed)
        review = make_review(match, search.count, [judge(search, choice) for choice in iter_choices(match)])
        for balance in review["balances"]:
            total = balance["begin"] + balance["choices"] + balance["others"] + balance["luck"]
            assert total == pytest.approx(balance["end"], abs=0.001)
        assert sum(balance["end"] for balance in review["balances"]) == pytest.approx(1, abs=0.001)


def test_a_running_game_is_not_reviewed():
    with pytest.raises(ValueError, match="not over"):
        make_review(Match(BIDS, 2, None, SeededChance(1)), 20, [])


def test_empty_names_are_left_out():
    text = write_record(random_match(1), seats=["Ann", 7])
    assert transcript.read_names(text, 3) == ["Ann", "", ""]
    assert transcript.read_names(write_record(random_match(1), seats="Ann"), 2) == ["", ""]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_solved_decisions_have_no_error(language):
    texts = {}
    for simulations, error in ((0, 0.0), (500, 0.04)):
        decisions = add_losses([decision(0, [0.6, 0.4], [0.2, 0.8], error=error)])
        review = make_review(random_match(1, players=2), simulations, decisions)
        texts[simulations] = "\n".join(iter_review_lines(review, BIDS, ["", ""], language))
    assert "±" not in texts[0] and texts[500].count("±") == 2
    assert "500" in texts[500] and "500" not in texts[0]


def test_the_text_names_the_move_with_the_highest_chance_and_begins_with_the_largest_loss():
    small = decision(0, [0.6, 0.4], [0.4, 0.6])
    large = decision(0, [0.6, 0.4], [0.7, 0.3], [0.2, 0.8])
    for turning_point, ply in ((small, 3), (large, 8)):
        turning_point |= {"ply": ply, "turning": True}
    review = make_review(random_match(1, players=2), 500, [])
    review["decisions"] = [small, large]
    lines = [*iter_review_lines(review, BIDS, ["", ""], "en")]
    assert "the largest loss first" in lines[2]
    assert [line.split()[0] for line in lines[3:7:2]] == ["8", "3"]
    assert "70 % instead of 20 %, 50" in lines[4] and "60 % instead of 40 %, 20" in lines[6]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_rounded_numbers_agree_and_have_signs_of_one_width(language):
    review = make_review(random_match(1, players=2), 500, [decision(0, [0.4849, 0.5151], [0.3351, 0.6649])])
    review["decisions"][0] |= {"loss": 0.1498, "turning": True}
    review["balances"] = [
        {"begin": 0.3333, "choices": -0.0342, "error": 0.1, "others": 0.0043, "luck": 0.6967, "end": 1.0},
        {"begin": 0.6667, "choices": 0.0, "error": 0.1, "others": 0.0, "luck": -0.6667, "end": 0.0},
    ]
    *_, better, _, _, one, other = iter_review_lines(review, BIDS, ["", ""], language)
    assert re.findall(r"\d+", better)[:3] == (["48", "34", "14"] if language == "en" else ["34", "48", "14"])
    assert re.findall(r"[+＋−]?\d+", one) == ["33", "−3", "10", "0", "+70", "100"]
    assert re.findall(r"[+＋−]?\d+", other) == ["67", "0", "10", "0", "−67", "0"]


# --- calibration ------------------------------------------------------------------------------------------------------


def test_calibration_measures_equal_those_computed_by_hand():
    predictions = [Prediction(0.8, 1), Prediction(0.9, 1), Prediction(0.85, 0), Prediction(0.2, 0), Prediction(1.0, 1)]
    assert brier_score(predictions) == pytest.approx((0.04 + 0.01 + 0.7225 + 0.04 + 0) / 5)
    low, high = reliability_bins(predictions, 5)
    assert (low.times, low.predicted, low.outcome) == (1, 0.2, 0.0)
    assert (high.lowest, high.highest, high.times) == (0.8, 1.0, 4)
    assert high.predicted == pytest.approx(0.8875) and high.outcome == pytest.approx(0.75)
    assert calibration_error(predictions, 5) == pytest.approx((0.2 + 4 * 0.1375) / 5)
    with pytest.raises(ValueError, match="no predictions"):
        brier_score([])


def test_calibration_distinguishes_true_chances():
    r = random.Random(1)
    calibrated = [Prediction(chance, float(r.random() < chance)) for chance in (r.random() for _ in range(20_000))]
    assert calibration_error(calibrated) < 0.02 and brier_score(calibrated) == pytest.approx(1 / 6, abs=0.01)
    overconfident = [prediction._replace(chance=float(prediction.chance > 0.5)) for prediction in calibrated]
    assert calibration_error(overconfident) > 0.2 and brier_score(overconfident) > brier_score(calibrated)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_text(write_record(random_match(4), seats=["Ann", "", "Bo"]), encoding="utf-8")
    return file


def test_a_record_is_reviewed(file):
    def review(*args):
        return courtly("record", "review", str(file), "--simulations", "200", *args)

    one_core, two_cores = (review("--json", "--cores", cores) for cores in "12")
    assert one_core.returncode == 0, one_core.stderr
    assert one_core.stdout == two_cores.stdout
    result = json.loads(one_core.stdout)
    assert result["game"] == "sealed_bids" and result["simulations"] == 200 and len(result["balances"]) == 3
    english, japanese = (review("--language", language).stdout for language in ("en", "ja"))
    assert "Ann: at the start" in english and "Eagle: at the start" in english and "review-" not in english
    assert "Ann：開始時" in japanese and "鷲：開始時" in japanese and "review-" not in japanese
    narrow_encoding = {"PYTHONIOENCODING": "cp1252"}
    process = courtly("record", "review", str(file), "--simulations", "200", "--language", "ja", env=narrow_encoding)
    assert process.returncode == 0 and "Ann\\uff1a" in process.stdout, process.stderr


def test_invalid_input_gives_a_one_line_error(file, tmp_path):
    lines = file.read_text(encoding="utf-8").splitlines()
    running_game = write_record(Match(BIDS, 3, None, SeededChance(1)))
    for text, message in [
        ("\n".join([*lines[:7], *lines[8:]]), "line 8:"),
        ("\n".join([lines[0].replace('"version": 1', '"version": 77'), *lines[1:]]), "version 77"),
        (running_game, "not over"),
        ("", "empty"),
        ("{", "is not JSON"),
    ]:
        invalid_file = tmp_path / "invalid.jsonl"
        invalid_file.write_text(text, encoding="utf-8")
        process = courtly("record", "review", str(invalid_file))
        assert process.returncode == 1 and message in process.stderr and "Traceback" not in process.stderr, text[:50]


def test_the_command_says_how_to_get_machine_code(file):
    process = courtly("record", "review", str(file), env={"COURTLY_NATIVE": "0"})
    assert process.returncode == 1 and "COURTLY_NATIVE=0 turns the compiler off: unset it" in process.stderr


@pytest.mark.parametrize(
    ("changes", "total", "percents"),
    [
        ([0.104, 0.104, -0.208], 0, [11, 10, -21]),
        ([0.335, 0.335, 0.33], 100, [33, 34, 33]),
        ([-0.004, -0.004], -1, [-1, 0]),
        ([0.25, 0.75], 100, [25, 75]),
    ],
)
def test_rounded_changes_add_up(changes, total, percents):
    assert round_to_percents(changes, total) == percents


@pytest.mark.parametrize("number", range(200))
def test_chances_shown_together_add_up(number):
    """All of them to 100, some of them to no more, each rounded to one of its neighbours."""
    generator = random.Random(number)
    weights = [generator.random() ** 3 for _ in range(generator.randint(2, 6))]
    shares = [weight / sum(weights) for weight in weights]
    percents = shares_to_percents(shares)
    assert sum(percents) == 100
    assert all(abs(100 * share - percent) < 1 for share, percent in zip(shares, percents, strict=True))
    assert sum(shares_to_percents(shares[1:])) <= 100
    assert sum(shares_to_percents([1.02 * share for share in shares])) == 100, "estimates of more than all"
