"""Middleware: request guard and request log."""
