"""Actions of players, bots and timers at a table."""
