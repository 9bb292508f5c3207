"""The worker processes of bots that search."""
