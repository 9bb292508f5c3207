"""Time limits of all database connections, in seconds."""

IDLE_TRANSACTION_TIMEOUT_S = 3  # longest idle time in a transaction, since others may wait for its rows
STATEMENT_TIMEOUT_S = 10  # longest time for a statement, including its wait for locks
STORAGE_RETRY_DELAY_S = 1.0  # delay before a retry after a database error
