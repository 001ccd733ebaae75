"""Connections to a workspace, each with its own cursor (WSP-21), and the lease of who sends to it.

`asked` counts the snapshots that were asked for and `answered` those that were sent: a connection is in sync where both
are equal. `wakes` counts the deliveries that found the lease taken; its holder looks again before it lets go.
"""

from dataclasses import dataclass, field
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.records import Codec, in_key
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update
from yarrow.store.workspace import keys

KEPT_SECONDS: Final = 2 * 3600 + 600
"""API Gateway closes a connection after two hours."""

PAGE_DAYS: Final = 1

_LET_GO: Final = Update().remove("lease_holder", "lease_until")


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection to a workspace; times in milliseconds. It has got everything through entry `sent_through`."""

    id: str = field(metadata=in_key("sk", "CONNECTION#"))
    user_id: str
    client_tag: str | None
    active_session: str | None
    active_at: int
    asked: int
    answered: int
    sent_through: int
    wakes: int
    lease_until: int | None
    expires_at: int
    """In seconds since the epoch."""
    due_at: int = 0
    """When something is to be shown that no change of the table announces; 0 if nothing is."""

    def is_opening(self, within_seconds: float) -> bool:
        """Whether it was stored a moment ago and has got nothing yet."""
        return not self.answered and clock.now_ms() / 1000 < self.expires_at - KEPT_SECONDS + within_seconds

    @property
    def waits(self) -> bool:
        """Whether it is still to be sent a snapshot that it asked for."""
        return self.asked > self.answered

    def is_current(self, last: int) -> bool:
        """Whether there is nothing to send to it, and nobody about to."""
        return self.asked == self.answered and self.sent_through >= last and self.lease_until is None


_CONNECTIONS: Final = Codec(Connection)


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection as it was opened, with the task of its latest command, or of its address."""

    user_id: str
    task_name: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """What is remembered of a page for its next connection: its task and session."""

    task_name: str
    active_session: str | None


_OPENED: Final = Codec(Opened)
_PAGES: Final = Codec(Page)


def add(workspace: str, connection_id: str, user_id: str, client_tag: str | None, active_session: str | None) -> None:
    """Add a connection that is to get a snapshot; no effect on one that is there."""
    new = Connection(
        id=connection_id,
        user_id=user_id,
        client_tag=client_tag,
        active_session=active_session,
        active_at=0,
        asked=1,
        answered=0,
        sent_through=0,
        wakes=0,
        lease_until=None,
        expires_at=clock.now_ms() // 1000 + KEPT_SECONDS,
    )
    try:
        table.put_alone({**keys.connection(workspace, new.id), **_CONNECTIONS.item(new)}, IS_NEW)
    except table.ConditionFailedError:
        return


def remove(workspace: str, connection_id: str) -> None:
    """Forget a connection."""
    table.delete_alone(keys.connection(workspace, connection_id))


def read(workspace: str, connection_id: str) -> Connection | None:
    """A connection; None if it is not known."""
    return _CONNECTIONS.record_if(table.get(keys.connection(workspace, connection_id)))


def ask(workspace: str, connection_id: str) -> None:
    """Ask for a snapshot."""
    table.update_returning(keys.connection(workspace, connection_id), Update().increase(asked=1), EXISTS)


def show(workspace: str, connection_id: str, session_id: str, at_ms: int) -> bool:
    """Make a session the connection's active one, unless it got another later (by the time of the click)."""
    shown = Update().set(active_session=session_id, active_at=at_ms)
    is_later = Attr("active_at").lte(at_ms)
    return table.update_returning(keys.connection(workspace, connection_id), shown, is_later) is not None


