"""Close codes of WebSockets, beside those of RFC 6455."""

CLOSE_CODE_RESTART = 1012  # the server stops; the client should reconnect
