from favours.table import COPIES, RANKS


def check(s):
    for rank in range(RANKS):
        rows = (*s.hand, *s.given, *s.secret)
        assert s.deck[rank] + s.gone[rank] + sum(row[rank] for row in rows) == COPIES, "every card is somewhere"
