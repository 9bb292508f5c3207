"""Imported by Python in each process that tests start under coverage: tests/conftest.py adds this folder to
PYTHONPATH."""

import save_before_kill  # noqa: F401  # replaces os.kill
