"""Users' connections to MCP servers: for each, sealed tokens, and who renews them at the moment. What begins a
connection, while the user signs in, is an item of its own that is good once; then it tells what came of it.

A refresh token may be good once as well, so only one worker uses it: whoever has claimed the connection. What it gets
is written in place of the tokens that it had used and of no others.
"""

import hashlib
import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from yarrow.store import clock, table
from yarrow.store.items.records import Codec, in_key, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update

MAX_CONNECTIONS: Final = 50
SIGN_IN_MINUTES: Final = 10
CLAIM_SECONDS: Final = 30
"""For how long a connection is claimed; longer than a refresh takes."""

_MAX_SIGN_INS: Final = 200
"""More than a user begins in a day; their items go after it."""

_CONNECTION: Final = "SERVER#"
_SIGN_IN: Final = "SIGN_IN#"

Status = Literal["active", "lapsed"]


class TooManyConnectionsError(Exception):
    """The user has MAX_CONNECTIONS already."""


@dataclass(frozen=True, slots=True)
class StoredConnection:
    """`sealed` are tokens, readable by nobody without the key; `revision` is another one after each change of them."""

    id: str = field(metadata=in_key("sk", _CONNECTION))
    url: str = field(metadata=stored_as("server_url"))
    issuer: str = field(metadata=stored_as("token_issuer"))
    sealed: str = field(metadata=stored_as("sealed_tokens"), repr=False)
    revision: str = field(metadata=stored_as("tokens_revision"))
    created_at: str
    updated_at: str
    status: Status = field(default="active", metadata=stored_as("connection_status", always=True))
    ends_at: str | None = field(default=None, metadata=stored_as("token_ends_at"))
    """When the access token ends, if that is known."""
    claim: str | None = field(default=None, metadata=stored_as("refresh_claim"))
    claimed_until: str | None = None


@dataclass(frozen=True, slots=True)
class StoredSignIn:
    """`sealed` is what the exchange of the code needs, which whoever has `taken` it alone gets.

    Of one that has come to nothing, `failure` is the code of the problem, and `reason` its reason.
    """

    url: str = field(metadata=stored_as("server_url"))
    sealed: str | None = field(metadata=stored_as("sealed_sign_in"), repr=False)
    created_at: str
    connection_id: str = field(default="", metadata=stored_as("signed_in_connection"))
    """The connection that comes of it."""
    client_id: str | None = field(default=None, metadata=stored_as("signed_in_client"))
    """As whom the deployment has begun it."""
    taken: str | None = field(default=None, metadata=stored_as("sign_in_taken"))
    taken_at: str | None = None
    connected_at: str | None = field(default=None, metadata=stored_as("signed_in_at"))
    """When its connection was stored."""
    failure: str | None = field(default=None, metadata=stored_as("sign_in_failure"))
    reason: str | None = field(default=None, metadata=stored_as("sign_in_reason"))


_CONNECTIONS: Final = Codec(StoredConnection)
_SIGN_INS: Final = Codec(StoredSignIn)


def id_of(url: str, client_id: str | None = None) -> str:
    """Return the id of any user's connection to the server at an address, for the client that agents' files name."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{url} {client_id or ''}"))


def begin(user_id: str, state: str, sign_in: StoredSignIn) -> None:
    """Keep what a sign-in needs, under a hash of its state. Raises ConditionFailedError if the state is not new."""
    item = {**_sign_in_key(user_id, state), **_SIGN_INS.item(sign_in), "expires_at": clock.epoch_in(1)}
    table.put_alone(item, IS_NEW)


def take(user_id: str, state: str) -> StoredSignIn | None:
    """Take what a sign-in needs, once; None if it is another user's or of more than SIGN_IN_MINUTES ago.

    One that was taken before comes without what it needs.
    """
    key = _sign_in_key(user_id, state)
    sign_in = read_sign_in(user_id, state)
    if sign_in is None or sign_in.taken is not None:
        return sign_in
    claim, now = uuid.uuid4().hex, clock.now_iso()
    update = Update().set(sign_in_taken=claim, taken_at=now).remove("sealed_sign_in")
    is_free = Attr("sign_in_taken").not_exists() | Attr("sign_in_taken").eq(claim)  # a lost answer is repeated
    if table.update_returning(key, update, EXISTS & is_free) is None:
        return replace(sign_in, sealed=None)
    return replace(sign_in, taken=claim, taken_at=now)


def read_sign_in(user_id: str, state: str) -> StoredSignIn | None:
    """Read a sign-in of the last SIGN_IN_MINUTES; None if there is none of the user."""
    sign_in = _SIGN_INS.record_if(table.get(_sign_in_key(user_id, state)))
    if sign_in is None or clock.since(sign_in.created_at) > timedelta(minutes=SIGN_IN_MINUTES):
        return None
    return sign_in


def has_left(user_id: str, client_id: str) -> bool:
    """Whether the browser has not returned from a sign-in of the last day that was begun with a client."""
    items = table.query(partition(user_id), start=_SIGN_IN, before=f"{_SIGN_IN}~", limit=_MAX_SIGN_INS)
    found = map(_SIGN_INS.record, items)
    return any(one.client_id == client_id and one.taken is None for one in found)


def fail(user_id: str, state: str, failure: str, reason: str) -> None:
    """Note why nothing has come of a sign-in that the caller has taken."""
    update = Update().set(sign_in_failure=failure, sign_in_reason=reason)
    table.update_returning(_sign_in_key(user_id, state), update, EXISTS)


def save(user_id: str, connection: StoredConnection, state: str | None = None) -> None:
    """Store a connection in place of the earlier one to its server, and that the sign-in of a state has come to it.

    Raises TooManyConnectionsError.
    """
    connected = Update().set(signed_in_at=connection.created_at)
    of_sign_in = [] if state is None else [table.update(_sign_in_key(user_id, state), connected)]
    ids = Attr("connection_ids")
    has_room = ids.not_exists() | ids.size_lt(MAX_CONNECTIONS) | ids.contains(connection.id)
    try:
        table.transact(
            table.update(_head(user_id), Update().add(connection_ids={connection.id}), has_room),
            table.put({**_key(user_id, connection.id), **_CONNECTIONS.item(connection)}),
            *of_sign_in,
        )
    except table.ConditionFailedError as error:
        raise TooManyConnectionsError from error


def read(user_id: str, connection_id: str) -> StoredConnection | None:
    return _CONNECTIONS.record_if(table.get(_key(user_id, connection_id)))


def of_user(user_id: str) -> list[StoredConnection]:
    """Read a user's connections, oldest first."""
    items = table.query(partition(user_id), start=_CONNECTION, before=f"{_CONNECTION}~")
    return sorted(map(_CONNECTIONS.record, items), key=lambda connection: (connection.created_at, connection.id))


