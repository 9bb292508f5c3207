"""The engine: knows no game, no network and no language."""
