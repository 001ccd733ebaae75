"""Requests that no client of good will sends, to every route of the API: each is answered, with a problem of the
registry where it is refused, and then it leaves nothing behind.

They enter the local gateway below its HTTP server, which would refuse some of them itself, and reach the functions as
API Gateway's events. What keeps to the description of the API, and what breaks one of its schemas, `test_openapi`
sends; the bodies of a run alone, `test_run_input_hostile`.
"""

import gzip
import itertools
import json
import re
import uuid
from collections.abc import Iterator
from typing import Any, Final

import boto3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local.api_gateway.gateway import Gateway
from local.stack import LambdaIntegration, MockIntegration, Route, Stack, StorageIntegration
from tests.support.divination_runs import THREAD
from tests.support.divination_runs import body as run_body
from tests.support.effort import examples
from tests.support.example_cast import EXAMPLE
from tests.support.raw_requests import Answer, Sent, ask
from yarrow.settings import settings as deployed

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

EXAMPLES = settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
"""Of a test that starts with an empty table for all of them together: what one leaves, the next would show."""


def stored() -> list[str]:
    """Return everything in the tables and buckets."""
    dynamodb, s3 = boto3.client("dynamodb"), boto3.client("s3")
    items = (
        json.dumps(item, sort_keys=True)
        for table in dynamodb.list_tables()["TableNames"]
        for page in dynamodb.get_paginator("scan").paginate(TableName=table)
        for item in page["Items"]
    )
    objects = (
        f"{bucket['Name']}/{content['Key']}"
        for bucket in s3.list_buckets()["Buckets"]
        for content in s3.list_objects_v2(Bucket=bucket["Name"]).get("Contents", ())
    )
    return sorted([*items, *objects])


def ask_and_check(gateway: Gateway, sent: Sent) -> Answer:
    """As `ask`; what is refused leaves the tables and buckets as they were."""
    before = stored()
    answer = ask(gateway, sent)
    answer.is_well()
    if answer.status >= 400:
        assert stored() == before
    return answer


# ---- What is wrong with them -----------------------------------------------------------------------------------------
JUNK = st.sampled_from(
    [
        b"",
        b"%",
        b"%00",
        b"%0D%0AX-Injected:%201",
        b"%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        b"%252e%252e%252f",
        b"%C0%AE%C0%AE%C0%AF",  # dots and a slash, overlong
        b"%ED%A0%80",  # a surrogate in UTF-8
        b"%F0%9F%9C%81",
        b"%FF%FE",
        b"%zz",
        b"%E2%80%AEgnp.exe",  # bidirectional override
        b"..",
        b"-1",
        b"1e999999",
        b"9" * 5_000,
        b"NaN",
        b"null",
        b"'%20OR%20''='",
        b"SESSION%23x",
        b"$%7Bjndi:ldap://x%7D",
        b"a" * 10_000,
        THREAD.encode(),
        THREAD.upper().encode(),
        b"run-1",
        str(uuid.UUID(int=0)).encode(),
        str(uuid.UUID(int=2**128 - 1)).upper().encode(),
    ]
)
HEADER_BYTES = st.binary(max_size=40).map(lambda value: re.sub(rb"[\r\n\0]", b"", value))
HEADERS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                b"accept",
                b"accept-language",
                b"content-encoding",
                b"content-length",
                b"content-type",
                b"cookie",
                b"expect",
                b"forwarded",
                b"last-event-id",
                b"origin",
                b"range",
                b"te",
                b"transfer-encoding",
                b"x-amzn-trace-id",
                b"x-forwarded-for",
                b"x-http-method-override",
            ]
        ),
        st.one_of(
            HEADER_BYTES,
            st.sampled_from(
                [
                    b"\xff\xfe",
                    "‮".encode(),
                    b"x" * 65_536,
                    b"-1",
                    b"1" * 400,
                    b"chunked, gzip",
                    b"gzip",
                    b"application/json; charset=utf-7",
                    b"multipart/form-data",
                    b"multipart/form-data; boundary=" + b"b" * 5_000,
                    b"text/plain",
                ]
            ),
        ),
    ),
    max_size=6,
).map(tuple)
NAMES = [
    *(b"runId", b"threadId", b"profile", b"idle_limit", b"agent", b"scope", b"before"),
    *(b"session_limit", b"after_thread", b"bucket", b"path", b"", b"%00", b"a" * 2_000),
]
QUERIES = st.lists(st.tuples(st.sampled_from(NAMES), JUNK), max_size=8).map(
    lambda pairs: b"&".join(name + b"=" + value for name, value in pairs)
) | st.sampled_from([b"&&&", b"=", b"%", b"runId", b";;", b"runId=" + b"x" * 65_536])

