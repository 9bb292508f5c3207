"""The strength of bots."""
