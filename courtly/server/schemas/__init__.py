"""Request bodies and socket commands."""
