"""Compilation of rules to machine code: the dialect check, the loader, the drivers and the sanitizer."""
