"""Search for the best move, within a budget."""
