"""Signed cookies and tokens, and rate limits."""
