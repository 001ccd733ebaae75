"""Tickets that open a workspace connection from a browser, which cannot send a header (C52). Only their hashes are
stored.
"""

import hashlib
import secrets
import time
from dataclasses import dataclass
from typing import Final

from yarrow.protocol.caller import Caller
from yarrow.store import table
from yarrow.store.items.records import Codec
from yarrow.store.items.updates import IS_NEW, Attr, Update

TICKET_SECONDS: Final = 60
"""A new ticket can open its connection this long."""

CLIENT_SECONDS: Final = 12 * 3600
"""A ticket can open its client's connection again this long after its latest use."""


@dataclass(frozen=True, slots=True)
class Redeemed:
    caller: Caller
    task_name: str


@dataclass(frozen=True, slots=True)
class _Ticket:
    user_id: str
    locale: str | None
    zoneinfo: str | None
    task_name: str
    expires_at: int


_TICKETS: Final = Codec(_Ticket)


def issue(caller: Caller, task_name: str) -> str:
    ticket = secrets.token_urlsafe(32)
    expires_at = int(time.time()) + TICKET_SECONDS
    issued = _Ticket(caller.user_id, caller.locale, caller.zoneinfo, task_name, expires_at)
    table.put_alone({**_key(ticket), **_TICKETS.item(issued)}, IS_NEW)
    return ticket


def redeem(ticket: str, connection_id: str, task_name: str | None, client_tag: str | None) -> Redeemed | None:
    """Use a ticket for a connection, in one conditional write; None if it does not open it. With a `client_tag` it is
    bound to that client and opens its later connections too. A `task_name` must be the ticket's. The same call may be
    repeated.
    """
    now = int(time.time())
    used = Update().set(used_by=connection_id)
    is_free = Attr("used_by").not_exists() | Attr("used_by").eq(connection_id)
    is_valid = Attr("expires_at").gt(now)
    if client_tag is not None:
        used = used.set(client_tag=client_tag, expires_at=now + CLIENT_SECONDS)
        is_free |= Attr("client_tag").eq(client_tag)
    if task_name is not None:
        is_valid &= Attr("task_name").eq(task_name)
    found = _TICKETS.record_if(table.update_returning(_key(ticket), used, is_valid & is_free))
    if found is None:
        return None
    return Redeemed(Caller(found.user_id, found.locale, found.zoneinfo), found.task_name)


def _key(ticket: str) -> table.Item:
    return {"pk": f"TICKET#{hashlib.sha256(ticket.encode()).hexdigest()}", "sk": "TICKET"}
