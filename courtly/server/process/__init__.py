"""Processes: sockets, supervisor, start and stop."""
