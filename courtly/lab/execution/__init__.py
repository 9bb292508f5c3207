"""Execution of batches on other machines."""
