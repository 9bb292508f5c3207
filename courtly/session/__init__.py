"""What the server, the offline mode and the review share: JSON shapes, clocks, views and records."""
