"""The analysis of finished games."""
