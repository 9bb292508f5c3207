"""HTTP: endpoints, their dependencies, middleware, and the static site."""
