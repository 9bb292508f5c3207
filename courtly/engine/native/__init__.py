"""Rules as machine code: the dialect, the loader, the drivers, the sanitizer."""
