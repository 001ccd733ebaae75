"""Ends subtasks whose run ends before they do. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from yarrow.workspace.state import changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.session import NOT_DONE, WorkspaceSession

_RUNNING = frozenset({"running"})


def with_ends_of_subtasks(session: WorkspaceSession, run_key: str, run_id: str, made: Sequence[Change]) -> list[Change]:
    """Return the changes `made` by a run's events, ending all subtasks that the run can no longer end.

    - A run that was cancelled or started over may report subtasks until it stops: in a canceled session, those that
      are not done are failed (WSP-17); otherwise its reports are ignored.
    - A run that fails, or is cancelled through another door, fails the subtasks that are running. Those that are
      pending or in review may belong to a later run.
    """
    if run_key == session.stopping or run_id in session.dropped:
        return _of_abandoned(session, made)
    subtasks: Sequence[Mapping[str, Any]] = session.subtasks
    found: list[Change] = []
    for change in made:
        if change["op"] == changes.SUBTASKS:
            subtasks = change["items"]
        if change["op"] == changes.ENDED and change.get("error") and _has(subtasks, _RUNNING):
            at = max((_time(change) for change in made), default=0)
            found.append(changes.subtasks(session.id, _failed(subtasks, _RUNNING), at))
        found.append(change)
    return found


def _of_abandoned(session: WorkspaceSession, made: Iterable[Change]) -> list[Change]:
    if session.paused:  # a resume repeats its command
        return list(made)
    others = [change for change in made if session.canceled or change["op"] != changes.SUBTASKS]
    return [
        {**change, "items": _failed(change["items"], NOT_DONE)} if change["op"] == changes.SUBTASKS else change
        for change in others
    ]


def _failed(items: Iterable[Mapping[str, Any]], which: frozenset[str]) -> list[dict[str, Any]]:
    """Return the items without their times; those with these statuses have failed."""
    return [
        {
            **{name: value for name, value in item.items() if name != "updatedAt"},
            "status": "failed" if item["status"] in which else item["status"],
        }
        for item in items
    ]


def _has(items: Iterable[Mapping[str, Any]], which: frozenset[str]) -> bool:
    return any(item["status"] in which for item in items)


def _time(change: Change) -> int:
    """Return the time of a change in milliseconds; 0 if it has none."""
    return int(
        change.get("at") or change.get("message", {}).get("createdAt", 0) or change.get("log", {}).get("time", 0)
    )
