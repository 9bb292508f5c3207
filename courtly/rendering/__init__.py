"""Images of a position, for shared links and for environments."""
