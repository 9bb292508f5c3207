"""Statistics of measured games."""
