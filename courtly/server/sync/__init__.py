"""Synchronisation with the other processes of a server."""
