"""Completes positions of Web of Power. The code is beside the rules, which define the constraints."""

from courtly.games.cardinal.position import complete as complete
