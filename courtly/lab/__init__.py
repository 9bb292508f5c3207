"""Playing many games: simulation and measurement."""
