"""Static files and their versions."""
