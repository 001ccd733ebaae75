"""The rules of `docs/clients.md` for streams, without a network."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from yarrow_client.effects import Answer, Close, Event, Flow, Open, Read, Request, Send, Token, Wait, advance
from yarrow_client.errors import Dropped, Refused, YarrowError
from yarrow_client.watching import MOST_FAILURES, Profile, send_message, submit, watch

CUT = Dropped("the test cuts")
Reply = Sequence[bytes | Dropped] | Answer | Dropped


@dataclass
class Play:
    events: list[Event] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    result: Any = None
    error: YarrowError | None = None

    @property
    def ids(self) -> list[int]:
        return [event.id for event in self.events]

    @property
    def cursors(self) -> list[str | None]:
        return [request.headers.get("Last-Event-ID") for request in self.requests]


def play(flow: Flow[Any], *replies: Reply, renew: Callable[[str | None], str] = lambda _: "token") -> Play:
    """Drive a flow whose requests get these replies; a stream is the bytes that are read, and how it breaks."""
    words = Play()
    left = list(replies)
    stream: list[bytes | Dropped] = []
    outcome: Any = None
    while True:
        try:
            effect = advance(flow, outcome)
        except StopIteration as ended:
            words.result = ended.value
            assert not left
            return words
        except YarrowError as error:
            words.error = error
            return words
        outcome = None
        match effect:
            case Event():
                words.events.append(effect)
            case Token(refused):
                outcome = renew(refused)
            case Open(request, token) | Send(request, token):
                words.requests.append(request)
                words.tokens.append(token)
                reply = left.pop(0)
                if isinstance(reply, Answer | Dropped):
                    outcome = reply
                else:
                    stream, outcome = list(reply), Answer(200, {})
            case Read():
                outcome = stream.pop(0) if stream else b""
            case Close():
                stream = []
            case Wait():
                words.waits.append(effect)


def frame(number: int, kind: str = "A") -> bytes:
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps({'type': kind})}\n\n".encode()


END = "RUN_FINISHED"
KEEP_ALIVE = b": keep-alive\n\n"


def watched(*replies: Reply, after: int = 0, profile: Profile | None = None) -> Play:
    return play(watch("thread", "run", after, profile), *replies)


def refusal(status: int, **headers: str) -> Answer:
    return Answer(status, headers, b'{"code": "OF_THE_TEST", "detail": "no"}')


def test_a_stream_goes_on_behind_the_last_event_that_came() -> None:
    """EVT-04: cut cleanly, by an error, within a frame; what comes again is told once."""
    play = watched(
        [frame(1), frame(2)[:9]],
        [frame(2) + frame(3), CUT],
        CUT,
        [frame(3), frame(4)],
        [KEEP_ALIVE],
        [frame(5, END)],
    )
    assert (play.ids, play.error) == ([1, 2, 3, 4, 5], None)
    assert play.cursors == [None, "1", "3", "3", "4", "4"]
    assert [wait.failure for wait in play.waits] == [None, CUT, CUT, None, None]


def test_an_empty_stream_is_asked_for_the_event_before_once() -> None:
    """EVT-04: where the cursor is the run's last event, that ends the watching."""
    ended = watched([], [frame(7, END)], after=7)
    assert (ended.ids, ended.cursors, ended.error) == ([], ["7", "6"], None)
    going_on = watched([], [frame(7)], [frame(8, END)], after=7)
    assert (going_on.ids, going_on.cursors) == ([8], ["7", "6", "7"])
    cut = watched([], [], [], [frame(1, END)], after=1)
    assert (cut.ids, cut.cursors) == ([], ["1", None, None, None])


def test_it_gives_up_after_many_failures_in_a_row() -> None:
    """EVT-06: those before any frame that came do not count."""
    play = watched(*[CUT] * MOST_FAILURES, [frame(1)], *[[]] * (MOST_FAILURES + 2))
    assert (play.ids, len(play.requests)) == ([1], 2 * MOST_FAILURES + 3)
    assert isinstance(play.error, Dropped)
    failed = [wait.seconds for wait in play.waits if wait.failure]
    assert failed[-1] > failed[MOST_FAILURES]
    assert 0.25 <= failed[0] <= 0.5
    assert max(failed) <= 30


