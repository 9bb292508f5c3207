"""Signed tokens and rate limits."""
