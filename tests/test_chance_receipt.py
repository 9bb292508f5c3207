"""What a receipt proves about the dice of a game. The page /proof judges in the same way (test_proof_page.py)."""

import hashlib
import json

import pytest

from courtly.session.chance_receipt import ReceiptError, judge_chance, read_receipt, summarize

SECRET, FIRST, SECOND = (bytes(range(first, first + 32)).hex() for first in (0, 32, 64))
CHANCE = {"secret": SECRET, "table": "t", "nonces": [FIRST, SECOND], "counted": "events"}
PROVED = "proved to the holder of the receipt: chance was fair; not even the server chose it"


def fingerprint(number):
    return hashlib.sha256(bytes.fromhex(number)).hexdigest()


RECEIPT = {
    "courtly-receipt": 2,
    "table": "t",
    "game": "sealed_bids",
    "commitment": fingerprint(SECRET),
    "pledges": [fingerprint(FIRST), fingerprint(SECOND)],
    "numbers": {"0": FIRST},
    "attempts": 1,
}


def judge(chance=None, **changes):
    """Return the findings that differ from those of a sound record and receipt, and the conclusion."""
    receipt = read_receipt(json.dumps(RECEIPT | changes))
    record = CHANCE | (chance or {})
    findings = judge_chance(record, receipt)
    sound = judge_chance(CHANCE, read_receipt(json.dumps(RECEIPT)))
    return [(f.good, f.text) for f in findings if f not in sound], summarize(record, findings, receipt)


def test_a_sound_record_is_proved():
    assert judge() == ([], PROVED)
    assert judge(numbers={"0": FIRST, "1": SECOND}) == ([], PROVED)


@pytest.mark.parametrize(
    ("chance", "changes", "text"),
    [
        ({}, {"table": "u"}, "the secret is NOT the one whose fingerprint the browser kept"),
        ({}, {"commitment": fingerprint(FIRST)}, "the secret is NOT the one whose fingerprint the browser kept"),
        ({"secret": "no number"}, {}, "the secret is NOT the one whose fingerprint the browser kept"),
        ({}, {"numbers": {"0": SECOND}}, "the browser's number is NOT in it"),
        ({}, {"numbers": {"7": FIRST}}, "the browser's number is NOT in it"),
        ({}, {"numbers": {}}, "the server took no number from the browser"),
        ({}, {"pledges": [None, fingerprint(FIRST)]}, "numbers that are NOT the announced ones: player 2"),
        ({}, {"pledges": []}, "numbers that are NOT the announced ones: player 2"),
        ({"nonces": [FIRST, FIRST]}, {}, "numbers that could be guessed, or are another's: player 1, player 2"),
        ({"nonces": [FIRST, "ab" * 32]}, {}, "numbers that could be guessed, or are another's: player 2"),
        ({"nonces": [FIRST, "odd"]}, {}, "numbers that could be guessed, or are another's: player 2"),
        (
            {"counted": "entries"},
            {},
            "draws are numbered by entries of the journal: with the secret, a player could choose them by taking back",
        ),
    ],
)
def test_a_contradiction_is_found(chance, changes, text):
    findings, summary = judge(chance, **changes)
    assert (False, text) in findings and summary == "NOT valid"


def test_what_cannot_be_known_is_said():
    assert judge(attempts=3) == ([(None, "redraws of all numbers before the game: 2")], PROVED)
    without_number = (None, "no number was added by player 2 (bots never add one)")
    assert judge({"nonces": [FIRST, ""]}, pledges=[fingerprint(FIRST), None]) == ([without_number], PROVED)
    findings, summary = judge({"counted": "entries"}, **{"courtly-receipt": 1})
    assert [good for good, _ in findings] == [None]
    assert summary == "consistent with itself, which does not prove that chance was fair"
    assert judge_chance(CHANCE, None) == []
    assert summarize(CHANCE, [], None).startswith("consistent with itself; without a receipt")
    [finding] = judge_chance({"seed": 5}, None)
    assert finding.good is None and "drawn from a seed" in finding.text


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[]",
        "{}",
        *(
            json.dumps(RECEIPT | changes)
            for changes in (
                {"courtly-receipt": 3},
                {"numbers": {"0": "odd"}},
                {"numbers": {"first": FIRST}},
                {"numbers": []},
                {"pledges": None},
                {"attempts": "one"},
            )
        ),
        json.dumps({name: value for name, value in RECEIPT.items() if name != "commitment"}),
    ],
)
def test_a_file_that_is_no_receipt_is_refused(text):
    with pytest.raises(ReceiptError):
        read_receipt(text)
