"""Statistics of measures."""
