"""SQS, the rules of the event bus and Lambda's event source mappings, as the template has them, on virtual time.

A message comes at least once, in any order, to functions that die; one that came too often is dead.
"""

import importlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from local import template
from local.__main__ import TEMPLATE
from local.stack import Stack
from local.table_stream.filters import matches
from local.translation import translate
from tests.simulation.scheduler import Actor
from tests.simulation.world import World
from tests.support.domain_events.bus import Bus
from tests.support.functions.calls import Context

ARRIVES: Final = (0.005, 0.05, 1.0)
"""Seconds at most until a message can be received."""
LATE: Final = (0.0, 0.0, 0.0, 1.0, 30.0, 900.0)
"""Seconds at most that the bus takes to send an event to a queue, where there are faults; a third of these else."""
GATHERED: Final = (0.0, 0.0, 0.2, 2.0)
"""Seconds that messages gather for a batch."""
REPEATED: Final = 0.05
"""The share of messages that come again though they were handled, where there are faults."""
PARAMETERS: Final = {
    "OidcIssuer": "http://127.0.0.1:1/local",
    "OidcAudience": "yarrow",
    "TracesEndpoint": "https://traces.example.com/v1/traces",
    "WebPushContact": "mailto:ops@example.com",
}
"""With these the template has every mapping of a queue."""

Json = dict[str, Any]


@cache
def stack() -> Stack:
    return template.load(TEMPLATE, PARAMETERS)


@cache
def _properties(queue: str) -> Mapping[str, Any]:
    """Return a queue's properties in the template, by its name."""
    resources = translate(TEMPLATE, PARAMETERS)["Resources"]
    found: Mapping[str, Any] = resources[queue.rpartition("-")[2]]["Properties"]
    return found


@dataclass(eq=False)
class Message:
    """`receives` counts how often it came before."""

    body: str
    receives: int = 0


@dataclass(frozen=True)
class Batch:
    """What an invocation was given, and when it began."""

    began: float
    documents: Sequence[Json]


@dataclass
class Queue:
    """A queue and the mapping that hands its messages to a function."""

    world: World
    name: str
    function: str
    batch_size: int
    concurrency: int
    timeout: float
    visibility: float
    most_receives: int
    """After so many, a message is dead."""
    dead: list[Json] = field(default_factory=list)
    puts: Counter[str] = field(default_factory=Counter)
    """How often each message was sent, by its body."""
    handed: Counter[str] = field(default_factory=Counter)
    """How often each was handed to the function."""
    batches: dict[Actor, Batch] = field(default_factory=dict)
    """By invocation, whether it has ended or not."""
    _waiting: list[Message] = field(default_factory=list)
    _busy: int = 0

    def put(self, body: str, delay: float = 0.0) -> None:
        """Take a message, to be received after so many seconds."""
        self.puts[body] += 1
        self._arrive(Message(body), delay)

    def batch_of(self, actor: Actor | None) -> Batch:
        assert actor is not None
        return self.batches[actor]

    def _arrive(self, message: Message, after: float) -> None:
        chance = self.world.scheduler.chance
        after += chance.uniform(0.0, chance.choice(ARRIVES))
        self.world.scheduler.spawn("message", lambda: self._offer(message), after=after)

    def _offer(self, message: Message) -> None:
        self._waiting.append(message)
        self.world.scheduler.pause(self.world.scheduler.chance.choice(GATHERED))
        self._poll()

    def _poll(self) -> None:
        chance = self.world.scheduler.chance
        while self._waiting and self._busy < self.concurrency:
            count = min(len(self._waiting), chance.choice((1, 2, self.batch_size, self.batch_size)))
            batch = chance.sample(self._waiting, count)
            self._waiting = [message for message in self._waiting if message not in batch]
            self._busy += 1
            self.world.scheduler.spawn("mapping", lambda batch=batch: self._take(batch))  # type: ignore[misc]

    def _take(self, batch: Sequence[Message]) -> None:
        chance = self.world.scheduler.chance
        failed = self._invoke(batch)
        self._busy -= 1
        for message in batch:
            if message in failed:
                message.receives += 1
                if message.receives >= self.most_receives:
                    self.dead.append(json.loads(message.body))
                else:
                    self._arrive(message, self.visibility)
            elif self.world.aws.rate and chance.random() < REPEATED:
                self._arrive(Message(message.body, message.receives + 1), chance.choice((0.0, self.visibility)))
        self._poll()

    def _invoke(self, batch: Sequence[Message]) -> list[Message]:
        """The messages that are to come again."""
        world = self.world
        records = [{"messageId": str(number), "body": message.body} for number, message in enumerate(batch)]
        self.handed.update(message.body for message in batch)
        handler = importlib.import_module(f"functions.{self.function}.app").handler

        def act() -> Any:
            assert world.scheduler.current is not None
            documents = [json.loads(message.body) for message in batch]
            self.batches[world.scheduler.current] = Batch(world.scheduler.now, documents)
            return handler({"Records": records}, Context(self.function))

        try:
            answer = world.function(self.function, act, self.timeout, is_ended=True)
        except Exception:  # noqa: BLE001 (Lambda gives the batch back)
            return list(batch)
        return [batch[int(failure["itemIdentifier"])] for failure in answer["batchItemFailures"]]


