"""Texts in the languages of the project."""
