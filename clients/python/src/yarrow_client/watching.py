"""Flows that submit a run and follow its events across lost connections, by the rules of `docs/clients.md`."""

import json
import random
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import quote

from yarrow_client.effects import Answer, Close, Event, Flow, Open, Read, Request, Send, Token, Wait
from yarrow_client.errors import Dropped, Refused, YarrowError
from yarrow_client.frames import Frame, FrameDecoder
from yarrow_client.wire import Accepted

RUNS: Final = "/api/v1/agent/runs"
TERMINAL: Final = frozenset({"RUN_FINISHED", "RUN_ERROR"})
PASSING: Final = frozenset({408, 429, 500, 502, 503, 504})
SILENCE_SECONDS: Final = 45.0
"""The service says something every 15 seconds."""
LONGEST_WAIT: Final = 30.0
MOST_FAILURES: Final = 20

Profile: TypeAlias = Literal["native", "agui", "snapshot"]


def path(*parts: str) -> str:
    """Join a path and escape its parts."""
    return "/".join((parts[0], *(quote(part, safe="") for part in parts[1:])))


def send(request: Request, *, opens: bool = False) -> Flow[Answer]:
    """Send a request; a refused token is replaced once. Raises Refused unless the response is a success."""
    token: str = yield Token()
    for is_last in (False, True):
        answer: Answer = yield (Open(request, token) if opens else Send(request, token))
        if answer.is_success:
            return answer
        if answer.status != 401 or is_last:
            break
        refused = token
        token = yield Token(refused)
        if token == refused:
            break
    raise answer.refusal()


class Patience:
    """Decides whether to try again and after how long."""

    def __init__(self) -> None:
        self._retry = 0.5
        self._failures = 0

    def received(self, frame: Frame) -> None:
        self._failures = 0
        if frame.retry is not None:
            self._retry = frame.retry / 1000

    def wait(self, failure: YarrowError | None) -> Wait:
        """Return the wait before the next try. Raises the failure if it is permanent or one too many."""
        if failure is not None:
            passes = isinstance(failure, Dropped) or (isinstance(failure, Refused) and failure.status in PASSING)
            self._failures += 1
            if not passes or self._failures > MOST_FAILURES:
                raise failure
        growing = min(self._retry * 2 ** max(0, self._failures - 1), LONGEST_WAIT)
        least = failure.retry_after if isinstance(failure, Refused) else None
        # Jitter: clients that were refused together must not all return at the same moment.
        seconds = max(least, growing) * random.uniform(1, 1.5) if least else growing * random.uniform(0.5, 1)  # noqa: S311
        return Wait(seconds, failure)


def submit(run_input: Mapping[str, Any], agent: str | None) -> Flow[Accepted]:
    """Submit a run; repeated if the response may be lost, which starts no second run."""
    params = {"agent": agent} if agent else {}
    request = Request("POST", RUNS, params, json=run_input)
    patience = Patience()
    while True:
        try:
            answer = yield from send(request)
            accepted: Accepted = json.loads(answer.content)
        except ValueError as error:
            failure: YarrowError = Dropped("the answer was cut off")
            failure.__cause__ = error
        except YarrowError as error:
            failure = error
        else:
            return accepted
        yield patience.wait(failure)


def send_message(run_input: Mapping[str, Any], agent: str | None) -> Flow[None]:
    """Submit as AG-UI clients do, like `submit`; the response's stream is closed, since `watch` reads the events."""
    request = Request("POST", "/send-message", {"agent": agent} if agent else {}, json=run_input)
    patience = Patience()
    while True:
        try:
            yield from send(request, opens=True)
        except YarrowError as error:
            yield patience.wait(error)
        else:
            yield Close()
            return


def watch(thread_id: str, run_id: str, after: int, profile: Profile | None) -> Flow[None]:
    """Yield the events of a run, up to its terminal event."""
    patience = Patience()
    # An empty stream means that `after` ended the run or that a proxy cut it; reading `after` again shows which.
    again = 0
    while True:
        is_empty = True
        is_snapshot = profile == "snapshot" and not after
        snapshot_id: int | None = None  # requested again until newer events arrive
        failure: YarrowError | None = None
        try:
            answer = yield from send(_events(thread_id, run_id, after - again, _profile(profile, after)), opens=True)
            if answer.status == 204 and after:  # `after` ended the run
                yield Close()
                return
            decoder = FrameDecoder()
            chunk: bytes
            while chunk := (yield Read()):
                for frame in decoder.feed(chunk):
                    is_empty = False
                    if not is_snapshot or after:
                        patience.received(frame)
                    if frame.id is None or frame.data is None:
                        continue
                    event = _event(frame.id, frame.data)
                    if is_snapshot and snapshot_id in (None, event.id):
                        snapshot_id = event.id
                        yield event
                    elif event.id > after:
                        after = event.id
                        yield event
                    if event.type in TERMINAL:
                        return
        except YarrowError as error:
            failure = error
        yield Close()
        if failure is None:
            if is_empty and after and not again:
                again = 1
                continue
            if is_empty or (is_snapshot and not after):
                failure = Dropped("the stream ended before its first event")
        if not is_empty:
            again = 0
        yield patience.wait(failure)


def _profile(profile: Profile | None, after: int) -> Profile | None:
    return "agui" if profile == "snapshot" and after else profile


def _events(thread_id: str, run_id: str, cursor: int, profile: Profile | None) -> Request:
    params = {"runId": run_id} | ({"profile": profile} if profile else {})
    headers = {"Last-Event-ID": str(cursor)} if cursor > 0 else {}
    return Request("GET", path(RUNS, thread_id, "events"), params, headers)


def _event(number: str, text: str) -> Event:
    """Decode an event. Raises Dropped for invalid data, which did not come from the service."""
    try:
        after, data = int(number), json.loads(text)
    except ValueError as error:
        raise Dropped("the stream has data other than events") from error
    if not isinstance(data, dict):
        raise Dropped("the stream has data other than events")
    return Event(after, data)
