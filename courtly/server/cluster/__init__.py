"""Locks and notifications between processes."""
