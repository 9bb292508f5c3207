"""Live reload and the board inspector."""
