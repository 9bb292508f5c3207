"""Bounded send queues."""
