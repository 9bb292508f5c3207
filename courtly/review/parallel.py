"""The judgement of all decisions of a game in parallel processes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from os import cpu_count

from courtly.engine.match import Match
from courtly.review.analysis import iter_choices, judge, judge_in_process, load_search
from courtly.review.schemas import Decision
from courtly.runtime.process_pool import ProcessPool


class ParallelJudging:
    """An iterator over the judged decisions, in their order. `total` is their number."""

    def __init__(self, match: Match, count: int, cores: int | None):
        self.game, self.count = match.game.id, count
        self.choices = list(iter_choices(match))
        self.total = len(self.choices)
        self.cores = min(cores or cpu_count() or 1, max(1, self.total))

    def __iter__(self) -> Iterator[Decision]:
        if self.cores == 1:
            yield from map(partial(judge, load_search(self.game, self.count)), self.choices)
            return
        with ProcessPool(self.cores) as pool:
            yield from pool.map(partial(judge_in_process, self.game, self.count), self.choices, chunksize=4)