DEEP = 100_000
BODIES = {
    "arrays, 100,000 deep": b"[" * DEEP + b"]" * DEEP,
    "objects, 20,000 deep": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "a member 5,000 deep": b'{"state":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "a number beyond all floats": b'{"threadId":1e999999}',
    "an integer of a million digits": b'{"threadId":' + b"9" * 1_000_000 + b"}",
    "a name given twice": b'{"threadId":"a","threadId":"b"}',
    "a string of 4 MiB": b'{"threadId":"' + b"x" * 2**22 + b'"}',
    "a string of 200 KB": b'{"threadId":"' + b"x" * 200_000 + b'"}',
    "lone surrogates": rb'{"threadId":"\ud800\udfff\udfff"}',
    "NUL": rb'{"threadId":"\u0000"}',
    "a hundred thousand members": b"{" + b",".join(b'"%d":0' % index for index in range(100_000)) + b"}",
    "gzip": gzip.compress(b"{}"),
    "gzip of 8 MiB": gzip.compress(bytes(2**23)),
    "invalid UTF-8": b'{"threadId":"\xff"}',
    "UTF-16": json.dumps({"threadId": "a"}).encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "nothing": b"",
    "null": b"null",
    "more than API Gateway takes": b" " * (10 * 2**20 + 1),
    "more than Lambda takes": b'"' + b"x" * 6_300_000 + b'"',
}


def routes(stack: Stack) -> list[Route]:
    """Every route of the public API but the preflights: a function answers it, or a form is stored."""
    return [route for route in stack.api.routes if not isinstance(route.integration, MockIntegration)]


BODILESS: Final = ("/api/v1/webhooks/{webhookId}/test", "/deliveries/{deliveryId}/replay")


def posts(stack: Stack) -> Iterator[bytes]:
    """The paths whose functions read a body."""
    for route in routes(stack):
        if (
            route.method == "POST"
            and isinstance(route.integration, LambdaIntegration)
            and not route.path.endswith(BODILESS)
        ):
            yield route.path.encode()


def forms(stack: Stack) -> Iterator[bytes]:
    """The paths whose bodies are stored as they come, and looked at by the route that they redirect to."""
    yield from (route.path.encode() for route in routes(stack) if isinstance(route.integration, StorageIntegration))


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_a_bomb_is_refused(gateway: Gateway, stack: Stack, name: str) -> None:
    """RUN-03, ERR-01, ERR-11: by every function that reads one; to run a job at once takes none."""
    paths = [path for path in posts(stack) if BODIES[name] or not path.endswith((b"/jobs/{jobId}/run", b"/rotate"))]
    assert len(paths) >= 3
    for path in paths:
        json_type = (b"content-type", b"application/json")
        answer = ask_and_check(gateway, Sent("POST", path, headers=(json_type,), body=BODIES[name]))
        assert answer.status in (400, 413, 422), (path, answer.body)


@pytest.mark.parametrize(
    "media_type", [b"text/plain", b"application/xml", b"application/json5", b"multipart/form-data; boundary=b", b"\xff"]
)
def test_a_body_of_another_type_is_refused(gateway: Gateway, stack: Stack, media_type: bytes) -> None:
    """ERR-11: whatever is in it."""
    good = json.dumps(run_body()).encode()
    for path in posts(stack):
        answer = ask_and_check(gateway, Sent("POST", path, headers=((b"content-type", media_type),), body=good))
        if not path.endswith(b"/cancel"):  # it reads no body
            assert (answer.status, json.loads(answer.body)["code"]) == (415, "REQUEST_CONTENT_TYPE_UNSUPPORTED")


