"""Requests that are odd in one way, each with the answer that the documents give to it: methods, paths, parameters,
cursors, headers and bodies, one table for each.

They enter where those of `test_fuzz` do, which makes up worse ones and asks for less: that each is answered well. A
table is one test, for a table costs what its stack does.
"""

import pytest

from local.api_gateway.gateway import Gateway
from local.stack import MockIntegration, Stack
from tests.support.divination_runs import THREAD
from tests.support.raw_requests import Sent, ask

pytestmark = [pytest.mark.usefixtures("aws", "ended_run"), pytest.mark.memory]
"""On moto alone: what is refused depends on none."""

Told = tuple[int, str | None]

GOOD: Told = (200, None)
NO_ROUTE: Told = (404, "ROUTE_NOT_FOUND")
NO_CURSOR: Told = (422, "AGENT_INVALID_LAST_EVENT_ID")
NO_EVENTS_QUERY: Told = (422, "AGENT_EVENTS_QUERY_INVALID")
NO_HISTORY_QUERY: Told = (422, "AGENT_HISTORY_QUERY_INVALID")
NO_RUN_ID: Told = (422, "AGENT_INVALID_RUN_ID")
NO_RUN: Told = (404, "AGENT_RUN_NOT_FOUND")
NO_THREAD_ID: Told = (422, "AGENT_SESSION_ID_INVALID")
NO_PATH: Told = (422, "AGENT_ATTACHMENT_INVALID")
NOT_ONES_OWN: Told = (403, "AGENT_ATTACHMENT_PATH_SCOPE_INVALID")
NO_BUCKET: Told = (422, "AGENT_ATTACHMENT_BUCKET_INVALID")
UNREADABLE: Told = (400, "REQUEST_INVALID")
OTHER_TYPE: Told = (415, "REQUEST_CONTENT_TYPE_UNSUPPORTED")

EVENTS = f"/api/v1/agent/runs/{THREAD}/events".encode()
HISTORY = b"/api/v1/agent/history"
SIGN = b"/api/v1/agent/attachments/signed-url"
RUNS = b"/api/v1/agent/runs"


def response_to(gateway: Gateway, sent: Sent) -> Told:
    answer = ask(gateway, sent)
    answer.is_well()
    return answer.status, answer.problem["code"] if answer.status >= 400 else None


def test_a_method_that_a_route_does_not_have_is_no_route(gateway: Gateway, stack: Stack) -> None:
    """ERR-01: API Gateway knows no 405."""
    for route in stack.api.routes:
        served = {item.method for item in stack.api.routes if item.path == route.path}
        for method in {"HEAD", "PUT", "BREW", "get"} - served:
            if not isinstance(route.integration, MockIntegration):
                assert response_to(gateway, Sent(method, route.path.encode())) == NO_ROUTE, (method, route.path)


PATHS = {
    b"/console": NO_ROUTE,
    b"/console/": NO_ROUTE,
    b"/console/..%2fapp.py": NO_ROUTE,
    b"/console/%00": NO_ROUTE,
    b"*": NO_ROUTE,
    b"/%": NO_ROUTE,
    b"//api/v1/agent/history": NO_ROUTE,
    b"/api//v1/agent/history": NO_ROUTE,
    b"/API/v1/agent/history": NO_ROUTE,
    b"/api/v1/agent/history/": NO_ROUTE,
    b"/api/v1/agent/histor%79": NO_ROUTE,
    b"/api/v1/agent/history%00": NO_ROUTE,
    b"/api/v1/agent/history;a=b": NO_ROUTE,
    b"/api%2Fv1%2Fagent%2Fhistory": NO_ROUTE,
    b"/api/v1/agent/../agent/history": NO_ROUTE,
    b"/api/v1/agent/%2e%2e/agent/history": NO_ROUTE,
    b"/api/v1/agent/runs//events": NO_ROUTE,
    EVENTS + b"/": NO_ROUTE,
    EVENTS.replace(b"/events", b"%2F/events"): NO_ROUTE,
    EVENTS.replace(b"/events", b"%00/events"): NO_THREAD_ID,
    EVENTS.replace(b"/events", b"%0D%0AX-A:%20b/events"): NO_THREAD_ID,
    EVENTS.replace(b"-", b""): NO_THREAD_ID,
    b"/api/v1/agent/runs/%ED%A0%80/events": NO_THREAD_ID,
    b"/api/v1/agent/runs/%FF/events": NO_THREAD_ID,
    b"/api/v1/agent/runs/" + b"a" * 8_000 + b"/events": NO_THREAD_ID,
    EVENTS.upper().replace(b"/API/V1/AGENT/RUNS", RUNS).replace(b"/EVENTS", b"/events"): GOOD,
}