class Queues:
    """SQS's `SendMessage` to the queues of functions, which are named by their folders."""

    def __init__(self, world: World, *functions: str) -> None:
        found = stack()
        self.by_name: dict[str, Queue] = {}
        for mapping in found.queue_mappings:
            function = found.functions[mapping.function]
            if function.folder.name in functions:
                properties = _properties(mapping.queue)
                self.by_name[mapping.queue] = Queue(
                    world=world,
                    name=mapping.queue,
                    function=function.folder.name,
                    batch_size=mapping.batch_size,
                    concurrency=mapping.concurrency,
                    timeout=function.timeout,
                    visibility=properties["VisibilityTimeout"],
                    most_receives=properties["RedrivePolicy"]["maxReceiveCount"],
                )
        world.aws.services["sqs"] = self

    def of(self, function: str) -> Queue:
        (found,) = (queue for queue in self.by_name.values() if queue.function == function)
        return found

    def SendMessage(self, QueueUrl: str, MessageBody: str, DelaySeconds: int = 0) -> Json:  # noqa: N802, N803
        assert 0 <= DelaySeconds <= 900
        self.by_name[QueueUrl.rpartition("/")[2]].put(MessageBody, DelaySeconds)
        return {"MessageId": "1"}


class RuledBus(Bus):
    """EventBridge with the template's rules: what they match goes to queues, at least once, in any order.

    `came` says when each event was published first, by its id.
    """

    def __init__(self, world: World, queues: Queues, refused: float) -> None:
        chance = world.scheduler.chance
        super().__init__(lambda _: world.aws.rate > 0 and chance.random() < refused)
        self.came: dict[str, float] = {}
        self._world, self._queues = world, queues

    def _put(self, entry: Mapping[str, Any]) -> dict[str, str]:
        result = super()._put(dict(entry))
        if "ErrorCode" not in result:
            detail = self.events[-1]
            self.came.setdefault(detail["id"], self._world.scheduler.now)
            event = {"detail-type": entry["DetailType"], "source": entry["Source"], "detail": detail}
            for queue in self._targets(event):
                self._send(queue, json.dumps(event))
        return result

    def _targets(self, event: Json) -> Iterator[Queue]:
        for rule in stack().queue_rules:
            if matches(rule.pattern, event):
                yield from (self._queues.by_name[name] for name in rule.queues if name in self._queues.by_name)

    def _send(self, queue: Queue, body: str) -> None:
        chance, fails = self._world.scheduler.chance, self._world.aws.rate > 0
        for _ in range(2 if fails and chance.random() < REPEATED else 1):
            queue.put(body, chance.uniform(0.0, chance.choice(LATE if fails else LATE[:4])))
