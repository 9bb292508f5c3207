"""Server processes: listening socket, supervisor, start and stop."""
