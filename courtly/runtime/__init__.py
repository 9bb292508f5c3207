"""Process pools and time slices, for the packages above the engine."""
