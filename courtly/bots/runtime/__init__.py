"""Worker processes in which bots search."""
