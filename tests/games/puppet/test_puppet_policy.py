"""The beliefs of Puppet Kingdom's policy about other players' drafts."""

import pytest

from courtly.games.puppet.cards import Servant
from courtly.games.puppet.policy import belief
from courtly.games.puppet.table import State


def world_after_draft(chosen, passed, picked=1, second=0, centre=0):
    """Return a world, as seat 0 may imagine it, in which seat 1 of two kept a servant and passed two others on."""
    s = State(players=2)
    s.picked[1] = picked
    s.slot[1] = [chosen + 1, second + 1, centre + 1]
    s.slot[0][1:] = [servant + 1 for servant in passed]
    return s


def test_others_keep_the_better_servants_more_often():
    better = world_after_draft(Servant.REAPER, (Servant.GENERAL, Servant.HERMIT))
    worse = world_after_draft(Servant.GENERAL, (Servant.REAPER, Servant.HERMIT))
    assert belief(better, 0) == 1000 > belief(worse, 0) > 0


def test_the_second_choice_counts_too():
    passed = (Servant.GENERAL, Servant.HERMIT)
    likely = world_after_draft(Servant.REAPER, passed, 2, Servant.IMP, Servant.FOUNDATION)
    unlikely = world_after_draft(Servant.REAPER, passed, 2, Servant.FOUNDATION, Servant.IMP)
    assert belief(likely, 0) == 1000 > belief(unlikely, 0)


@pytest.mark.parametrize("picked", [0, 1, 2])
def test_the_seats_own_choices_have_no_weight(picked):
    s = world_after_draft(Servant.GENERAL, (Servant.REAPER, Servant.HERMIT), picked, Servant.FOUNDATION, Servant.IMP)
    assert belief(s, 1) == 1000
