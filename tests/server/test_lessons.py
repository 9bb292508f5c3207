"""Lessons over HTTP: nothing is kept, what is asked for is checked, and whatever is sent gets an answer."""

from courtly.engine.game import find_game

MOVES = find_game("petition").moves


def learn(guest, game="petition", **wish):
    return guest.post(f"/api/games/{game}/lesson", wish)


def test_a_step_follows_from_what_was_done(ada):
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


def test_another_move_is_shown_and_nothing_more(ada):
    found = learn(ada, done=[[], [MOVES.read("keep 6"), MOVES.roll]]).json
    assert found["astray"] and found["view"]["undo"] and found["view"]["legal"] == [] and found["next"] is None
    assert found["view"]["pending"] == [0]  # the dice have fallen


def test_what_would_be_seen_is_told(ada):
    keep = MOVES.read("keep 4")
    assert learn(ada, done=[[], []], foresee=[keep]).json["foreseen"]["state"]["aside"][3] == 1
    assert learn(ada, done=[[], []], foresee=[MOVES.roll]).error == "error-illegal"


def test_a_step_by_what_it_says(ada):
    found = learn(ada, at="result").json
    assert found["say"] == "result" and len(found["done"]) == 3 and found["asks"]
    assert learn(ada, at="nothing").status == 404


def test_what_does_not_belong_to_the_lesson(ada):
    assert learn(ada, done=[[1, 2, 3], [3, 3], []]).json["done"] == [[], []]  # it has changed since
    assert learn(ada, done=[[], [99999]]).error == "error-unknown-move"
    assert learn(ada, done=[[], [MOVES.roll]]).error == "error-illegal"
    assert learn(ada, done=[[]] * 41).error == "error-malformed"
    assert learn(ada, done=[[-1]]).error == "error-malformed"
    assert learn(ada, game="sealed_bids").status == 404
    assert learn(ada, game="chess").status == 404