def remove(user_id: str, connection_id: str) -> bool:
    """Delete a connection; False if there is none."""
    try:
        table.transact(
            table.delete(_key(user_id, connection_id), EXISTS),
            table.update(_head(user_id), Update().delete(connection_ids={connection_id})),
        )
    except table.ConditionFailedError:
        return False
    return True


def claimed(user_id: str, connection: StoredConnection) -> str | None:
    """Claim a connection to renew its tokens; returns the claim, or None if they have changed or somebody has it.

    A claim that was so long on its way that a refresh might outlast it is none: another worker would begin as well.
    """
    claim = uuid.uuid4().hex
    now = clock.now_iso()
    until = clock.iso(datetime.fromisoformat(now) + timedelta(seconds=CLAIM_SECONDS))
    is_own = Attr("refresh_claim").eq(claim)  # a lost answer is repeated
    is_free = Attr("claimed_until").not_exists() | Attr("claimed_until").lt(now) | is_own
    is_same = Attr("tokens_revision").eq(connection.revision) & Attr("connection_status").eq("active")
    update = Update().set(refresh_claim=claim, claimed_until=until)
    stored = table.update_returning(_key(user_id, connection.id), update, is_same & is_free)
    is_late = clock.since(now) > timedelta(seconds=CLAIM_SECONDS / 2)
    return None if stored is None or is_late else claim


def renew(user_id: str, connection: StoredConnection, sealed: str, ends_at: str | None) -> bool:
    """Store new tokens in place of those of a connection; False if it has others by now, or is gone.

    A claim that has ended meanwhile does not matter: of two workers, only the first one gets new tokens.
    """
    update = (
        Update()
        .set(sealed_tokens=sealed, tokens_revision=uuid.uuid4().hex, token_ends_at=ends_at, updated_at=clock.now_iso())
        .set(connection_status="active")
        .remove("refresh_claim", "claimed_until")
    )
    is_same = Attr("tokens_revision").eq(connection.revision)
    return table.update_returning(_key(user_id, connection.id), update, is_same) is not None


def lapse(user_id: str, connection_id: str, claim: str) -> bool:
    """Note that the user has to sign in again; False if the claim is no longer the caller's."""
    update = (
        Update().set(connection_status="lapsed", updated_at=clock.now_iso()).remove("refresh_claim", "claimed_until")
    )
    return _by(user_id, connection_id, claim, update)


def release(user_id: str, connection_id: str, claim: str) -> bool:
    """Let others renew the tokens at once; False if the claim is no longer the caller's."""
    return _by(user_id, connection_id, claim, Update().remove("refresh_claim", "claimed_until"))


def partition(user_id: str) -> str:
    """Return the user's partition. It has nothing else, so that functions can be granted this alone."""
    return f"MCP_CONNECTIONS#{user_id}"


def _by(user_id: str, connection_id: str, claim: str, update: Update) -> bool:
    return table.update_returning(_key(user_id, connection_id), update, Attr("refresh_claim").eq(claim)) is not None


def _key(user_id: str, connection_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": f"{_CONNECTION}{connection_id}"}


def _sign_in_key(user_id: str, state: str) -> table.Item:
    return {"pk": partition(user_id), "sk": f"{_SIGN_IN}{hashlib.sha256(state.encode()).hexdigest()}"}


def _head(user_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": "CONNECTIONS"}
