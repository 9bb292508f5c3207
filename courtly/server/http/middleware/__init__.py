"""Request guard and access log."""
