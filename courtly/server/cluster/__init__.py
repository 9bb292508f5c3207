"""Locks and notifications between server processes."""
