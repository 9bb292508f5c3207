"""Limits of time in the database, for every connection."""

IDLE_TRANSACTION_TIMEOUT_S = 3  # for which a transaction may do nothing: others may wait for its rows
STATEMENT_TIMEOUT_S = 10  # for which a statement may run, or wait for a lock
