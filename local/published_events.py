"""The event buses of a stack: takes what functions publish, and shows it to people and tests.

Source: EventBridge API Reference, "PutEvents".
"""

import asyncio
import json
import uuid
from collections import deque
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.events import matches
from local.problems import problem
from local.stack import ACCOUNT, REGION, QueueRule

PATH: Final = "/event-bus"
"""Where EventBridge's API is on the internal port."""

KEPT: Final = 20_000
"""The latest events; earlier ones are forgotten, and all of them when the stack ends."""

PAGE: Final = 1_000
_MAX_ENTRIES: Final = 10
_MAX_BYTES: Final = 256 * 1024
_ACTION: Final = "AWSEvents.PutEvents"


class PublishedEvents:
    """Events in the order in which they came, as rules and targets get them; `buses` are the names of buses.

    `send` gets each event that a rule sends to a queue, with the queue's name.
    """

    def __init__(
        self,
        buses: Collection[str],
        rules: Collection[QueueRule] = (),
        send: Callable[[str, bytes], object] = lambda _queue, _event: None,
    ) -> None:
        self._buses = frozenset(buses)
        self._rules = tuple(rules)
        self._send = send
        self._events: deque[Mapping[str, Any]] = deque(maxlen=KEPT)
        self._count = 0

    def put(self, entry: Mapping[str, Any]) -> dict[str, str]:
        """Add an event; returns the entry of the response, with the id that EventBridge gives it, or an error."""
        if entry.get("EventBusName") not in self._buses:
            return {"ErrorCode": "InvalidArgument", "ErrorMessage": "there is no such event bus"}
        try:
            detail = json.loads(entry["Detail"])
        except (KeyError, ValueError):
            return {"ErrorCode": "MalformedDetail", "ErrorMessage": "Detail is malformed."}
        event_id = str(uuid.uuid4())
        at = datetime.fromtimestamp(entry.get("Time", datetime.now(UTC).timestamp()), UTC)
        event = {
            "version": "0",
            "id": event_id,
            "detail-type": entry["DetailType"],
            "source": entry["Source"],
            "account": ACCOUNT,
            "time": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "region": REGION,
            "resources": entry.get("Resources", []),
            "detail": detail,
        }
        self._events.append(event)
        self._count += 1
        for rule in self._rules:
            if rule.bus == entry["EventBusName"] and matches(rule.pattern, event):
                for queue in rule.queues:
                    self._send(queue, json.dumps(event).encode())
        return {"EventId": event_id}

    def after(self, number: int) -> tuple[list[Mapping[str, Any]], int]:
        """Return a page of the events after the first `number`, and what to ask for to get the next one."""
        first = self._count - len(self._events)
        start = max(number, first)
        page = list(islice(self._events, start - first, start - first + PAGE))
        return page, start + len(page)


def bus_route(published: PublishedEvents) -> Route:
    """Return the route of EventBridge's API, which has one action."""

    async def answer(request: Request) -> Response:
        if request.headers.get("x-amz-target") != _ACTION:
            return _error("UnknownOperationException")
        body = await request.body()
        entries = json.loads(body)["Entries"]
        if not 0 < len(entries) <= _MAX_ENTRIES or len(body) > _MAX_BYTES:
            return _error("ValidationException")
        results = await asyncio.to_thread(lambda: [published.put(entry) for entry in entries])
        return JSONResponse({"Entries": results, "FailedEntryCount": sum("ErrorCode" in result for result in results)})

    return Route(PATH, answer, methods=["POST"])


def _error(kind: str) -> Response:
    return JSONResponse({"__type": kind}, 400)


def events_route(published: PublishedEvents, origins: Collection[str]) -> Route:
    """Return the route `GET /local/events?after=0`, whose `next` is the next `after`.

    Requests from other origins are refused.
    """

    async def answer(request: Request) -> Response:
        path, after = request.url.path, request.query_params.get("after", "0")
        if request.headers.get("origin") not in (None, *origins):
            return problem(403, "LOCAL_EVENTS_FORBIDDEN", "requests from another origin may not read events", path)
        if not (after.isascii() and after.isdigit() and len(after) <= 15):
            return problem(422, "LOCAL_EVENTS_INVALID", "after is not a number", path)
        events, following = published.after(int(after))
        return JSONResponse({"events": events, "next": following})

    return Route("/events", answer)
