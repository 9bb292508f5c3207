"""Search for the best move within a number of simulations."""
