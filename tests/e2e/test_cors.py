"""A browser's preflights and what it may read, over HTTP; and problems about paths that nobody should send."""

import json
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from local.stack import Route
from tests.support.cors import ROUTES, SENT


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_preflight_of_each_route_is_answered(stack: str, route: Route) -> None:
    headers = {
        "Origin": "https://app.example",
        "Access-Control-Request-Method": route.method,
        "Access-Control-Request-Headers": ",".join(sorted(name.lower() for name in SENT)),
    }
    path = route.path.replace("{threadId}", "t").replace("{uploadId}", "u")
    answer = httpx.options(f"{stack}{path}", headers=headers)
    assert answer.status_code == 200
    allowed = {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}
    assert {name.lower() for name in SENT} <= allowed
    assert route.method in answer.headers["access-control-allow-methods"]


def test_a_script_may_read_why_it_was_refused(stack: str) -> None:
    answer = httpx.get(f"{stack}/api/v1/agent/history", headers={"Origin": "https://app.example"})
    assert answer.status_code == 401
    assert "x-amzn-RequestId" in answer.headers["access-control-expose-headers"].split(",")


@pytest.mark.parametrize("path", [b'/a"b', b"/a\\", b"/a\\u0022", b"/%22%5c%0a", "/六爻".encode(), b"/it's"])
def test_a_path_in_no_encoding_is_answered_with_a_problem_or_refused_as_http(stack: str, path: bytes) -> None:
    """ERR-01, ERR-11: what is no HTTP at all the server itself refuses."""
    address = urlsplit(stack)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        head, _, body = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")
    status = int(head.split()[1])
    if b"application/problem+json" in head:
        assert (status, json.loads(body)["code"]) == (404, "ROUTE_NOT_FOUND")
    else:
        assert status == 400
