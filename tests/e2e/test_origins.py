"""The local stack with a `CorsOrigin` answers pages of other origins as a deployment does: API, bucket, workspaces."""

import uuid
from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.uploads import PNG
from tests.support.workspace.live import ticket_of

PAGE, OTHER = "https://app.example", "https://evil.example"
TASK = "assistant"


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    with running(environment={"CORS_ORIGIN": PAGE}) as url:
        yield url


@pytest.fixture(scope="module")
def user(stack: str) -> Iterator[App]:
    app = App(stack, "alice")
    yield app
    app.http.close()


def handshake(user: App, *origin: str) -> int:
    """How a connection to a workspace is answered."""
    url = ticket_of(user, TASK)["url"]
    try:
        with connect(url, additional_headers=[("Origin", text) for text in origin], proxy=None):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def preflight(url: str, origin: str) -> httpx.Response:
    request = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    return httpx.options(url, headers={"Origin": origin, **request}, trust_env=False)


def allowed(answer: httpx.Response) -> str | None:
    origin: str | None = answer.headers.get("access-control-allow-origin")
    return origin


def test_only_pages_of_the_origin_and_the_console_open_workspaces(user: App, stack: str) -> None:
    """SEC-04: programs send no origin."""
    assert [handshake(user, origin) for origin in (PAGE, stack)] == [101, 101]
    assert [handshake(user, origin) for origin in (OTHER, "null", f"{PAGE}.evil.example")] == [403, 403, 403]
    assert handshake(user) == 101


@pytest.mark.parametrize("origin", [PAGE, OTHER])
def test_the_api_names_the_origin_that_may_read_it(user: App, stack: str, origin: str) -> None:
    """A browser compares it with the page's: API Gateway, a function and a refusal."""
    headers = {"Origin": origin}
    assert allowed(preflight(f"{stack}/api/v1/agent/runs", origin)) == PAGE
    assert allowed(httpx.get(f"{stack}/api/v1/agent/history", headers=headers, trust_env=False)) == PAGE
    read = user.http.get("/api/v1/agent/history", headers=headers)
    assert allowed(read) == (PAGE if origin == PAGE else None)


def test_only_pages_of_the_origin_upload_to_the_bucket(user: App) -> None:
    request = {"threadId": str(uuid.uuid4()), "mimeType": "image/png", "filename": "plate.png"}
    begun = user.http.post("/api/v1/agent/attachments/uploads", json=request).json()
    bucket = begun["url"]
    assert (preflight(bucket, PAGE).status_code, allowed(preflight(bucket, PAGE))) == (200, PAGE)
    assert (preflight(bucket, OTHER).status_code, allowed(preflight(bucket, OTHER))) == (403, None)
    for origin, readable in ((PAGE, PAGE), (OTHER, None)):
        file = {"file": ("plate.png", PNG, "image/png")}
        sent = httpx.post(bucket, data=begun["fields"], files=file, headers={"Origin": origin}, trust_env=False)
        assert (sent.is_success, allowed(sent)) == (True, readable)
