"""The table's stream, and Lambda's event source mapping: a partition's changes come in order, at least once.

The mapping is the template's: so many tries of a batch, from the first record that failed, then it is given up.
"""

import importlib
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, Final

from local.dynamodb.table import ItemChange
from tests.simulation.world import World
from tests.support.functions.calls import Context
from tests.support.workspace.stream_filter import is_shown
from yarrow.store.table import from_wire

TRIES: Final = 6
SECONDS: Final = 60.0
BATCHES: Final = (1, 2, 100)
_ACTORS: Final = {"workspace_push": "push", "publish_events": "publish"}
Json = dict[str, Any]


class TableStream:
    """Calls the function for what its filter lets through. `given_up` counts the records that it never took.

    `wants` is the filter; a batch is tried `tries` times. Several streams of one table each get every change.
    """

    def __init__(
        self,
        world: World,
        function: str = "workspace_push",
        wants: Callable[[ItemChange], bool] = lambda change: is_shown(change, from_wire(change.item)),
        tries: int = TRIES,
    ) -> None:
        self._world = world
        self._function = function
        self._wants = wants
        self._tries = tries
        self._waiting: defaultdict[str, deque[ItemChange]] = defaultdict(deque)
        self._pumped: set[str] = set()
        self.given_up = 0
        self._others = world.aws.table.on_change
        world.aws.table.on_change = self._hear

    def _hear(self, change: ItemChange) -> None:
        self._others(change)
        if not self._wants(change):
            return
        partition = change.item["pk"]["S"]
        self._waiting[partition].append(change)
        if partition not in self._pumped:
            self._pumped.add(partition)
            delay = self._world.scheduler.chance.uniform(0.05, 0.8)
            self._world.scheduler.spawn(f"mapping {partition[:12]}", lambda: self._pump(partition), after=delay)

    def _pump(self, partition: str) -> None:
        waiting, chance = self._waiting[partition], self._world.scheduler.chance
        while waiting:
            batch = [waiting.popleft() for _ in range(min(len(waiting), chance.choice(BATCHES)))]
            self._deliver(batch)
            if chance.random() < 0.1:  # the mapping forgot how far it was
                self._world.scheduler.spawn("repeated", lambda batch=batch: self._deliver(batch))  # type: ignore[misc]
        self._pumped.discard(partition)

    def _deliver(self, batch: list[ItemChange]) -> None:
        for tried in range(1, self._tries + 1):
            failed = self._invoke(batch)
            batch = [change for change in batch if failed and _number(change) >= min(failed)]
            if not batch:
                return
            self._world.scheduler.pause(self._world.scheduler.chance.uniform(0.1, 2.0) * min(tried, TRIES))
        self.given_up += len(batch)

    def _invoke(self, batch: list[ItemChange]) -> list[str]:
        """The numbers of the records that failed."""
        event = {
            "Records": [
                {"eventName": change.event, "dynamodb": {"SequenceNumber": _number(change), "NewImage": change.item}}
                for change in batch
            ]
        }
        handler = importlib.import_module(f"functions.{self._function}.app").handler
        try:
            answer = self._world.function(
                _ACTORS[self._function], lambda: handler(event, Context(self._function)), SECONDS
            )
        except Exception:  # noqa: BLE001 (the mapping repeats the batch)
            return [_number(change) for change in batch]
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def _number(change: ItemChange) -> str:
    return f"{change.sequence:021}"
