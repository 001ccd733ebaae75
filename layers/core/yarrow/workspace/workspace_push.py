"""Changes in the table, shown to the connections that they concern.

A record only says where to look: what is sent is read from the table, so records may come twice, late or in any order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from yarrow.observability.logs import logger
from yarrow.workspace.advance import advance
from yarrow.workspace.commands.new_session import new_session
from yarrow.workspace.delivery import deliver_all
from yarrow.workspace.follow_run import follow_run, remove_session
from yarrow.workspace.open_workspace import Workspace
from yarrow.workspace.posting import Post, post


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """A record of the table's stream: its sequence number, and the item as it is now, as plain values."""

    sequence_number: str
    item: Mapping[str, Any]


@dataclass(slots=True)
class _News:
    records: list[str] = field(default_factory=list)
    runs: dict[str, None] = field(default_factory=dict)
    deleted: dict[str, None] = field(default_factory=dict)


def workspace_push(records: Sequence[ChangedItem], post: Post = post) -> list[str]:
    """Show the changes. Returns the sequence numbers of the records to redeliver."""
    failed: list[str] = []
    for key, news in _by_workspace(records).items():
        try:
            _push(key, news, post)
        except Exception:  # the other workspaces must not wait for it
            logger.warning("a workspace could not be pushed", exc_info=True)
            failed += news.records
    return failed


def _push(key: str, news: _News, post: Post) -> None:
    workspace = Workspace.load(key)
    if workspace is None:  # no page of the user ever opened it
        return
    for thread_id in news.deleted:
        remove_session(workspace, thread_id)
    for run_key in news.runs:
        follow_run(workspace, run_key)
    if not workspace.state.sessions and news.deleted and workspace.stored.connections:
        workspace.append(partial(new_session, workspace), f"instead.{next(iter(news.deleted))}")
    try:
        advance(workspace)
    finally:
        deliver_all(workspace, post)


def _by_workspace(records: Sequence[ChangedItem]) -> dict[str, _News]:
    found: dict[str, _News] = {}
    for record in records:
        item = record.item
        kind, _, name = item["pk"].partition("#")
        key = name if kind == "WORKSPACE" else item.get("workspace")
        if not isinstance(key, str):
            continue
        news = found.setdefault(key, _News())
        news.records.append(record.sequence_number)
        if kind == "RUN":
            news.runs[name] = None
        elif kind == "SESSION" and "deleted_at" in item:
            news.deleted[item["thread_id"]] = None
    return found
