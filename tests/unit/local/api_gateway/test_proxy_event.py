"""API Gateway's event and the function's answer, in the shapes of real ones."""

import base64
import json
from typing import Any

import pytest

from local.api_gateway.proxy_event import MalformedResponseError, ProxyCall, ProxyResponse, proxy_event
from local.api_gateway.routing import Match
from local.stack import Api, MockIntegration, Route
from tests.support.paths import ROOT

REAL = json.loads((ROOT / "events" / "api_gateway_stream_events.json").read_text())
API = Api("local", "live", (), {}, {}, binary_media_types=("image/*",))


def call(*headers: tuple[str, str], path: str = "/runs/7", query: str = "") -> ProxyCall:
    return ProxyCall.of(
        {
            "type": "http",
            "method": "POST",
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 3000),
            "http_version": "1.1",
        }
    )


def event(call: ProxyCall, body: bytes = b"", identity: dict[str, Any] | None = None) -> dict[str, Any]:
    route = Route("POST", "/runs/{id}", MockIntegration(200, {}, ""), None)
    return proxy_event(API, call, Match(route, {"id": "7"}), body, identity)


def test_the_event_has_the_keys_of_a_real_one() -> None:
    ours = event(call(("host", "127.0.0.1:3000")), identity={"sub": "alice"})
    assert ours.keys() == REAL.keys()
    assert ours["requestContext"].keys() == REAL["requestContext"].keys()
    assert ours["requestContext"]["identity"].keys() == REAL["requestContext"]["identity"].keys()
    added = {name.lower() for name in REAL["headers"] if name.startswith("X-")}
    assert added <= ours["headers"].keys()


def test_without_an_authorizer_there_is_no_identity() -> None:
    assert "authorizer" not in event(call())["requestContext"]


def test_repeated_headers_and_parameters_are_kept_in_the_multi_value_maps() -> None:
    ours = event(call(("x-tag", "one"), ("x-tag", "two"), query="a=1&a=2&b=&c=%E5%8D%A6"))
    assert ours["headers"]["x-tag"] == "two"
    assert ours["multiValueHeaders"]["x-tag"] == ["one", "two"]
    assert ours["queryStringParameters"] == {"a": "2", "b": "", "c": "卦"}
    assert ours["multiValueQueryStringParameters"] == {"a": ["1", "2"], "b": [""], "c": ["卦"]}


def test_what_is_absent_is_null() -> None:
    ours = event(call())
    absent = ("queryStringParameters", "multiValueQueryStringParameters", "stageVariables", "body")
    assert [ours[name] for name in absent] == [None] * 4
    assert ours["isBase64Encoded"] is False


@pytest.mark.parametrize(
    ("media_type", "body", "expected"),
    [
        ("application/json; charset=utf-8", "卦".encode(), ("卦", False)),
        ("image/png", b"\x89PNG", (base64.b64encode(b"\x89PNG").decode(), True)),
        ("application/octet-stream", b"\xff", ("\ufffd", False)),
    ],
)
def test_only_binary_media_types_arrive_as_base64(media_type: str, body: bytes, expected: tuple[str, bool]) -> None:
    ours = event(call(("content-type", media_type)), body)
    assert (ours["body"], ours["isBase64Encoded"]) == expected


def test_headers_of_the_connection_stay_with_it() -> None:
    ours = event(call(("connection", "keep-alive"), ("transfer-encoding", "chunked"), ("x-forwarded-for", "10.0.0.1")))
    assert {"connection", "transfer-encoding"}.isdisjoint(ours["headers"])
    assert ours["headers"]["x-forwarded-for"] == "10.0.0.1, 127.0.0.1"


def answer(accept: str | None = None, **fields: Any) -> ProxyResponse:
    return ProxyResponse.read(json.dumps(fields).encode(), API, accept)


def test_headers_of_both_maps_are_sent_once_each() -> None:
    response = answer(
        statusCode=200,
        headers={"Content-Type": "text/plain", "X-Tag": "one", "Content-Length": "9"},
        multiValueHeaders={"x-tag": ["one", "two"]},
        body="卦",
    )
    assert response == ProxyResponse(
        200, [("content-type", "text/plain"), ("x-tag", "one"), ("x-tag", "two")], "卦".encode()
    )


@pytest.mark.parametrize(("accept", "body"), [("image/png", b"\x89PNG"), ("*/*", b"iVBORw=="), (None, b"iVBORw==")])
def test_a_base64_body_is_decoded_for_those_who_accept_a_binary_type(accept: str | None, body: bytes) -> None:
    assert answer(accept, statusCode=200, isBase64Encoded=True, body="iVBORw==").body == body


@pytest.mark.parametrize(
    "payload",
    [b"null", b'"text"', b"{}", b'{"statusCode":"ok"}', b'{"statusCode":200,"body":{}}'],
)
def test_other_answers_are_malformed(payload: bytes) -> None:
    with pytest.raises(MalformedResponseError):
        ProxyResponse.read(payload, API, None)
