"""A list with free copies behaves like an ordinary list."""

import random

import pytest

from courtly.engine.append_only_list import AppendOnlyList


def test_copies_are_independent_like_those_of_lists():
    rng, pairs = random.Random(3), [(AppendOnlyList([1, 2]), [1, 2])]
    for n in range(3000):
        append_only, ordinary = rng.choice(pairs)
        if rng.random() < 0.4:
            pairs.append((append_only.copy(), ordinary[:]))
        elif rng.random() < 0.7 or not ordinary:
            append_only.append(n)
            ordinary.append(n)
        else:
            start = rng.randrange(len(ordinary))
            stop = rng.choice([len(ordinary), rng.randint(start, len(ordinary))])
            append_only.remove(start, stop)
            del ordinary[start:stop]
        del pairs[:-20]
        for append_only, ordinary in pairs:
            assert append_only == ordinary and [*append_only] == ordinary and len(append_only) == len(ordinary)
            first, last = sorted(rng.choices(range(-3, len(ordinary) + 3), k=2))
            assert append_only[first:last] == ordinary[first:last] and append_only[::-1] == ordinary[::-1]
            assert [*reversed(append_only)] == ordinary[::-1] and append_only[-1:] == ordinary[-1:]


def test_a_shorter_copy_does_not_show_elements_appended_to_the_other():
    original = AppendOnlyList("ab")
    copy = original.copy()
    copy.append("c")
    assert [*original] == ["a", "b"] and original[5:] == []
    with pytest.raises(IndexError):
        original[2]
    original.append("d")
    assert [*copy] == ["a", "b", "c"] and [*original] == ["a", "b", "d"]


def test_only_lists_are_equal_to_it_and_it_is_shown_as_one():
    numbers = AppendOnlyList([1, 2])
    assert numbers == AppendOnlyList([1, 2]) and numbers != (1, 2) and repr(numbers) == "[1, 2]"
