"""Pages of other origins reach a bucket as its CORS rules say."""

import asyncio
from typing import Any

import httpx
import pytest
from starlette.responses import Response

from local.emulator.cors import BucketCors

APP, OTHER = "https://app.example", "https://evil.example"
RULE = {"AllowedOrigins": [APP], "AllowedMethods": ["GET", "POST"], "AllowedHeaders": ["*"]}


def ask(method: str, path: str = "/inputs/a.png", rule: dict[str, Any] = RULE, **headers: str) -> httpx.Response:
    storage = BucketCors(Response("stored", 201))
    storage.rules = {"inputs": [rule]}

    async def answered() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(storage), base_url="http://x") as client:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=sent)

    return asyncio.run(answered())


def preflight(origin: str, method: str = "POST", rule: dict[str, Any] = RULE) -> httpx.Response:
    request = {"Access_Control_Request_Method": method, "Access_Control_Request_Headers": "content-type, x-a"}
    return ask("OPTIONS", rule=rule, Origin=origin, **request)


def test_a_preflight_is_answered_by_the_rule() -> None:
    answer = preflight(APP)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == APP
    assert answer.headers["access-control-allow-methods"] == "GET, POST"
    assert answer.headers["access-control-allow-headers"] == "content-type, x-a"


@pytest.mark.parametrize(
    ("origin", "method", "rule"),
    [
        (OTHER, "POST", RULE),
        (f"{APP}.evil.example", "POST", RULE),
        (APP, "DELETE", RULE),
        (APP, "POST", RULE | {"AllowedHeaders": ["x-a"]}),
    ],
)
def test_a_preflight_that_no_rule_allows_is_refused(origin: str, method: str, rule: dict[str, Any]) -> None:
    answer = preflight(origin, method, rule)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_a_page_reads_what_its_origin_may() -> None:
    """S3 answers other origins too; their browsers keep it from the page."""
    assert ask("POST", Origin=APP).headers["access-control-allow-origin"] == APP
    for answer in (ask("POST", Origin=OTHER), ask("POST"), ask("POST", "/other/a.png", Origin=APP)):
        assert (answer.status_code, answer.text) == (201, "stored")
        assert "access-control-allow-origin" not in answer.headers


def test_any_origin_may_read_where_the_rule_says_so() -> None:
    answer = ask("GET", rule=RULE | {"AllowedOrigins": ["*"]}, Origin=OTHER)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