def test_a_path_is_taken_as_it_is_written(gateway: Gateway) -> None:
    """ERR-01, SES-05, SEC-07: nothing in it is resolved, folded or decoded twice."""
    assert {path: response_to(gateway, Sent("GET", path, b"runId=run-1")) for path in PATHS} == PATHS


QUERIES: dict[tuple[bytes, bytes], Told] = {
    (EVENTS, b""): NO_RUN_ID,
    (EVENTS, b"runId"): NO_RUN_ID,
    (EVENTS, b"runid=run-1"): NO_RUN_ID,
    (EVENTS, b"&&&="): NO_RUN_ID,
    (EVENTS, b"runId=" + b"r" * 129): NO_RUN_ID,
    (EVENTS, b"runId=run-1&runId="): NO_RUN_ID,
    (EVENTS, b"runId=run-1&runId=run-2"): NO_RUN,  # the last one counts
    (EVENTS, b"runId=run-2&runId=run-1"): GOOD,
    (EVENTS, b"runId=run-1%00"): NO_RUN,
    (EVENTS, b"runId=%ED%A0%80"): NO_RUN,
    (EVENTS, b"runId=run-1;profile=x"): NO_RUN,
    (EVENTS, b"&".join(b"a%d=b" % index for index in range(1_500)) + b"&runId=run-1"): GOOD,
    **{
        (EVENTS, b"runId=run-1&idle_limit=" + data): NO_EVENTS_QUERY
        for data in (b"", b"0", b"-1", b"+1", b"%2B1", b"1.0", b"1e2", b"0001", b"3601", b"%D9%A1", b"%201", b"9" * 400)
    },
    **{
        (EVENTS, b"runId=run-1&profile=" + value): NO_EVENTS_QUERY
        for value in (b"", b"AGUI", b"agui%00", b"agui&profile=x")
    },
    (EVENTS, b"runId=run-1&profile=native"): GOOD,
    **{
        (HISTORY, b"session_limit=" + data): NO_HISTORY_QUERY
        for data in (b"", b"0", b"51", b"05", b"%2B5", b"5.0", b"1e1", b"%D9%A5", b"%EF%BC%95", b"9" * 400)
    },
    **{
        (HISTORY, b"before=" + value): NO_HISTORY_QUERY
        for value in (b"", b"0", b"2026-02-30", b"20260101", b"2026-W01-1", b"0000-01-01", b"2026-01-01T00:00:00Z")
    },
    **{(HISTORY, b"before=" + value): GOOD for value in (b"0001-01-01", b"9999-12-31")},
    **{(HISTORY, b"after_thread=" + data): NO_HISTORY_QUERY for data in (b"", b"x", b"0" * 36, b"%00")},
    (HISTORY, b"after_thread=00000000-0000-0000-0000-000000000000"): NO_HISTORY_QUERY,
    (HISTORY, b"after_thread=" + THREAD.encode()): GOOD,
    (HISTORY, b"threadId="): NO_THREAD_ID,
    (HISTORY, b"threadId=" + THREAD.encode() + b"&threadId=x"): NO_THREAD_ID,
    (HISTORY, b"scope="): NO_HISTORY_QUERY,
    (HISTORY, b"scope=x"): NO_HISTORY_QUERY,
    (HISTORY, b"scope=history_session_full"): NO_HISTORY_QUERY,
    **{(HISTORY, b"ui=" + value): NO_HISTORY_QUERY for value in (b"", b"2", b"2.0%00", b"2.0&ui=1.0")},
    (HISTORY, b"ui=2.0"): GOOD,
    (SIGN, b""): NO_BUCKET,
    (SIGN, b"path=agent-inputs/alice/a.png"): NO_BUCKET,
    (SIGN, b"bucket=Agent-Inputs&path=agent-inputs/alice/a.png"): NO_BUCKET,
    (SIGN, b"bucket=agent-inputs"): NO_PATH,
    (SIGN, b"bucket=agent-inputs&path="): NO_PATH,
    (SIGN, b"bucket=agent-inputs&path=agent-inputs/alice/a.png"): GOOD,
    (SIGN, b"bucket=agent-inputs&path=agent-inputs%2Falice%2Fa.png"): GOOD,
    **{
        (SIGN, b"bucket=agent-inputs&path=agent-inputs/" + value): NOT_ONES_OWN
        for value in (
            b"alice/..",
            b"alice/%2e%2e/bob/a.png",
            b"alice%252Fa.png",
            b"alice/%00",
            b"alice/a%0D%0Ab",
            b"bob/a.png",
        )
    },
}