NO_FORMS = (
    b"",
    b"--b--",
    b"--b\r\n" * 20_000,
    b"\r\n--b\r\n\r\n\0\xff\r\n--b--",
    b"[" * DEEP,
    gzip.compress(bytes(2**20)),
)
FORM_TYPES = (
    b"multipart/form-data; boundary=b",
    b"multipart/form-data",
    b"multipart/form-data; boundary=",
    b"text/plain",
)


def test_a_form_that_is_none_is_stored_and_then_refused(
    gateway: Gateway, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ERR-11, ATT-02, ASR-01: by the function that reads what was stored, which is gone then."""
    monkeypatch.setitem(vars(deployed), "uploads_per_minute", 0)
    paths, before = list(forms(stack)), stored()
    assert len(paths) == 2
    for path, media_type, body in itertools.product(paths, FORM_TYPES, NO_FORMS):
        sent = ask(gateway, Sent("POST", path, headers=((b"content-type", media_type),), body=body))
        assert sent.status == 303
        refused = ask(gateway, Sent("GET", sent.headers["location"].encode()))
        refused.is_well()
        assert refused.status in (415, 422), (path, media_type, body[:20], refused.body)
    assert stored() == before


@EXAMPLES
@pytest.mark.usefixtures("ended_run")
@given(data=st.data(), query=QUERIES, headers=HEADERS)
def test_paths_queries_and_headers_may_be_anything(
    gateway: Gateway, stack: Stack, data: st.DataObject, query: bytes, headers: tuple[tuple[bytes, bytes], ...]
) -> None:
    """ERR-01, SES-05, SEC-07."""
    route = data.draw(st.sampled_from(routes(stack)))
    path = re.sub(rb"\{\w+\}", lambda _: data.draw(JUNK).replace(b"/", b"%2F"), route.path.encode())
    ask_and_check(gateway, Sent(route.method, path, query, headers))


@EXAMPLES
@given(data=st.data(), method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "CONNECT"]))
def test_paths_that_lead_nowhere_lead_nowhere(gateway: Gateway, data: st.DataObject, method: str) -> None:
    """ERR-01: dots, encoded slashes and stray segments do not reach another route."""
    segments = st.lists(st.sampled_from([b"api", b"v1", b"agent", b"runs", b"..", b".", b"%2e%2e", b"%2F", b"", b"//"]))
    path = b"/" + b"/".join(data.draw(segments)) + b"/" + data.draw(JUNK)
    answer = ask_and_check(gateway, Sent(method, path))
    assert answer.status >= 400 or method in ("OPTIONS", "HEAD")


# JSON that is nearly a run: good members with strange values in them.
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**63, -(2**200), 1e308, 5e-324])
    | st.text(max_size=8)
    | st.sampled_from(["\0", "‮", "﻿", "a" * 11_000, "../..", "🜁", "\x7f", "\x85"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@EXAMPLES
@given(data=st.data(), value=VALUES)
def test_a_run_with_something_strange_in_it_is_taken_or_refused(
    gateway: Gateway, data: st.DataObject, value: Any
) -> None:
    """RUN-20, ERR-11: what is taken may be sent again and is read back."""
    run: dict[str, Any] = run_body(threadId=str(uuid.uuid4()), runId="run-1")
    run["forwardedProps"] = {"runtime_mode": "chat", "divinationPayload": dict(EXAMPLE)}
    places: list[tuple[dict[str, Any], str]] = [(run, name) for name in run]
    places += [(run["messages"][0], name) for name in ("id", "content", "role", "name")]
    places += [(run["forwardedProps"]["divinationPayload"], name) for name in EXAMPLE]
    where, name = data.draw(st.sampled_from(places))
    where[name] = value
    sent = Sent("POST", b"/api/v1/agent/runs", body=json.dumps(run).encode())
    if ask_and_check(gateway, sent).status == 202:
        again = ask(gateway, sent)
        assert again.status == 202
        history = b"threadId=" + run["threadId"].encode()
        assert ask_and_check(gateway, Sent("GET", b"/api/v1/agent/history", history)).status == 200
