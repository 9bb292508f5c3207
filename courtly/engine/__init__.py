"""The engine: rules, positions, matches and records. It knows no single game, no network and no natural language."""
