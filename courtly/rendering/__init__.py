"""Pictures of a moment of a game, for shared links and for environments."""
