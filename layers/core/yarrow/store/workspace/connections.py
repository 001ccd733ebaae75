"""Connections to a workspace, each with its own cursor (WSP-21) and the lease of its sender. `asked` counts the
snapshots requested and `answered` those sent: a connection is in sync where both are equal. `wakes` counts the
deliveries that found the lease taken; its holder checks again before it releases it.
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
    """Times are in milliseconds. All entries through `sent_through` were sent."""

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
    due_at: int = 0
    """The time of the next update that no change of the table announces; 0 if there is none."""

    def is_opening(self, within_seconds: float) -> bool:
        """Return whether it was stored within these seconds and nothing was sent yet."""
        return not self.answered and clock.now_ms() / 1000 < self.expires_at - KEPT_SECONDS + within_seconds

    @property
    def waits(self) -> bool:
        """Whether a requested snapshot is still to be sent."""
        return self.asked > self.answered

    def is_current(self, last: int) -> bool:
        """Return whether there is nothing to send, and no lease."""
        return self.asked == self.answered and self.sent_through >= last and self.lease_until is None


_CONNECTIONS: Final = Codec(Connection)


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection opened without a task, with the task of its latest command or of its address."""

    user_id: str
    task_name: str | None


@dataclass(frozen=True, slots=True)
class Page:
    task_name: str
    active_session: str | None


_OPENED: Final = Codec(Opened)
_PAGES: Final = Codec(Page)


def add(workspace: str, connection_id: str, user_id: str, client_tag: str | None, active_session: str | None) -> None:
    """Add a connection and request its snapshot; no effect on an existing one."""
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
    table.delete_alone(keys.connection(workspace, connection_id))


def read(workspace: str, connection_id: str) -> Connection | None:
    return _CONNECTIONS.record_if(table.get(keys.connection(workspace, connection_id)))


def ask(workspace: str, connection_id: str) -> None:
    table.update_returning(keys.connection(workspace, connection_id), Update().increase(asked=1), EXISTS)


def show(workspace: str, connection_id: str, session_id: str, at_ms: int) -> bool:
    """Make a session the active one, unless another was chosen later (by the time of the click)."""
    chosen = Update().set(active_session=session_id, active_at=at_ms)
    is_later = Attr("active_at").lte(at_ms)
    return table.update_returning(keys.connection(workspace, connection_id), chosen, is_later) is not None


def pin(workspace: str, connection: Connection, session_id: str) -> None:
    """Make a session the active one, unless that has changed since it was read."""
    table.update_returning(
        keys.connection(workspace, connection.id),
        Update().set(active_session=session_id),
        Attr("active_at").eq(connection.active_at),
    )


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to send. After a takeover it is unknown what the page has received."""

    connection: Connection
    is_takeover: bool


def take(workspace: str, connection_id: str, holder: str, until_ms: int) -> Lease | None:
    """Take the lease; None if another holder has it, who is woken to check again, or if the connection is unknown."""
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
        # It may have been released between two of these calls.
        if table.update_returning(key, Update().increase(wakes=1), until.gte(now)):
            return None
        if table.get(key) is None:
            return None
    return None


def renew(workspace: str, connection_id: str, holder: str, until_ms: int) -> bool:
    """Extend the lease; False if it was lost."""
    renewed, is_held = Update().set(lease_until=until_ms), Attr("lease_holder").eq(holder)
    return table.update_returning(keys.connection(workspace, connection_id), renewed, is_held) is not None


def release(
    workspace: str, holder: str, sent: Connection, *, sent_through: int, answered: int, due_at: int = 0
) -> Connection | None:
    """Store that entries through `sent_through` and `answered` snapshots were sent, and `due_at`. Release the lease,
    unless a delivery or snapshot request came since `sent` was read: then return the connection as stored. None if the
    lease was released or lost.
    """
    key = keys.connection(workspace, sent.id)
    done = Update().set(sent_through=sent_through, answered=answered, due_at=due_at)
    is_held = Attr("lease_holder").eq(holder)
    is_unrequested = is_held & Attr("wakes").eq(sent.wakes) & Attr("asked").eq(sent.asked)
    if table.update_returning(key, done + _LET_GO, is_unrequested) is not None:
        return None
    kept = table.update_returning(key, done, is_held)
    return _CONNECTIONS.record_if(kept)


def give_up(workspace: str, connection_id: str, holder: str) -> None:
    """Release the lease unconditionally, leave the cursor, and request a snapshot."""
    given_up = Update().increase(asked=1) + _LET_GO
    table.update_returning(keys.connection(workspace, connection_id), given_up, Attr("lease_holder").eq(holder))


def stored(item: table.Item) -> Connection:
    return _CONNECTIONS.record(item)


# ---- Connections whose address names no task, and pages --------------------------------------------------------------
def open_without_task(connection_id: str, user_id: str, task_name: str | None) -> None:
    """Store a connection whose commands name its task, now or later."""
    item = {**_opened_key(connection_id), **_OPENED.item(Opened(user_id, task_name))}
    table.put_alone({**item, "expires_at": clock.now_ms() // 1000 + KEPT_SECONDS})


def opened(connection_id: str) -> Opened | None:
    return _OPENED.record_if(table.get(_opened_key(connection_id)))


def forget(connection_id: str) -> None:
    table.delete_alone(_opened_key(connection_id))


def remember(user_id: str, client_tag: str, task_name: str, active_session: str | None) -> None:
    item = {**_page_key(user_id, client_tag), **_PAGES.item(Page(task_name, active_session))}
    table.put_alone({**item, "expires_at": clock.epoch_in(PAGE_DAYS)})


def page(user_id: str, client_tag: str) -> Page | None:
    return _PAGES.record_if(table.get(_page_key(user_id, client_tag)))


def _opened_key(connection_id: str) -> table.Item:
    return {"pk": f"CONNECTION#{connection_id}", "sk": "CONNECTION"}


def _page_key(user_id: str, client_tag: str) -> table.Item:
    return {"pk": f"USER#{user_id}", "sk": f"PAGE#{client_tag}"}
