"""Bots: the registry of their names, the search, hints, and the worker processes in which they run."""
