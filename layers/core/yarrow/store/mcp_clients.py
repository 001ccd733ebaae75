"""The clients that the deployment has registered at authorization servers, one for each MCP server and issuer.

All users' sign-ins share one, until it ends, its redirect address is another one, or the authorization server no longer
knows it. Sign-ins that register at once keep the first; whoever finds one of no use replaces that one and no other.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from yarrow.formats import json_text
from yarrow.store import clock, table
from yarrow.store.items.records import Codec, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Condition

KEPT_DAYS: Final = 365
"""After which one is registered anew, so that none stays of a server that no agent names any more."""


@dataclass(frozen=True, slots=True)
class StoredClient:
    """`sealed` has the secret with which the client authenticates, and how, readable by nobody without the key."""

    id: str = field(metadata=stored_as("client_id"))
    url: str = field(metadata=stored_as("server_url"))
    issuer: str = field(metadata=stored_as("token_issuer"))
    redirect_uri: str
    sealed: str = field(metadata=stored_as("sealed_client"), repr=False)
    created_at: str
    ends_at: str | None = field(default=None, metadata=stored_as("client_ends_at"))
    """When the secret ends, as the registration says; None for never."""


_CLIENTS: Final = Codec(StoredClient)


def read(url: str, issuer: str) -> StoredClient | None:
    return _CLIENTS.record_if(table.get(_key(url, issuer)))


def keep(client: StoredClient, instead_of: StoredClient | None) -> bool:
    """Store a client in place of the one that was read, None if there was none; False if there is another by now."""
    condition = IS_NEW if instead_of is None else _is(instead_of.id)
    item = {**_key(client.url, client.issuer), **_CLIENTS.item(client), "expires_at": clock.epoch_in(KEPT_DAYS)}
    try:
        table.put_alone(item, condition)
    except table.ConditionFailedError:
        return False
    return True


def drop(url: str, issuer: str, client_id: str) -> bool:
    """Delete the client of an id, so that the next sign-in registers one; False if it is another one by now."""
    try:
        table.transact(table.delete(_key(url, issuer), _is(client_id)))
    except table.ConditionFailedError:
        return False
    return True


def _is(client_id: str) -> Condition:
    return Attr("client_id").eq(client_id)


def _key(url: str, issuer: str) -> table.Item:
    digest = hashlib.sha256(json_text.dumps([url, issuer]).encode()).hexdigest()
    return {"pk": f"MCP_CLIENTS#{digest}", "sk": "CLIENT"}
