"""A list with free copies behaves like an ordinary list."""

import random

import pytest

from courtly.engine.append_only_list import AppendOnlyList


def test_copies_are_independent_like_those_of_lists():
    r, pairs = random.Random(3), [(AppendOnlyList([1, 2]), [1, 2])]
    for n in range(3000):
        mine, plain = r.choice(pairs)
        if r.random() < 0.4:
            pairs.append((mine.copy(), plain[:]))
        elif r.random() < 0.7 or not plain:
            mine.append(n)
            plain.append(n)
        else:
            start = r.randrange(len(plain))
            stop = r.choice([len(plain), r.randint(start, len(plain))])
            mine.remove(start, stop)
            del plain[start:stop]
        del pairs[:-20]
        for one, other in pairs:
            assert one == other and [*one] == other and len(one) == len(other)
            first, last = sorted(r.choices(range(-3, len(other) + 3), k=2))
            assert one[first:last] == other[first:last] and one[::-1] == other[::-1]
            assert [*reversed(one)] == other[::-1] and one[-1:] == other[-1:]


def test_a_shorter_copy_does_not_show_elements_appended_to_the_other():
    one = AppendOnlyList("ab")
    other = one.copy()
    other.append("c")
    assert [*one] == ["a", "b"] and one[5:] == []
    with pytest.raises(IndexError):
        one[2]
    one.append("d")
    assert [*other] == ["a", "b", "c"] and [*one] == ["a", "b", "d"]
