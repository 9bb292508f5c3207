"""The HTTP API; see docs/protocol.md.

Responses are JSON. An error response contains a message id and its parameters.
"""

from __future__ import annotations

from courtly.server.http.routes import (
    account,
    chat,
    commands,
    games,
    guest,
    lessons,
    notification_settings,
    records,
    rematches,
    seat_links,
    tables,
)

# in the order in which the OpenAPI description lists their paths
API_ROUTERS = (
    guest.router,
    games.router,
    tables.router,
    chat.router,
    rematches.router,
    seat_links.router,
    records.router,
    commands.router,
    account.router,
    notification_settings.router,
    lessons.router,
)
