"""The database: schema, repository, group commit, backup."""