def test_a_parameter_means_what_it_says_or_is_refused(gateway: Gateway) -> None:
    """ERR-07, ERR-10, EVT-06, HIS-03, HIS-14, SGN-02, SGN-03."""
    assert {sent: response_to(gateway, Sent("GET", *sent)) for sent in QUERIES} == QUERIES


CURSORS = {
    **dict.fromkeys([b"", b"0", b"1"], GOOD),
    b"2": (204, None),  # the last event of a run that has ended
    **dict.fromkeys([b"-1", b"-0", b"+1", b"1.0", b"1e0", b"01", b"0x1", b"1,2", b"1;2", b"null", b"NaN"], NO_CURSOR),
    **dict.fromkeys([b"3", b"99", b"18446744073709551616", b"9" * 4_000, b"\xff", b"a" * 9_000], NO_CURSOR),
    **dict.fromkeys(["١".encode(), "１".encode(), "²".encode()], NO_CURSOR),
}


def test_a_cursor_is_a_number_that_the_run_has_reached(gateway: Gateway) -> None:
    """EVT-04, ERR-10: It is in ASCII digits, once."""

    def after(*cursors: bytes) -> Told:
        return response_to(
            gateway, Sent("GET", EVENTS, b"runId=run-1", tuple((b"last-event-id", cursor) for cursor in cursors))
        )

    assert {cursor: after(cursor) for cursor in CURSORS} == CURSORS
    assert after(b"1", b"x") == after(b"x", b"1") == NO_CURSOR


IGNORED = [
    *(
        (b"accept", value)
        for value in (b"", b"image/png", b"*/*;q=0", b",;q=", b"\xff", b"application/vnd.ag-ui.event+proto")
    ),
    *((b"if-none-match", value) for value in (b"*", b'"x"')),
    *((b"if-match", value) for value in (b'"x"', b"\xff")),
    (b"if-modified-since", b"Fri, 20 Nov 2026 00:00:00 GMT"),
    *((b"range", value) for value in (b"bytes=0-0", b"bytes=-99999999999", b"bytes=5-1")),
    (b"accept-encoding", b"identity;q=0, *;q=0"),
    (b"x-http-method-override", b"DELETE"),
    (b"x-original-url", b"/openapi.json"),
    (b"x-forwarded-for", b"1.1.1.1, " * 500),
    (b"host", b"evil.example"),
    (b"cookie", b"a=b; " * 1_000),
    (b"origin", b"null"),
    (b"content-encoding", b"gzip"),
]


def test_a_header_that_nobody_reads_changes_nothing(gateway: Gateway) -> None:
    """ERR-01: not the representation, nor a part of it, nor the method; and a refusal stays problem+json."""
    for header in IGNORED:
        for path, query, expected in (
            (EVENTS, b"runId=run-1", GOOD),
            (HISTORY, b"", GOOD),
            (HISTORY, b"scope=x", NO_HISTORY_QUERY),
            (b"/nowhere", b"", NO_ROUTE),
        ):
            assert response_to(gateway, Sent("GET", path, query, (header,))) == expected, header


TYPES = {
    **dict.fromkeys([b"application/JSON", b"application/json; charset=utf-16", b"application/json;"], UNREADABLE),
    **dict.fromkeys([b"text/plain", b"json", b"application/jsonx", b"application/ld+json", b"\xff"], OTHER_TYPE),
    **dict.fromkeys([b"application/json, text/plain", b"application/problem+json", b"multipart/form-data"], OTHER_TYPE),
}


def test_a_body_is_read_as_json_if_it_does_not_say_that_it_is_something_else(gateway: Gateway) -> None:
    """ERR-11: one that is not JSON, here, and so is refused either way."""
    for path in (RUNS, b"/send-message"):

        def typed(*media_types: bytes, path: bytes = path) -> Told:
            headers = tuple((b"content-type", data) for data in media_types)
            return response_to(gateway, Sent("POST", path, b"", headers, b"{"))

        assert {data: typed(data) for data in TYPES} == TYPES
        assert typed() == UNREADABLE
        assert typed(b"application/json", b"text/plain") == OTHER_TYPE
