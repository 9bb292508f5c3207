"""Variants of a game: parameters, goals, comparison."""
