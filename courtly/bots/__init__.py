"""Bots: the registry of their names, the search, hints, and the processes in which they think."""
