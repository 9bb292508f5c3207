import hashlib
import hmac

import pytest

from courtly.engine.rng import (
    BLOCK_WORDS,
    GENERATOR_SIZE,
    WORD_MASK,
    CommittedChance,
    SeededChance,
    SimulatedChance,
    _refill_compiled,
    draw_below,
    draw_word,
    make_generator,
    philox,
    pick_weighted,
    refill,
    seed_generator,
)


@pytest.mark.parametrize(
    ("counter", "key", "word"),
    [
        ((0, 0), 0, 0xFF1DAE59),
        ((WORD_MASK, WORD_MASK), WORD_MASK, 0x2C3F628B),
        ((0x243F6A88, 0x85A308D3), 0x13198A2E, 0xDD7CE038),
    ],
)
def test_published_vectors_of_philox2x32_10(counter, key, word):
    assert philox(*counter, key) == word


def test_the_interpreted_refill_gives_the_same_words():
    for start in (0, 5, WORD_MASK - BLOCK_WORDS + 1):
        compiled_block, interpreted_block = [
            [BLOCK_WORDS, 0xDEADBEEF, 0x12345678, start] + [0] * BLOCK_WORDS for _ in range(2)
        ]
        _refill_compiled(compiled_block)
        refill(interpreted_block)
        assert compiled_block == interpreted_block


def test_streams_and_seeds_differ():
    beginnings = {
        tuple(draw_word(rng) for _ in range(4))
        for rng in (make_generator(n, stream) for n in (0, 1, 1 << 40, (1 << 63) - 1) for stream in (0, 1, 2))
    }
    assert len(beginnings) == 12


def test_a_seed_starts_again():
    rng = [0] * GENERATOR_SIZE
    seed_generator(rng, 12, 3)
    first_words = [draw_word(rng) for _ in range(200)]
    seed_generator(rng, 12, 3)
    assert [draw_word(rng) for _ in range(200)] == first_words


def chi_square(counts, expected):
    return sum((c - e) ** 2 / e for c, e in zip(counts, expected, strict=True))


def test_draws_follow_their_weights():
    rng = make_generator(4)
    faces, picks = [0] * 6, [0] * 3
    for _ in range(30_000):
        faces[draw_below(rng, 6)] += 1
        picks[pick_weighted(rng, [1, 0, 3], 3)] += 1
    assert chi_square(faces, [5000] * 6) < 20.5  # the 99.9 % quantile with five degrees of freedom
    assert picks[1] == 0 and chi_square([picks[0], picks[2]], [7500, 22500]) < 10.8


@pytest.mark.parametrize("numbering", ["events", "entries"])
def test_the_committed_stream_matches_its_description(numbering):
    source = CommittedChance(b"secret", "k7f3q9", ["aa", "bb"], numbering)
    for event in range(50):
        ply = 3 * event
        number = int.from_bytes(
            hmac.new(
                b"secret", f"k7f3q9|aa,bb|{ply if numbering == 'entries' else event}|0".encode(), hashlib.sha256
            ).digest()[:8],
            "big",
        )
        assert source.choose(ply, event, [1] * 6) == number % 6
    assert CommittedChance.commitment(b"secret") == hashlib.sha256(b"secret").hexdigest()


@pytest.mark.parametrize("source", [CommittedChance(b"x", "t", []), SeededChance(77)])
def test_sources_follow_the_weights_and_repeat_themselves(source):
    counts = [0, 0, 0]
    for n in range(9000):
        counts[source.choose(n, n, [1, 0, 2])] += 1
        assert source.choose(n, n, [5]) == 0
    assert counts[1] == 0 and chi_square([counts[0], counts[2]], [3000, 6000]) < 10.8


@pytest.mark.parametrize("number", [-1, 1 << 63])
def test_seeds_out_of_range_are_rejected(number):
    with pytest.raises(ValueError, match="seed"):
        SeededChance(number)


def test_draws_beyond_a_multiple_of_the_sum_are_rejected(monkeypatch):
    """Otherwise the first outcomes would be more likely."""
    digests = iter([(1 << 64) - 1, 7])  # the first number is above the greatest multiple of 5
    monkeypatch.setattr(hmac, "digest", lambda *_: next(digests).to_bytes(8, "big"))
    assert CommittedChance(bytes(32), "table", []).choose(0, 0, [2, 1, 2]) == 1  # 7 modulo 5 is 2
    assert next(digests, None) is None


def test_impossible_numbers_and_weights_are_refused():
    with pytest.raises(ValueError, match="all 0"):
        SeededChance(5).choose(0, 0, [0, 0])
    with pytest.raises(ValueError, match="a seed and a game are whole numbers"):
        SimulatedChance(1 << 63, 0, True)
