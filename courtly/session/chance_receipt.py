"""What a browser's receipt proves about a finished game: see "Chance" in docs/protocol.md.

A receipt is JSON: {"courtly-receipt": 2, "table": id, "game": …, "commitment": hex, "pledges": [hex or null, …],
"numbers": {"0": hex}, "attempts": 1}. It holds what the browser had received when it sent its numbers. Format 1 is the
same, from a browser that accepted draws numbered by entries of the journal.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any, NamedTuple

from courtly.engine.errors import CourtlyError

RECEIPT_FORMATS = (1, 2)
MIN_NUMBER_BYTES = 16
MIN_DISTINCT_BYTES = 4  # the least number of different bytes in a plausible random number


class ReceiptError(CourtlyError):
    """A file that is not a receipt."""


class ReceiptFinding(NamedTuple):
    """A finding: `good` is True if it is proved, False if it is refuted, None if it cannot be known."""

    good: bool | None
    text: str


def read_receipt(text: str) -> dict[str, Any]:
    """Return a receipt. Raises ReceiptError if the text is not a receipt."""
    try:
        receipt: dict[str, Any] = json.loads(text)
        if receipt["courtly-receipt"] not in RECEIPT_FORMATS:
            formats = " or ".join(map(str, RECEIPT_FORMATS))
            raise ReceiptError(f"expected a receipt of format {formats}, found {receipt['courtly-receipt']!r}")
        receipt["numbers"] = {int(seat): str(number) for seat, number in receipt["numbers"].items()}
        for number in receipt["numbers"].values():
            bytes.fromhex(number)
        if not isinstance(receipt["pledges"], list) or not isinstance(receipt["attempts"], int):
            raise ReceiptError("pledges or attempts are missing")
        receipt["commitment"], receipt["table"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReceiptError(f"is not a receipt: {error}") from None
    return receipt


def judge_chance(chance: dict[str, Any], receipt: dict[str, Any] | None) -> list[ReceiptFinding]:
    """Return what is proved about a record's random events, given the receipt that a browser stored, if any. The caller
    has already checked the record against its secret, its numbers and the rules."""
    if "sources" in chance:
        return [ReceiptFinding(None, "played on from another game, with new chance from there: nothing was promised")]
    if "secret" not in chance:
        return [ReceiptFinding(None, "drawn from a seed, which its author chose: nothing was promised")]
    nonces = [str(nonce) for nonce in chance["nonces"]]
    findings = [] if receipt is None else list(_receipt_findings(chance, nonces, receipt))
    if not _is_bound(chance):
        text = (
            "draws are numbered by entries of the journal: with the secret, a player could choose them by taking back"
        )
        findings.insert(0, ReceiptFinding(None if receipt is None or receipt["courtly-receipt"] == 1 else False, text))
    counts = Counter(nonces)
    weak = [seat for seat, nonce in enumerate(nonces) if nonce and (_is_weak(nonce) or counts[nonce] > 1)]
    if weak:
        findings.append(ReceiptFinding(False, f"numbers that could be guessed, or are another's: {_seats(weak)}"))
    without_number = [seat for seat, nonce in enumerate(nonces) if not nonce]
    if without_number:
        findings.append(ReceiptFinding(None, f"no number was added by {_seats(without_number)} (bots never add one)"))
    return findings


def summarize(chance: dict[str, Any], findings: list[ReceiptFinding], receipt: dict[str, Any] | None) -> str:
    """Return the conclusion from the findings, in a sentence."""
    if any(finding.good is False for finding in findings):
        return "NOT valid"
    if not _is_bound(chance):
        return "consistent with itself, which does not prove that chance was fair"
    if receipt is None:
        return "consistent with itself; without a receipt, this does not prove that chance was fair"
    return "proved to the holder of the receipt: chance was fair; not even the server chose it"


def _receipt_findings(chance: dict[str, Any], nonces: list[str], receipt: dict[str, Any]) -> list[ReceiptFinding]:
    findings = []
    same = receipt["table"] == chance["table"] and receipt["commitment"] == _fingerprint(chance["secret"])
    findings.append(
        ReceiptFinding(same, f"the secret is {'' if same else 'NOT '}the one whose fingerprint the browser kept")
    )
    numbers = receipt["numbers"]
    if not numbers:
        findings.append(ReceiptFinding(False, "the server took no number from the browser"))
    else:
        inside = all(seat in range(len(nonces)) and nonces[seat] == number for seat, number in numbers.items())
        findings.append(ReceiptFinding(inside, f"the browser's number is {'' if inside else 'NOT '}in it"))
    pledges = [*receipt["pledges"], *[None] * len(nonces)]
    others = [
        seat
        for seat, nonce in enumerate(nonces)
        if seat not in numbers and (_fingerprint(nonce) if nonce else None) != pledges[seat]
    ]
    if others:
        findings.append(ReceiptFinding(False, f"numbers that are NOT the announced ones: {_seats(others)}"))
    if receipt["attempts"] > 1:
        findings.append(ReceiptFinding(None, f"redraws of all numbers before the game: {receipt['attempts'] - 1}"))
    return findings


def _is_bound(chance: dict[str, Any]) -> bool:
    """Return True if taking back a move cannot change the next draw."""
    return chance.get("counted") == "events"


def _fingerprint(number: str) -> str:
    try:
        return hashlib.sha256(bytes.fromhex(number)).hexdigest()
    except ValueError:
        return ""


def _is_weak(number: str) -> bool:
    try:
        raw = bytes.fromhex(number)
    except ValueError:
        return True
    return len(raw) < MIN_NUMBER_BYTES or len(set(raw)) < MIN_DISTINCT_BYTES


def _seats(seats: list[int]) -> str:
    return ", ".join(f"player {seat + 1}" for seat in seats)
