"""The checks that every game passes."""
