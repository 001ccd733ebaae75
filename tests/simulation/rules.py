"""What must be true of all that is stored, whatever went wrong."""

import json
from collections import Counter
from contextlib import suppress

from tests.simulation import clients
from tests.simulation.world import World
from tests.support.memory_aws.table import Key
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.response_body import to_json
from yarrow.runs import get_history
from yarrow.runs.earlier_output import earlier_output
from yarrow.settings import settings
from yarrow.store import clients as aws_clients
from yarrow.store import journal, runs, sessions, table
from yarrow.store.limits import run_slots, stream_slots
from yarrow.store.table import from_wire


def stored_runs() -> list[runs.Run]:
    items = map(from_wire, aws_clients.dynamodb().scan(TableName=settings.table_name)["Items"])
    return [runs.stored(item) for item in items if item["sk"] == "RUN"]


def check(world: World) -> None:
    """What is stored, whatever happened."""
    for run in stored_runs():
        name = f"{run.run_id} of {run.thread_id[:4]}"
        lines: list[str] = []
        latest = 1
        for batch in journal.read(run.key, journal.Position()):
            if batch.attempt > latest and batch.lines:
                world.violated(f"worker {batch.attempt} of {name} did not shut the others out before it wrote")
            if journal.NOBODY < batch.attempt < latest:
                world.violated(f"worker {batch.attempt} of {name} wrote after worker {latest}")
            latest = max(latest, batch.attempt)
            numbers = [number for number, _ in batch.numbered()]
            if numbers and numbers[0] != len(lines) + 1:
                world.violated(f"the events of {name} are not dense at {numbers[0]}")
            lines += batch.lines
        if len(lines) != sum(_events(run.key)):
            world.violated(f"{name} has events that nobody reads")
        try:
            (earlier_output(run).order if run.earlier else EventOrder()).replay(lines)
        except Exception as error:  # noqa: BLE001 (whatever it is)
            world.violated(f"{name}: {error}")
        kinds = [json.loads(line)["type"] for line in lines]
        terminal = [number for number, kind in enumerate(kinds, 1) if kind in clients.TERMINAL]
        if not run.ended or terminal != [len(kinds)] or run.last_sequence != len(kinds):
            world.violated(f"{name} is {run.phase} with {kinds[-1]} at {terminal} of {len(kinds)}")
        code = json.loads(lines[-1]).get("code") if lines else None
        if not world.aws.faults and code in ("RUN_LOST", "RUN_FAILED", "RUN_TIMEOUT"):
            world.violated(f"{name} ended with {code} though nothing failed")
    _check_sessions(world)
    _check_slots(world)
    _check_owners(world)
    _check_ends(world)


def _check_ends(world: World) -> None:
    """Nobody can end a run again, not even after its terminal event (EVT-08)."""
    for run in stored_runs():
        with suppress(table.ConditionFailedError):
            journal.end(run.key, journal.NOBODY, journal.last_batch(run.key).end, ["{}"], "failed", [])
            world.violated(f"{run.run_id} of {run.thread_id[:4]} ended twice")


def events_of(run_key: str) -> list[events.Event]:
    """What the journal has of a run."""
    return [events.decode(line) for line in lines_of(run_key)]


def asks(run_key: str) -> bool:
    """Return whether a finished run ends with questions."""
    last = events_of(run_key)[-1]
    return isinstance(last, events.RunFinished) and bool(last.outcome)


def code_of(run_key: str) -> str | None:
    """Return the code with which a run failed, if it did."""
    last = events_of(run_key)[-1]
    return last.code if isinstance(last, events.RunError) else None


def messages_of(run_key: str) -> dict[str, str]:
    """Return the texts of a run's messages by their ids."""
    output: dict[str, str] = {}
    for event in events_of(run_key):
        if isinstance(event, events.TextMessageContent):
            output[event.message_id] = output.get(event.message_id, "") + event.delta
    return output


def lines_of(run_key: str) -> list[str]:
    """The same, as they are stored."""
    return [line for batch in journal.read(run_key, journal.Position()) for line in batch.lines]


def _events(run_key: str) -> list[int]:
    """How many events each item of the journal has, whatever its place."""
    found = table.query(table.run_key_of(run_key)["pk"], start="EVENT#", before="EVENT#~")
    return [len(item["events"].split("\n")) for item in found if "events" in item]


def _check_sessions(world: World) -> None:
    by_thread: dict[str, list[runs.Run]] = {}
    for run in stored_runs():
        by_thread.setdefault(run.thread_id, []).append(run)
    for thread, its_runs in by_thread.items():
        session = sessions.read(thread)
        if session is None:
            world.violated(f"{thread[:4]} has runs and no session")
            continue
        if session.active_run is not None:
            world.violated(f"{thread[:4]} is held by {session.active_run[:6]}")
        if session.deleted_at is not None:
            continue
        output: dict[str, str] = {}
        for run in its_runs:
            output |= messages_of(run.key) if run.phase == "finished" else {}
        snapshot = json.loads(to_json(get_history.whole_session(thread, clients.USER)))
        kept = Counter(message["content"] for message in snapshot["messages"] if message["role"] == "assistant")
        requests = [message for message in snapshot["messages"] if message["role"] == "user"]
        asked = sum(bool(runs.read_input(run.key)["messages"]) for run in its_runs)  # not all answers have words
        asked += sum(run.added or 0 for run in its_runs)
        if session.branches:  # what was superseded is in no history
            if kept - Counter(output.values()) or len(requests) > asked:
                world.violated(f"the history of {thread[:4]} has {kept}, its events {Counter(output.values())}")
            continue
        if kept != Counter(output.values()):
            world.violated(f"the history of {thread[:4]} has {kept}, its events {Counter(output.values())}")
        if len(requests) != asked:
            world.violated(f"{thread[:4]} has {len(requests)} questions and {asked} runs with one")


def _check_slots(world: World) -> None:
    """A slot of a run is given back when another is wanted; that of a stream at its end, or by its expiry."""
    listed = run_slots.stored(table.get(run_slots.key(clients.USER)))
    if not listed <= {run.key for run in stored_runs()}:
        world.violated("a run that there is not has a slot")
    streams = table.get(stream_slots.key(clients.USER))
    if streams and streams["slots"] and not any(fault != "none" for _, fault in world.aws.made):
        world.violated(f"{len(streams['slots'])} streams are open that nobody reads")


def _check_owners(world: World) -> None:
    """No item without the item that says whose it is."""
    keys: set[Key] = {(item["pk"]["S"], item["sk"]["S"]) for item in world.aws.table.items}
    for pk, sk in keys:
        head = {"RUN": (pk, "RUN"), "SESSION": (pk, "SESSION")}.get(pk.partition("#")[0])
        if head is not None and head not in keys and sk != "RESERVATION":
            world.violated(f"{pk[:12]} {sk} is nobody's")
