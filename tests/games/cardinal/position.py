"""Positions of Web of Power are filled in beside its rules, which say what cannot be."""

from courtly.games.cardinal.position import complete as complete
