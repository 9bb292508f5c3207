"""Files that browsers load, and their versions."""
