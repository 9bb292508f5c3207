"""The table server: people and programs play over HTTP and WebSocket; see docs/protocol.md. Never imports NumPy or
the compiler."""
