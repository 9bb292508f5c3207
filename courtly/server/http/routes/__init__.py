"""HTTP endpoints, one module for each topic."""
