"""Publishes the events of changed items: all of them, at least once, and those of a run in order (EVB-01).

A question that is open gets its timer with its event, so that none is without one, and what a run has used is counted
with the event of its end.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.domain_events import question_timers
from yarrow.domain_events.changed_items import events_of, subject_of
from yarrow.observability.logs import logger
from yarrow.observability.metrics import Metric, emit
from yarrow.protocol.domain_events import SOURCE
from yarrow.protocol.response_body import to_json
from yarrow.settings import settings
from yarrow.store import clients, run_hours, run_usage

if TYPE_CHECKING:
    from yarrow.protocol.domain_events import DomainEvent, EndedRun

_MAX_ENTRIES: Final = 10
"""EventBridge takes no more in a request."""

_Lane = deque[tuple[str, "DomainEvent"]]
"""The events of a run or a job that are still to be sent, with the numbers of their records."""


def publish_events(changes: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Send the events of changed items, which come with the sequence numbers of their records.

    Returns the numbers of the records to redeliver. An event is sent only after the earlier ones of its run or job:
    each round sends the first one of every lane, and a lane whose event was refused is given up.
    """
    lanes, failed = _lanes(changes)
    while lanes:
        keys = list(lanes)
        refused = _put([lanes[key][0][1] for key in keys])
        for key, is_refused in zip(keys, refused, strict=True):
            if is_refused:
                failed += [number for number, _ in lanes.pop(key)]
                continue
            lanes[key].popleft()
            if not lanes[key]:
                del lanes[key]
    return failed


def _lanes(changes: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[dict[str, _Lane], list[str]]:
    """Return the events by run or job, and the numbers of the records whose events could not be made."""
    lanes: dict[str, _Lane] = {}
    broken: dict[str, list[str]] = {}
    for number, item in changes:
        key = subject_of(item)
        if key in broken:
            broken[key].append(number)
            continue
        try:
            events = events_of(item)
        except Exception:  # the events of other runs must not wait for it
            logger.warning("the events of a record could not be made", exc_info=True)
            broken[key] = [number]
            continue
        if events:
            lanes.setdefault(key, deque()).extend((number, event) for event in events)
    return lanes, [number for numbers in broken.values() for number in numbers]


def _put(events: Sequence["DomainEvent"]) -> list[bool]:
    """Send the events, and do what goes with them; returns of each whether any of that failed."""
    refused: list[bool] = []
    for start in range(0, len(events), _MAX_ENTRIES):
        refused += _put_some(events[start : start + _MAX_ENTRIES])
    return [is_refused or not _is_followed(event) for event, is_refused in zip(events, refused, strict=True)]


def _is_followed(event: "DomainEvent") -> bool:
    """Set the timer of a question that was opened, and count what a run has used; both are done once.

    Returns whether the event needs nothing more.
    """
    try:
        match event.type:
            case "interrupt.opened":
                question = event.data
                due = datetime.fromisoformat(question.expires_at)
                question_timers.put(question.user_id, question.interrupt_id, due)
            case "run.completed" | "run.failed" | "run.canceled":
                if run_usage.count(event.data, run_hours.writes(event.data, event.type)):
                    _emit_cost(event.data)
    except (BotoCoreError, ClientError):
        logger.warning("what goes with an event failed", extra={"event": event.type}, exc_info=True)
        return False
    return True


def _emit_cost(run: "EndedRun") -> None:
    """Record what a run cost, if any of its models has a price."""
    if not run.usage or settings.model_prices == "{}":
        return
    from yarrow.runs.model_costs import cost_of, model_prices  # few deployments have prices

    prices = model_prices()
    costs = [cost for used in run.usage if (cost := cost_of(used, prices)) is not None]
    if costs:
        emit("a run has cost", {Metric.RUN_COST: sum(costs)}, by={"agent": run.agent}, run_key=run.run_key)


def _put_some(events: Sequence["DomainEvent"]) -> list[bool]:
    try:
        answer = clients.event_bridge().put_events(Entries=[_entry(event) for event in events])
    except (BotoCoreError, ClientError):
        logger.warning("events could not be published", exc_info=True)
        return [True] * len(events)
    codes = {entry["ErrorCode"] for entry in answer["Entries"] if "ErrorCode" in entry}
    if codes:
        logger.warning("events were refused", extra={"codes": sorted(codes)})
    return ["ErrorCode" in entry for entry in answer["Entries"]]


def _entry(event: "DomainEvent") -> dict[str, Any]:
    return {
        "EventBusName": settings.event_bus,
        "Source": SOURCE,
        "DetailType": event.type,
        "Time": datetime.fromisoformat(event.timestamp),
        "Detail": to_json(event).decode(),
    }
