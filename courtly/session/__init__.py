"""What the server, the offline mode and the review share: wire models, clocks, views, records."""
