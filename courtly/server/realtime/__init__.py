"""WebSockets."""
