"""Tickets of workspaces, memories, outcomes, and the calendar of a session, which several change at once."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tests.simulation import clients, outcomes
from tests.simulation.world import World
from yarrow.protocol.caller import Caller
from yarrow.runs.memories import delete_memory, list_memories
from yarrow.store import calendar, memories, table
from yarrow.store.calendar import CalendarEvent
from yarrow.store.workspace import tickets
from yarrow.web.tokens import InvalidTokenError
from yarrow.web.workspace_authorization import authorize
from yarrow.workspace.create_workspace_ticket import create_workspace_ticket

TASK: Final = "assistant"
SKEW: Final = 1.0
ROOM: Final = 3
"""Memories that the user may have, besides those that are only counted."""
TEXTS: Final = 5
STEPS: Final = 5
TRIES: Final = 12
CALLER: Final = Caller(clients.USER)
DAY: Final = datetime(2026, 4, 6, 9, tzinfo=UTC)


@dataclass
class _Fact:
    """What is known of something that several change: the latest answer, where nothing else went on meanwhile."""

    under_way: int = 0
    begun: int = 0
    latest: Any = None
    is_known: bool = True


@dataclass
class _Facts:
    world: World
    of: dict[str | tuple[str, str], _Fact] = field(default_factory=dict)
    """By a memory's id, or a thread's and an event's."""

    def change(
        self, name: str, what: str | tuple[str, str], act: Callable[[], Any], becomes: Callable[[Any], Any]
    ) -> Any:
        """The answer of a function, None if there is none. It is over when its process is, whoever waited for it."""
        fact = self.of.setdefault(what, _Fact())

        def acting() -> Any:
            fact.begun += 1
            mine, is_alone = fact.begun, fact.under_way == 0
            fact.under_way += 1
            fact.is_known = False
            try:
                answer = act()
                fact.latest = becomes(answer)
                fact.is_known = is_alone and fact.begun == mine
            finally:
                fact.under_way -= 1
            return answer

        try:
            return self.world.function(name, acting)
        except memories.TooManyMemoriesError:
            raise
        except Exception:  # noqa: BLE001 (it has failed, or is gone)
            return None


def begin(world: World) -> Callable[[], None]:
    """Begin with two devices at the memories, two at the outcomes, a session's calendar, and connections with a ticket
    each."""
    world.skew = SKEW
    chance, scheduler = world.scheduler.chance, world.scheduler
    facts = _Facts(world)
    issued: list[_Ticket] = []
    table.transact(table.put({**memories._head(clients.USER), "memory_count": memories.MAX_MEMORIES - ROOM}))
    for _ in range(2):
        scheduler.spawn("rememberer", lambda: _remember(facts), after=chance.uniform(0, 1))
    scheduler.spawn("planner", lambda: _plan(facts), after=chance.uniform(0, 1))
    check_outcomes = outcomes.begin(world)
    for _ in range(chance.choice((1, 2, 3))):
        scheduler.spawn("page", lambda: _connect(world, issued), after=chance.uniform(0, 5))

    def check() -> None:
        _check_memories(facts)
        check_outcomes()
        _check_calendar(facts)
        _check_tickets(world, issued)

    return check


def _remember(facts: _Facts) -> None:
    world = facts.world
    chance = world.scheduler.chance
    for _ in range(STEPS):
        text = f"memory {chance.randrange(TEXTS)}"
        known = memories.id_of(clients.USER, text)
        if chance.random() < 0.7:
            busy, count = _memories_under_way(facts), len(_stored(world, "MEMORY#"))
            try:
                facts.change("remember", known, lambda: memories.save(clients.USER, text), lambda _: True)  # noqa: B023
            except memories.TooManyMemoriesError:
                if not busy and _memories_under_way(facts) == 0 and max(count, len(_stored(world, "MEMORY#"))) < ROOM:
                    world.violated(f"{count} memories are too many")
        else:
            facts.change("forget", known, lambda: delete_memory(clients.USER, known), lambda _: False)  # noqa: B023
        if len(_stored(world, "MEMORY#")) > ROOM:
            world.violated("there are too many memories")
        world.scheduler.pause(chance.choice((0.0, 0.01, 1.0)))


def _memories_under_way(facts: _Facts) -> int:
    return sum(fact.under_way for what, fact in facts.of.items() if isinstance(what, str))


def _stored(world: World, kind: str) -> list[dict[str, Any]]:
    return [table.from_wire(item) for item in world.aws.table.items if item["sk"]["S"].startswith(kind)]


def _check_memories(facts: _Facts) -> None:
    """Each is there once if its latest change saved it, and they are as many as are counted."""
    world = facts.world
    listed = [memory.id for memory in list_memories(clients.USER).memories]
    (head,) = _stored(world, "MEMORIES")
    if head["memory_count"] != memories.MAX_MEMORIES - ROOM + len(listed) or len(listed) > ROOM:
        world.violated(
            f"{head['memory_count']} memories are counted, {len(listed)} more than at the beginning are there"
        )
    for what, fact in facts.of.items():
        if isinstance(what, str) and fact.is_known and listed.count(what) != int(fact.latest):
            world.violated(f"a memory is there {listed.count(what)} times, its latest change left {fact.latest}")


def _plan(facts: _Facts) -> None:
    """Runs of a session write, move and delete events, each by a call that is repeated until it is answered."""
    world = facts.world
    thread = str(uuid.uuid4())
    if clients.submit(world, thread, "run-1", follow_up=False) is None:
        return
    for number in range(2):
        at = world.scheduler.chance.uniform(0, 1)
        world.scheduler.spawn("run", lambda number=number: _schedule(facts, thread, number), after=at)  # type: ignore[misc]


