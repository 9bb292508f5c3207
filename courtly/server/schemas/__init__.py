"""Models of request bodies and WebSocket messages."""
