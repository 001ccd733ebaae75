"""Counts posted frames, for metrics."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from yarrow.observability.metrics import Metric, emit
from yarrow.store import clock
from yarrow.workspace.posting import GoneError, post


class CountedPost:
    """A `Post` through API Gateway that counts frames and connections that are gone."""

    def __init__(self) -> None:
        self._frames = 0
        self._gone = 0

    def __call__(self, connection_id: str, frame: bytes, /) -> None:
        """Post a frame. Raises as `post`."""
        try:
            post(connection_id, frame)
        except GoneError:
            self._gone += 1
            raise
        self._frames += 1

    def emit(self, shown: Iterable[Mapping[str, Any]] = ()) -> None:
        """Write the counts, if any, with the age of the oldest of the `shown` changes."""
        if not self._frames and not self._gone:
            return
        values: dict[Metric, float] = {Metric.WORKSPACE_FRAMES: self._frames, Metric.WORKSPACE_GONE: self._gone}
        created = [int(item["created_at"]) for item in shown if isinstance(item.get("created_at"), Decimal)]
        if self._frames and created:
            values[Metric.WORKSPACE_PUSH_DELAY] = max(0, clock.now_ms() - min(created))
        emit("frames were posted", values)
