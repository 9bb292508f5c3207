"""Limits of time in the database, for every connection."""

IDLE_TRANSACTION_TIMEOUT_S = 3  # for which a transaction may do nothing: others may wait for its rows
STATEMENT_TIMEOUT_S = 10  # for which a statement may run, or wait for a lock
STORAGE_RETRY_DELAY_S = 1.0  # between tries while the database refuses
