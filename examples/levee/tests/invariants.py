from levee.table import HONOURS, Phase


def check(s):
    for honour in range(HONOURS):
        places = s.chest[honour] + s.stake[honour] + sum(row[honour] for row in s.won)
        assert places == 1, "every honour is in one place"
    for seat in range(s.players):
        assert s.count[seat] == sum(s.behind[seat]), "the dice count is correct"
        shown = s.number[seat] if s.phase == Phase.GRANTING or (s.phase == Phase.SHOWING and seat < s.seat) else 0
        assert s.count[seat] + s.due[seat] + shown <= s.dice, "no seat has more dice than at the start"
        assert s.bid[seat] <= s.behind[seat][s.bid_face[seat]], "a bid uses the seat's own dice"
