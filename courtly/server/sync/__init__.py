"""Events from other processes."""
