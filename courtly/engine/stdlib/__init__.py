"""Functions that rules may import in addition to the state and the random numbers."""
