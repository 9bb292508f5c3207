"""The history of the views that one viewpoint had of a match, recorded while the match is replayed. Moves that were
taken back are left out.

Only the cues of the viewpoint decide which views are recorded. So the history of a running game discloses nothing to a
seat that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Literal, NamedTuple, cast

from courtly.engine.constants import NOBODY
from courtly.engine.match import Match
from courtly.engine.schemas import Cue, PositionView
from courtly.engine.state import StateBase
from courtly.session import schemas

Viewpoint = int | None | Literal["all"]  # a seat, spectators (None), or everything open


class ViewMoment(NamedTuple):
    """The view at a decision. `seq`: the number of cues; `kept_cues`: the number of those whose moves were not taken
    back."""

    ply: int
    seq: int
    kept_cues: int
    state: StateBase
    pending: list[int]
    over: bool
    scores: list[int] | None


class ViewHistory:
    """The views and cues of a match from one viewpoint. `match`: the match at the last call of `record_moment`."""

    match: Match

    def __init__(self, viewpoint: Viewpoint):
        self.viewpoint = viewpoint
        self.cues: list[Cue] = []
        self.recorded: list[ViewMoment] = []
        self._kept_cues: list[Cue] = []
        self._entries = 0

    def record_moment(self, match: Match) -> None:
        """Record the view at a decision, or at the end of the game, if the viewpoint has received cues since the last
        one."""
        self.match, new_cues = match, self._new_cues(match)
        if self.recorded and not new_cues:
            return
        for cue in new_cues:
            if cue["verb"] == "undo":
                self._take_back(cue)
            else:
                self._kept_cues.append(cue)
        self.cues += new_cues
        moment = ViewMoment(
            len(match.entries),
            len(self.cues),
            len(self._kept_cues),
            match.state.copy(),
            list(match.pending),
            match.over,
            match.scores,
        )
        if self.recorded and self.recorded[-1].kept_cues == moment.kept_cues:
            self.recorded.pop()
        self.recorded.append(moment)

    def _new_cues(self, match: Match) -> list[Cue]:
        if self.viewpoint != "all":
            return match.cues(self.viewpoint, len(self.cues))
        entries, new_cues = match.entries[self._entries :], list[Cue]()
        count = sum(not entry.undo for entry in entries)
        done = zip(match.audiences(count), match.changes(count), strict=True)
        for ply, seat, move, _, _, undo in entries:
            if undo:
                new_cues.append({"n": ply, "seat": seat, "verb": "undo", "args": {"count": undo}})
                continue
            decoded, (audience, changes) = match.moves.decode(move), next(done)
            cue: Cue = {"n": ply, "seat": seat, "verb": decoded.verb, "args": dict(decoded.args)}
            if changes:
                cue["changes"] = changes
            informed_seats = [other for other in range(match.players) if audience >= 0 and audience >> other & 1]
            if seat == NOBODY and len(informed_seats) == 1:
                cue["to"] = informed_seats[0]
            new_cues.append(cue)
        self._entries = len(match.entries)
        return new_cues

    def _take_back(self, undo: Cue) -> None:
        count = (undo["args"] or {})["count"]
        removed = {cue["n"] for cue in [cue for cue in self._kept_cues if cue["seat"] == undo["seat"]][-count:]}
        self._kept_cues = [cue for cue in self._kept_cues if cue["n"] not in removed]
        while self.recorded and self.recorded[-1].seq > min(removed):
            self.recorded.pop()

    def _view(self, moment: ViewMoment) -> dict[str, Any]:
        """Return the view as `Match.view` does, without legal moves and undo."""
        seat = None if self.viewpoint == "all" else self.viewpoint
        view = {
            "seat": seat,
            "state": moment.state.view(seat, laid_open=self.viewpoint == "all"),
            "pending": moment.pending,
            "legal": [],
            "seq": moment.seq,
            "undo": False,
            "over": moment.over,
            "scores": moment.scores,
            "cues": [],
        }
        facts = self.match.game.facts(cast("PositionView", view))
        return view if facts is None else {**view, "facts": facts}

    def moments(self, with_plies: bool) -> Iterator[schemas.ReplayMoment]:
        """Yield each moment that was not taken back, as its difference from the previous one.

        `with_plies`: include the places in the journal, which disclose silent moves.
        """
        before: dict[str, Any] = {}
        for view_moment in self.recorded:
            view = self._view(view_moment)
            yield {"ply": view_moment.ply if with_plies else None, "changed": _diff(before, view)}
            before = view

    def replay(self, with_plies: bool) -> schemas.Replay:
        """Return the whole history. `with_plies`: see `moments`."""
        return {"cues": self.cues, "moments": [*self.moments(with_plies)]}


def _diff(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return the changed values; for the state and the facts, only their changed keys."""
    changed = {name: value for name, value in now.items() if name not in before or before[name] != value}
    for name in {"state", "facts"} & changed.keys() & before.keys():
        earlier = before[name]
        changed[name] = {
            key: value for key, value in changed[name].items() if key not in earlier or earlier[key] != value
        }
    return changed


def replay_decisions(finished: Match) -> Iterator[Match]:
    """Yield a replay of a match at each of its decisions."""
    match = Match(finished.game, finished.players, finished.options, finished.source, start=False)
    if not match.chance:
        yield match
    for _, entries in groupby(finished.entries, key=lambda entry: entry.batch):
        for entry in entries:
            match.follow(entry)
        if not match.chance:
            yield match
