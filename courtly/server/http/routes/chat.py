"""The HTTP API of a table's chat."""

from __future__ import annotations

from fastapi import APIRouter, Request

from courtly.server.actions import seating
from courtly.server.http.dependencies import (
    ApplicationDep,
    GuestDep,
    MaybeGuestDep,
    TableDep,
    TimeParam,
    client_address,
)
from courtly.server.schemas.requests import PostChat, SetChatMuted
from courtly.session import schemas

router = APIRouter(prefix="/api")


@router.get("/tables/{table_id}/chat", tags=["chat"])
async def read_chat(
    table: TableDep, application: ApplicationDep, guest: MaybeGuestDep, before: TimeParam | None = None
) -> schemas.ChatPage:
    """Return the newest chat messages, or the newest before a time.

    Players receive messages of spectators only after the end of the game.
    """
    return await application.chat.read(table, guest, before)


@router.post("/tables/{table_id}/chat", tags=["chat"])
async def post_chat(
    body: PostChat, request: Request, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.ChatMessage:
    """Post a chat message: 1 to 500 characters, or a canned message, which each client shows in its own language."""
    return await seating.run_with_refresh(
        application, table, lambda: application.chat.post(table, guest, body, client_address(request))
    )


@router.post("/tables/{table_id}/chat-muted", tags=["chat"])
async def set_chat_muted(
    body: SetChatMuted, table: TableDep, application: ApplicationDep, guest: GuestDep
) -> schemas.TableInfo:
    """Mute the chat of this table, or unmute it. Only the host may do this."""
    await seating.set_chat_muted(application, table, guest, body.chat_muted)
    return table.describe(guest)
