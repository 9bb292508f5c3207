"""Runs: batches of games, interpreted or compiled."""