def _schedule(facts: _Facts, thread: str, number: int) -> None:
    """Of an event of its own; then of one that both change."""
    chance = facts.world.scheduler.chance
    own = CalendarEvent(f"event {number}", DAY, DAY + timedelta(hours=1), "UTC")
    event_id = own.id_in(thread)
    for _ in range(TRIES):
        added = facts.change(
            "write", (thread, event_id), lambda: (calendar.add(thread, "run", own), own)[1], lambda e: e
        )
        if added is not None:
            break
        facts.world.scheduler.pause(chance.uniform(0.2, 8))
    if added is None or facts.of[thread, event_id].under_way:  # a write that comes after a change writes it again
        return
    for day in range(1, chance.choice((1, 2, 4))):
        gone = chance.random() < 0.2
        devices = [
            facts.world.scheduler.spawn("changer", lambda d=d: _move(facts, thread, event_id, d, gone=gone))  # type: ignore[misc] # noqa: B023
            for d in ([day] if chance.random() < 0.6 else [day, day + 10])
        ]
        for device in devices:
            facts.world.scheduler.join(device, 1_000)


def _move(facts: _Facts, thread: str, event_id: str, days: int, *, gone: bool) -> None:
    """By the first of its ids, which leads to where it is."""

    def changed(event: CalendarEvent) -> CalendarEvent | None:
        start = DAY + timedelta(days=days)
        return None if gone else replace(event, starts_at=start, ends_at=start + timedelta(hours=1))

    for _ in range(TRIES):
        done = facts.change(
            "change",
            (thread, event_id),
            lambda: calendar.change(thread, "run", event_id, changed) or calendar.ChangedEvent(None, is_new=False),
            lambda change: change.event,
        )
        if done is not None:
            return
        facts.world.scheduler.pause(facts.world.scheduler.chance.uniform(0.2, 8))


def _check_calendar(facts: _Facts) -> None:
    """Each event is there once or, if it was deleted, never; its first id leads to it."""
    world = facts.world
    titles = [item["title"] for item in _stored(world, "CALENDAR#")]
    if len(titles) != len(set(titles)):
        world.violated(f"the calendar has {titles}")
    for what, fact in facts.of.items():
        if isinstance(what, str) or not fact.is_known:
            continue
        thread, event_id = what
        found = calendar.change(thread, "run", event_id, lambda event: event)
        if found is None or found.event != fact.latest:
            world.violated(f"an event is {found and found.event}, its latest change left {fact.latest}")
        days = list(calendar.between(thread, DAY, DAY + timedelta(days=40)))
        if days.count(fact.latest) != (fact.latest is not None):
            world.violated(f"the calendar has {days}, not {fact.latest} once")


@dataclass
class _Ticket:
    """What came of a ticket: which clients, or else connections, it opened."""

    issued: float
    opened: set[str] = field(default_factory=set)
    is_refused: bool = False
    """Whether it was refused a connection that it should have opened, if nothing else had been."""


def _connect(world: World, issued: list[_Ticket]) -> None:
    """Connections that come with the same ticket: one opens, or those of one client."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    for _ in range(TRIES):
        try:
            text = world.function("ticket", lambda: create_workspace_ticket(CALLER, TASK)).ticket
            break
        except Exception:  # noqa: BLE001 (the page asks for another)
            scheduler.pause(chance.uniform(0.2, 3))
    else:
        return
    ticket = _Ticket(scheduler.now)
    issued.append(ticket)
    tags = chance.choice(([None], [None], ["a"], ["a", "b"]))
    scheduler.pause(chance.choice((0.0, 0.0, 5.0, tickets.TICKET_SECONDS + 3 * SKEW)))
    for number in range(chance.choice((1, 2, 4))):
        query = {
            "ticket": text,
            "taskName": chance.choice((TASK, TASK, None, "another")),
            "clientTag": chance.choice(tags),
        }
        scheduler.spawn(
            "connection",
            lambda number=number, query=query: _open(world, ticket, f"connection-{number}", query),  # type: ignore[misc]
            after=chance.choice((0.0, 0.01, 2.0)),
        )


def _open(world: World, ticket: _Ticket, connection: str, query: dict[str, str | None]) -> None:
    parameters = {name: value for name, value in query.items() if value is not None}
    request = {"queryStringParameters": parameters, "requestContext": {"connectionId": connection}}
    age, is_wrong = world.scheduler.now - ticket.issued, query["taskName"] == "another"
    try:
        by = world.function("authorize", lambda: authorize(request))
    except InvalidTokenError:
        ticket.is_refused |= not is_wrong and age + 2 * SKEW + 1 < tickets.TICKET_SECONDS
        return
    except Exception:  # noqa: BLE001 (no answer)
        return
    ticket.opened.add(query["clientTag"] or connection)
    if by.caller != CALLER or by.task_name != TASK or is_wrong:
        world.violated("a ticket opens what it is not for")
    if age > tickets.TICKET_SECONDS + 2 * SKEW:
        world.violated("a ticket opens a connection after its time")


def _check_tickets(world: World, issued: list[_Ticket]) -> None:
    for ticket in issued:
        if len(ticket.opened) > 1:
            world.violated(f"a ticket opens {sorted(ticket.opened)}")
        if ticket.is_refused and not ticket.opened and not world.aws.faults:
            world.violated("a ticket opens nothing")
