"""What an agent shows beside its messages, such as a plan or a search: AG-UI's activities. An activity has a type,
which clients draw in their own way, and a JSON object that changes by JSON Patch (RFC 6902).
"""

import uuid
from collections.abc import Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.formats.json_patch import Operation, PatchError, apply, without_tests
from yarrow.protocol.events import events
from yarrow.worker.results.state_updates import MAX_SHOWN_BYTES

MAX_ACTIVITIES: Final = 100

_NAMESPACE: Final = uuid.UUID("c2c5e1de-5d0b-5f5c-8a5e-616374697669")


class Activities:
    """Message ids are the same for every worker; `log_key` names the run."""

    def __init__(self, ids: events.RunIds, log_key: str) -> None:
        self._ids = ids
        self._log_key = log_key
        self._shown: dict[str, tuple[str, Any]] = {}
        """Type and content by the runner's id."""

    def show(
        self, activity_id: str, activity_type: str, content: dict[str, Any], *, replace: bool, owner: str | None = None
    ) -> list[events.Event] | None:
        """Show an activity, in place of the one with its id if `replace`; `owner` is the nested agent's. None if it is
        too large, or one too many.
        """
        if activity_id in self._shown and not replace:
            return []
        if activity_id not in self._shown and len(self._shown) == MAX_ACTIVITIES:
            return None
        if len(json_text.dumps(content).encode()) > MAX_SHOWN_BYTES:
            return None
        self._shown[activity_id] = activity_type, content
        message_id = self._message_id(activity_id)
        return [
            events.ActivitySnapshot(
                **self._ids,
                message_id=message_id,
                activity_type=activity_type,
                content=content,
                subagent_run_id=owner,
            )
        ]

    def change(self, activity_id: str, operations: Sequence[Operation]) -> list[events.Event] | None:
        """Change what is shown. None for an activity that is not, or a change that cannot be applied."""
        if activity_id not in self._shown:
            return None
        activity_type, content = self._shown[activity_id]
        try:
            changed = apply(content, operations, MAX_SHOWN_BYTES)
        except PatchError:
            return None
        if not isinstance(changed, dict):
            return None
        self._shown[activity_id] = activity_type, changed
        patch = without_tests(operations)
        message_id = self._message_id(activity_id)
        delta = events.ActivityDelta(**self._ids, message_id=message_id, activity_type=activity_type, patch=patch)
        return [delta] if patch else []

    def _message_id(self, activity_id: str) -> str:
        return str(uuid.uuid5(_NAMESPACE, f"{self._log_key}/{activity_id}"))
