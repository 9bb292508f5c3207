"""Lessons over HTTP: the server stores nothing, validates requests, and answers every request."""

from courtly.engine.game import find_game

MOVES = find_game("petition").moves


def learn(guest, game="petition", **wish):
    return guest.post(f"/api/games/{game}/lesson", wish)


def test_a_step_follows_from_the_moves(ada):
    first = learn(ada).json
    assert first["done"] == [[]] and not first["asks"] and first["view"]["legal"] == []
    second = learn(ada, done=[[], []]).json
    assert second["asks"] and second["view"]["legal"] and second["next"]["verb"] == "keep"
    keep = second["next"]["id"]
    again = learn(ada, done=[[], [keep]]).json
    assert again["done"] == [[], [keep]] and again["view"]["undo"] and again["next"]["id"] == keep
    assert learn(ada, done=[[], []]).json == second
    third = learn(ada, done=[[], [keep, keep, MOVES.roll]]).json
    assert third["done"] == [[], [keep, keep, MOVES.roll], []] and third["view"]["seq"] > second["view"]["seq"]


def test_a_different_move_is_shown_without_a_next_step(ada):
    found = learn(ada, done=[[], [MOVES.read("keep 6"), MOVES.roll]]).json
    assert found["astray"] and found["view"]["undo"] and found["view"]["legal"] == [] and found["next"] is None
    assert found["view"]["pending"] == [0]  # the dice have been rolled


def test_foresee_in_a_lesson(ada):
    keep = MOVES.read("keep 4")
    assert learn(ada, done=[[], []], foresee=[keep]).json["foreseen"]["state"]["aside"][3] == 1
    assert learn(ada, done=[[], []], foresee=[MOVES.roll]).error == "error-illegal"


def test_a_step_by_its_id(ada):
    found = learn(ada, at="result").json
    assert found["say"] == "result" and len(found["done"]) == 3 and found["asks"]
    assert learn(ada, at="nothing").status == 404


def test_moves_that_are_not_part_of_the_lesson(ada):
    assert learn(ada, done=[[1, 2, 3], [3, 3], []]).json["done"] == [[], []]  # the lesson has changed since
    assert learn(ada, done=[[], [99999]]).error == "error-unknown-move"
    assert learn(ada, done=[[], [MOVES.roll]]).error == "error-illegal"
    assert learn(ada, done=[[]] * 41).error == "error-malformed"
    assert learn(ada, done=[[-1]]).error == "error-malformed"
    assert learn(ada, game="sealed_bids").status == 404
    assert learn(ada, game="chess").status == 404