def pin(workspace: str, connection: Connection, session_id: str) -> None:
    """Make a session the connection's active one, unless it was given another since it was read."""
    table.update_returning(
        keys.connection(workspace, connection.id),
        Update().set(active_session=session_id),
        Attr("active_at").eq(connection.active_at),
    )


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to send to a connection. After a holder that vanished it is unknown what the page has got."""

    connection: Connection
    is_takeover: bool


def take(workspace: str, connection_id: str, holder: str, until_ms: int) -> Lease | None:
    """Take the lease; None if someone else has it, who is told to look again, or if the connection is not known."""
    key = keys.connection(workspace, connection_id)
    lease, until = Update().set(lease_holder=holder, lease_until=until_ms), Attr("lease_until")
    is_free = EXISTS & (until.not_exists() | Attr("lease_holder").eq(holder))
    for _ in range(3):
        taken = table.update_returning(key, lease, is_free)
        if taken is not None:
            return Lease(stored(taken), is_takeover=False)
        now = clock.now_ms()
        taken = table.update_returning(key, lease, until.lt(now))
        if taken is not None:
            return Lease(stored(taken), is_takeover=True)
        # Between two of these calls it may have been let go.
        if table.update_returning(key, Update().increase(wakes=1), until.gte(now)):
            return None
        if table.get(key) is None:
            return None
    return None


def renew(workspace: str, connection_id: str, holder: str, until_ms: int) -> bool:
    """Hold the lease longer. False if it was lost."""
    renewed, is_held = Update().set(lease_until=until_ms), Attr("lease_holder").eq(holder)
    return table.update_returning(keys.connection(workspace, connection_id), renewed, is_held) is not None


def release(
    workspace: str, holder: str, sent: Connection, *, sent_through: int, answered: int, due_at: int = 0
) -> Connection | None:
    """Let go of the lease, unless someone came for it since `sent` was read; then it is kept. Either way the
    connection has got everything through `sent_through`, and its answer to `answered` snapshots; more is due then.

    The connection as it is if the lease is kept; None if it is let go, or was lost.
    """
    key = keys.connection(workspace, sent.id)
    done = Update().set(sent_through=sent_through, answered=answered, due_at=due_at)
    is_held = Attr("lease_holder").eq(holder)
    nobody_came = is_held & Attr("wakes").eq(sent.wakes) & Attr("asked").eq(sent.asked)
    if table.update_returning(key, done + _LET_GO, nobody_came) is not None:
        return None
    kept = table.update_returning(key, done, is_held)
    return _CONNECTIONS.record_if(kept)


def give_up(workspace: str, connection_id: str, holder: str) -> None:
    """Let go of the lease, whoever came for it, with the cursor where it was, and ask for a snapshot."""
    given_up = Update().increase(asked=1) + _LET_GO
    table.update_returning(keys.connection(workspace, connection_id), given_up, Attr("lease_holder").eq(holder))


def stored(item: table.Item) -> Connection:
    """The connection of an item."""
    return _CONNECTIONS.record(item)


# ---- Connections whose address names no task, and what pages are remembered by ---------------------------------------
def open_without_task(connection_id: str, user_id: str, task_name: str | None) -> None:
    """Store a connection whose task its commands tell, now or later."""
    item = {**_opened_key(connection_id), **_OPENED.item(Opened(user_id, task_name))}
    table.put_alone({**item, "expires_at": clock.now_ms() // 1000 + KEPT_SECONDS})


def opened(connection_id: str) -> Opened | None:
    """A connection that was opened without a task; None for others."""
    return _OPENED.record_if(table.get(_opened_key(connection_id)))


def forget(connection_id: str) -> None:
    """Forget a connection that was opened without a task."""
    table.delete_alone(_opened_key(connection_id))


def remember(user_id: str, client_tag: str, task_name: str, active_session: str | None) -> None:
    """Remember a page's task and session for its next connection."""
    item = {**_page_key(user_id, client_tag), **_PAGES.item(Page(task_name, active_session))}
    table.put_alone({**item, "expires_at": clock.epoch_in(PAGE_DAYS)})


def page(user_id: str, client_tag: str) -> Page | None:
    """What is remembered of a page."""
    return _PAGES.record_if(table.get(_page_key(user_id, client_tag)))


def _opened_key(connection_id: str) -> table.Item:
    return {"pk": f"CONNECTION#{connection_id}", "sk": "CONNECTION"}


def _page_key(user_id: str, client_tag: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": f"PAGE#{client_tag}"}
