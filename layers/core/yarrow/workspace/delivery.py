"""Delivers the log to connections: each from its own cursor, in order, once (WSP-21).

The deliverer holds the connection's lease. The cursor moves when the lease is released. If it expires instead, it is
unknown what the page has received, and the next holder sends a snapshot, which replaces everything. A snapshot also
repairs a post whose outcome is unknown.
"""

import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.protocol.workspace.frames import Frames
from yarrow.protocol.workspace.models import Artifact, SentArtifact
from yarrow.store import artifacts, clock, objects
from yarrow.store.workspace import connections
from yarrow.store.workspace.connections import Connection, Lease
from yarrow.store.workspace.log import LogEntry
from yarrow.workspace.advance import thinking_due
from yarrow.workspace.open_workspace import Workspace
from yarrow.workspace.posting import GoneError, Post, UnknownOutcomeError
from yarrow.workspace.state import changes
from yarrow.workspace.state.entry_frames import entry_frames, execution_frames, snapshot_frames

LEASE_MS: Final = 20_000
"""More than a post may take, twice."""
RENEW_SECONDS: Final = 5.0
OPENING_SECONDS: Final = 5.0
"""The most that $connect may take after it has stored the connection."""
URL_SECONDS: Final = 6 * 3600
_ROUNDS: Final = 20
_FAILURES: Final = (UnknownOutcomeError, BotoCoreError, ClientError)


class LeaseLostError(Exception):
    """Another holder delivers to the connection by now."""


def deliver(workspace: Workspace, connection_id: str, post: Post) -> None:
    """Send a connection what is new, unless another holder does.

    Raises UnknownOutcomeError if a snapshot could not be sent either, and what the store raises; then a snapshot is
    requested.
    """
    if not workspace.state.number:
        return  # there is nothing yet: the requested snapshot is sent with the first entry
    holder = _Holder()
    try:
        lease = connections.take(workspace.key, connection_id, holder.id, clock.now_ms() + LEASE_MS)
        if lease is not None:
            _deliver(workspace, lease, holder, post)
    except _FAILURES:
        # A retry would take the lease for another holder's.
        connections.give_up(workspace.key, connection_id, holder.id)
        raise


def _deliver(workspace: Workspace, lease: Lease, holder: "_Holder", post: Post) -> None:
    """Send and release; repeat while others asked for the lease meanwhile."""
    connection, needs_snapshot = lease.connection, lease.is_takeover
    try:
        for _ in range(_ROUNDS):
            if _is_older(workspace, connection):
                workspace.reload()
            needs_snapshot = needs_snapshot or connection.waits
            _Sender(workspace, connection, post, holder).send(needs_snapshot=needs_snapshot)
            sent = workspace.state.number
            kept = connections.release(
                workspace.key,
                holder.id,
                connection,
                sent_through=sent,
                answered=connection.asked,
                due_at=thinking_due(workspace.state),
            )
            if kept is None:
                return
            connection, needs_snapshot = kept, False
            workspace.reload()
    except GoneError as error:
        if connection.is_opening(OPENING_SECONDS):  # API Gateway knows it once $connect has answered
            raise UnknownOutcomeError(connection.id) from error
        connections.remove(workspace.key, connection.id)
        connections.forget(connection.id)
    except LeaseLostError:
        logger.warning("a delivery took longer than its lease")


def _is_older(workspace: Workspace, connection: Connection) -> bool:
    """Whether the workspace was read before an earlier holder sent more, or before another worker woke a holder that
    did not read again.
    """
    wakes = next((stored.wakes for stored in workspace.stored.connections if stored.id == connection.id), 0)
    return workspace.state.number < connection.sent_through or wakes < connection.wakes


def deliver_all(workspace: Workspace, post: Post) -> None:
    """Deliver to every connection that is behind. Raises the last failure, after all were tried."""
    failed: Exception | None = None
    for connection in workspace.stored.connections:
        if connection.is_current(workspace.state.number):
            continue
        try:
            deliver(workspace, connection.id, post)
        except _FAILURES as error:
            failed = error
    if failed is not None:
        raise failed


def needs_delivery(connection: Connection) -> bool:
    """Whether a connection waits for a snapshot, its lease has expired, or a change is due, judged without the log."""
    now = clock.now_ms()
    is_stuck = connection.lease_until is not None and connection.lease_until < now
    is_due = 0 < connection.due_at <= now
    return is_stuck or is_due or connection.waits


class _Holder:
    """A lease's holder. Its time counts from before it is taken, since what precedes a post may be slow."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self._since = time.monotonic()

    def renew(self, workspace: Workspace, connection: Connection) -> None:
        """Hold the lease long enough for a post. Raises LeaseLostError."""
        now = time.monotonic()
        if now - self._since > RENEW_SECONDS:
            if not connections.renew(workspace.key, connection.id, self.id, clock.now_ms() + LEASE_MS):
                raise LeaseLostError
            self._since = now


class _Sender:
    def __init__(self, workspace: Workspace, connection: Connection, post: Post, holder: _Holder) -> None:
        self._workspace = workspace
        self._connection = connection
        self._post = post
        self._holder = holder

    def send(self, *, needs_snapshot: bool) -> None:
        """Send new frames, or a snapshot. Raises as `post` does, and LeaseLostError."""
        frames = None if needs_snapshot else self._news()
        try:
            self._send(self._snapshot() if frames is None else frames)
        except UnknownOutcomeError:
            if frames is None:
                raise
            self._send(self._snapshot())

    def _send(self, frames: Sequence[bytes]) -> None:
        for frame in frames:
            self._holder.renew(self._workspace, self._connection)
            self._post(self._connection.id, frame)

    def _news(self) -> list[bytes] | None:
        """Return the frames of the entries after the cursor; None if a snapshot is needed."""
        state, after = self._workspace.state, self._connection.sent_through
        entries = [entry for entry in self._workspace.stored.entries if entry.number > after]
        if len(entries) < state.number - after:
            return None  # the cursor is older than the log
        made: list[bytes] = []
        for entry in entries:
            of_entry = entry_frames(self._with_urls(entry), state, self._active(), self._frames())
            if of_entry is None:
                executions = execution_frames([entry.changes for entry in entries], state, self._frames())
                return [*executions, *self._snapshot()] if executions else None
            made += of_entry
        return made

    def _snapshot(self) -> list[bytes]:
        state, active = self._workspace.state, self._active()
        if active and active != self._connection.active_session:
            # Pin the session, so that other connections do not change it (C53).
            connections.pin(self._workspace.key, self._connection, active)
        listed = {session.id: [_with_url(session.id, item) for item in session.artifacts] for session in state.sessions}
        return snapshot_frames(state, active, self._frames(), listed)

    def _active(self) -> str:
        return self._workspace.state.active(self._connection.active_session)

    def _frames(self) -> Frames:
        return Frames(self._workspace.task_name, clock.now_ms())

    @staticmethod
    def _with_urls(entry: LogEntry) -> Sequence[Mapping[str, Any]]:
        return [
            {**change, "artifact": _with_url(change["session"], change["artifact"])}
            if change["op"] == changes.ARTIFACT
            else change
            for change in entry.changes
        ]


def _with_url(thread_id: str, artifact: Artifact) -> SentArtifact:
    """Return an artifact with a signed URL; without one if it cannot be signed."""
    try:
        return {**artifact, "url": objects.signed_get(artifacts.object_key(thread_id, artifact["id"]), URL_SECONDS)}
    except (BotoCoreError, ClientError):
        logger.warning("an artifact's URL could not be signed")
        return cast("SentArtifact", artifact)
