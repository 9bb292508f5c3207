"""The laboratory: plays many games from one seed and measures them."""
