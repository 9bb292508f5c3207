"""Runs: batches of games, interpreted or native."""
