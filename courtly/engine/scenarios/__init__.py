"""Scenarios and lessons: positions and moves in TOML."""
