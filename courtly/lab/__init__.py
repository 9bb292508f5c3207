"""The laboratory: many games by one seed, and what they say."""
