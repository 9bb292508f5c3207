"""Processes and time slices, for every package above."""
