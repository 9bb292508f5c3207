"""Codes with which the server closes a WebSocket, beside those of RFC 6455."""

CLOSE_CODE_RESTART = 1012  # the server stops; another answers, or soon the same
