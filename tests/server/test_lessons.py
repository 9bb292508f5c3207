"""Lessons over HTTP: the server stores nothing, validates requests, and answers every request."""

from courtly.engine.game import find_game

MOVES = find_game("petition").moves


def request_lesson(guest, game="petition", **request):
    return guest.post(f"/api/games/{game}/lesson", request)


def test_a_step_follows_from_the_moves(ada):
    first = request_lesson(ada).json
    assert first["done"] == [[]] and not first["expects_move"] and first["view"]["legal"] == []
    second = request_lesson(ada, done=[[], []]).json
    assert second["expects_move"] and second["view"]["legal"] and second["suggested_move"]["verb"] == "keep"
    keep = second["suggested_move"]["id"]
    repeated = request_lesson(ada, done=[[], [keep]]).json
    assert repeated["done"] == [[], [keep]] and repeated["view"]["undo"] and repeated["suggested_move"]["id"] == keep
    assert request_lesson(ada, done=[[], []]).json == second
    third = request_lesson(ada, done=[[], [keep, keep, MOVES.roll]]).json
    assert third["done"] == [[], [keep, keep, MOVES.roll], []] and third["view"]["seq"] > second["view"]["seq"]


def test_a_different_move_is_shown_without_a_next_step(ada):
    lesson = request_lesson(ada, done=[[], [MOVES.read("keep 6"), MOVES.roll]]).json
    assert (
        lesson["off_script"]
        and lesson["view"]["undo"]
        and lesson["view"]["legal"] == []
        and lesson["suggested_move"] is None
    )
    assert lesson["view"]["pending"] == [0]  # the dice have been rolled


def test_preview_in_a_lesson(ada):
    keep = MOVES.read("keep 4")
    assert request_lesson(ada, done=[[], []], preview_moves=[keep]).json["preview"]["state"]["aside"][3] == 1
    assert request_lesson(ada, done=[[], []], preview_moves=[MOVES.roll]).error == "error-illegal"


def test_a_step_can_be_requested_by_its_id(ada):
    lesson = request_lesson(ada, at="result").json
    assert lesson["text_key"] == "result" and len(lesson["done"]) == 3 and lesson["expects_move"]
    assert request_lesson(ada, at="nothing").status == 404


def test_moves_that_are_not_part_of_the_lesson_are_dropped_or_rejected(ada):
    assert request_lesson(ada, done=[[1, 2, 3], [3, 3], []]).json["done"] == [[], []]  # the lesson has changed since
    assert request_lesson(ada, done=[[], [99999]]).error == "error-unknown-move"
    assert request_lesson(ada, done=[[], [MOVES.roll]]).error == "error-illegal"
    assert request_lesson(ada, done=[[]] * 41).error == "error-malformed"
    assert request_lesson(ada, done=[[-1]]).error == "error-malformed"
    assert request_lesson(ada, game="sealed_bids").status == 404
    assert request_lesson(ada, game="chess").status == 404
