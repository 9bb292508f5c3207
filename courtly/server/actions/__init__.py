"""What players, bots and timers do to a table."""