def test_it_waits_as_the_service_says() -> None:
    """EVT-06: It waits by `retry:`, else by Retry-After, and not much longer."""
    play = watched(refusal(429, **{"retry-after": "7"}), refusal(503), [b"retry: 10\n\n"], [frame(1, END)])
    assert 7 <= play.waits[0].seconds <= 10.5
    assert 0.5 <= play.waits[1].seconds <= 1
    assert play.waits[2].seconds <= 0.01


def test_clients_that_are_refused_together_come_back_apart_and_ever_later() -> None:
    """EVT-06: each time told to come back in a second."""
    refused = [refusal(429, **{"retry-after": "1"})] * MOST_FAILURES
    waits = [[wait.seconds for wait in watched(*refused, [frame(1, END)]).waits] for _ in range(20)]
    for number, seconds in enumerate(zip(*waits, strict=True)):
        assert len(set(seconds)) == len(waits)
        assert min(seconds) >= max(1, min(0.5 * 2**number, 30))
    assert max(map(max, waits)) <= 45


@pytest.mark.parametrize("status", [403, 404, 409, 410, 422])
def test_what_does_not_pass_is_raised_at_once(status: int) -> None:
    """EVT-04, ERR-01."""
    play = watched(refusal(status))
    assert isinstance(play.error, Refused)
    assert (play.error.status, play.error.code, str(play.error)) == (status, "OF_THE_TEST", "no")
    assert play.waits == []


def test_a_refused_token_is_replaced_once() -> None:
    """SEC-01: It is not replaced by itself, nor twice."""
    tokens = {None: "stale", "stale": "fresh"}
    good = play(watch("t", "r", 0, None), refusal(401), [frame(1, END)], renew=tokens.__getitem__)
    assert (good.tokens, good.ids) == (["stale", "fresh"], [1])
    bad = play(watch("t", "r", 0, None), refusal(401), refusal(401), renew=tokens.__getitem__)
    assert isinstance(bad.error, Refused)
    assert bad.error.status == 401
    fixed = play(watch("t", "r", 0, None), refusal(401))
    assert (fixed.tokens, isinstance(fixed.error, Refused)) == (["token"], True)


def test_a_snapshot_is_asked_for_until_more_came() -> None:
    """EVT-24: its events have one number; what follows is asked for as AG-UI events."""
    play = watched([frame(5), frame(5)], [frame(5) + frame(5), frame(6)], [frame(7, END)], profile="snapshot")
    assert play.ids == [5, 5, 5, 5, 6, 7]
    assert [request.params["profile"] for request in play.requests] == ["snapshot", "snapshot", "agui"]
    assert play.cursors == [None, None, "6"]


def test_what_is_no_event_is_a_failure_of_the_line() -> None:
    play = watched([b"id: 1\ndata: <html>\n\n"], [b"id: 1\ndata: []\n\n"], [b"data: {}\n\n" + frame(1, END)])
    assert (play.ids, [type(wait.failure) for wait in play.waits]) == ([1], [Dropped] * 2)


def test_a_submit_is_sent_again_until_its_answer_came() -> None:
    """RUN-23: it is idempotent, so that a lost answer is no second run."""
    accepted = {"taskId": "t", "threadId": "thread", "runId": "run", "created": True}
    whole = Answer(202, {}, json.dumps(accepted).encode())
    body = {"threadId": "thread"}
    reply = play(submit(body, "assistant"), CUT, Answer(202, {}, whole.content[:9]), refusal(503), whole)
    assert reply.result == accepted
    assert {(request.method, request.path, request.params["agent"]) for request in reply.requests} == {
        ("POST", "/api/v1/agent/runs", "assistant")
    }
    assert all(request.json is body for request in reply.requests)
    assert play(send_message(body, None), CUT, refusal(503), [frame(1)]).error is None
    refused = play(submit(body, None), refusal(422))
    assert isinstance(refused.error, Refused)
