"""The local stack from outside, over real HTTP: it does what API Gateway, Lambda, Step Functions and EventBridge do.

It serves the template of `local_stack/`, which has one of everything and nothing of the product but its token check.
"""

import asyncio
import json
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.stack.process import STOP_SECONDS, ready, running, start
from yarrow.agents.descriptors import FILE

TEMPLATE = ("--template", str(Path(__file__).parent / "local_stack" / "template.yaml"))
PLAIN = {"Authorization": "plain"}
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    with running(*TEMPLATE) as url:
        yield url


@pytest.fixture
def client(stack: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack, timeout=30, trust_env=False, headers=PLAIN) as client:
        yield client


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["access-control-allow-origin"] == "*"
    body = response.json()
    assert body["status"] == response.status_code
    return response.status_code, body["title"]


class TestAuthorizer:
    @pytest.fixture
    def token(self, client: httpx.Client) -> str:
        identity = {"sub": "alice", "locale": "zh-CN", "zoneinfo": "Asia/Shanghai"}
        return str(client.post("/local/token", json=identity).json()["token"])

    def test_a_token_of_the_local_issuer_passes_the_products_check(self, client: httpx.Client, token: str) -> None:
        response = client.get("/echo/x", headers={"Authorization": f"Bearer {token}"})
        assert response.json()["event"]["requestContext"]["authorizer"]["user"] == "alice"

    def test_a_token_that_was_changed_is_refused(self, client: httpx.Client, token: str) -> None:
        header, payload, signature = token.split(".")
        changed = f"{header}.{payload}.{signature[::-1]}"
        refused = client.get("/echo/x", headers={"Authorization": f"Bearer {changed}"})
        assert problem(refused) == (401, "Unauthorized")

    def test_the_context_reaches_the_function_as_strings(self, client: httpx.Client) -> None:
        identity = client.get("/echo/x").json()["event"]["requestContext"]["authorizer"]
        assert identity["principalId"] == "somebody"
        assert identity["verified"] == "true"
        assert identity["calls"].isdigit()

    def test_without_its_header_a_request_is_refused_and_nobody_asked(self, client: httpx.Client, stack: str) -> None:
        def calls(authorization: str) -> int:
            output = client.get("/echo/x", headers={"Authorization": authorization}).json()
            return int(output["event"]["requestContext"]["authorizer"]["calls"])

        before = calls("plain, before")
        assert problem(httpx.get(f"{stack}/echo/x", trust_env=False)) == (401, "Unauthorized")
        assert calls("plain, after") == before + 1

    def test_a_decision_is_kept(self, client: httpx.Client) -> None:
        contexts = [client.get(f"/echo/{i}").json()["event"]["requestContext"]["authorizer"] for i in range(2)]
        assert contexts[0]["calls"] == contexts[1]["calls"]

    @pytest.mark.parametrize(
        ("authorization", "expected"),
        [
            ("deny", (403, "User is not authorized to access this resource")),
            ("narrow", (403, "User is not authorized to access this resource")),
            ("crash", (500, "Internal server error")),
            ("nonsense", (500, "Internal server error")),
        ],
    )
    def test_what_is_not_allowed_does_not_pass(
        self, client: httpx.Client, authorization: str, expected: tuple[int, str]
    ) -> None:
        assert problem(client.get("/echo/x", headers={"Authorization": authorization})) == expected

    def test_a_public_route_needs_nobody(self, stack: str) -> None:
        response = httpx.get(f"{stack}/public", trust_env=False)
        assert "authorizer" not in response.json()["event"]["requestContext"]


class TestGateway:
    @pytest.mark.parametrize(("method", "path"), [("GET", "/nowhere"), ("GET", "/"), ("PUT", "/echo")])
    def test_a_route_that_does_not_exist_is_not_found(self, client: httpx.Client, method: str, path: str) -> None:
        response = client.request(method, path)
        assert problem(response) == (404, "Not Found")
        assert response.json()["instance"] == path

    def test_the_function_gets_the_request(self, client: httpx.Client) -> None:
        output = client.get("/echo/7", params={"a": ["1", "2"]}).json()
        assert output["event"]["pathParameters"] == {"name": "7"}
        assert output["event"]["multiValueQueryStringParameters"] == {"a": ["1", "2"]}
        assert output["function"] == "yarrow-EchoFunction"
        assert 0 < output["remaining"] <= 3000

    def test_repeated_headers_of_the_answer_are_kept(self, client: httpx.Client) -> None:
        assert client.get("/echo/x").headers.get_list("x-many") == ["one", "two"]

    def test_a_preflight_is_answered_without_a_token(self, stack: str) -> None:
        response = httpx.options(f"{stack}/echo", trust_env=False)
        assert response.status_code == 200
        assert response.headers["access-control-allow-methods"] == "GET,POST"

    @pytest.mark.parametrize(("size", "status"), [(10 * MIB - 1, 200), (10 * MIB, 200), (10 * MIB + 1, 413)])
    def test_a_body_has_at_most_ten_mebibytes(self, client: httpx.Client, size: int, status: int) -> None:
        assert client.request("OPTIONS", "/echo", content=b"x" * size).status_code == status

    def test_a_body_of_unknown_length_is_bounded_too(self, client: httpx.Client) -> None:
        chunks = (b"x" * MIB for _ in range(11))
        assert problem(client.post("/echo", content=chunks)) == (413, "Request Too Long")

    def test_a_function_takes_less_than_the_gateway(self, client: httpx.Client) -> None:
        # The limit is on the event; that exact boundary is a unit test of the host.
        assert client.post("/echo", content=b"x" * 6_000_000).status_code == 200
        assert problem(client.post("/echo", content=b"x" * 6_291_456)) == (413, "Request Too Long")

    def test_a_function_answers_at_most_as_much(self, client: httpx.Client) -> None:
        envelope = len('{"statusCode": 200, "body": ""}')
        largest = 6_291_456 - envelope
        answer = client.get("/echo/x", params={"answer": "large", "size": largest})
        assert (answer.status_code, len(answer.content)) == (200, largest)
        refused = client.get("/echo/x", params={"answer": "large", "size": largest + 1})
        assert problem(refused) == (502, "Internal server error")

    @pytest.mark.parametrize("fault", ["error", "malformed"])
    def test_a_function_that_fails_is_a_bad_gateway(self, client: httpx.Client, fault: str) -> None:
        assert problem(client.get("/echo/x", params={"answer": fault})) == (502, "Internal server error")

    def test_a_function_that_is_late_is_not_waited_for(self, client: httpx.Client) -> None:
        assert problem(client.get("/slow", params={"answer": "slow"})) == (504, "Endpoint request timed out")

    def test_the_bucket_of_the_template_stores_objects(self, client: httpx.Client) -> None:
        assert client.get("/echo/x", params={"answer": "object"}).text == "stored"


class TestStreaming:
    def test_the_first_chunk_comes_before_the_last_is_written(self, client: httpx.Client) -> None:
        with client.stream("GET", "/ticks/steps") as response:
            lines = response.iter_lines()
            assert next(lines) == "first"
            client.post("/ticks/steps/release")
            assert next(lines) == "last"
            assert next(lines, None) is None
        assert response.headers["set-cookie"] == "a=b"
        assert client.get("/ticks/steps/end").text == "finished"

    def test_the_stream_of_a_client_that_leaves_is_cancelled(self, client: httpx.Client) -> None:
        with client.stream("GET", "/ticks/left") as response:
            assert next(response.iter_lines()) == "first"
        assert client.get("/ticks/left/end").text == "cancelled"

    def test_a_failure_before_the_first_byte_is_a_bad_gateway(self, client: httpx.Client) -> None:
        assert problem(client.get("/ticks/early")) == (502, "Internal server error")

    def test_a_failure_on_the_way_breaks_the_stream_off(self, client: httpx.Client) -> None:
        with client.stream("GET", "/ticks/broken") as response:
            lines = response.iter_lines()
            assert next(lines) == "first"
            client.post("/ticks/broken/release")
            with pytest.raises(httpx.RemoteProtocolError, match="incomplete chunked read"):
                next(lines)

    def test_hundreds_of_streams_are_open_at_the_same_time(self, stack: str) -> None:
        count = 300

        async def follow(client: httpx.AsyncClient, started: asyncio.Semaphore) -> str:
            async with client.stream("GET", "/ticks/many") as response:
                lines = response.aiter_lines()
                await anext(lines)
                started.release()
                return await anext(lines)

        async def follow_all() -> list[str]:
            started = asyncio.Semaphore(0)
            limits = httpx.Limits(max_connections=None)
            async with httpx.AsyncClient(
                base_url=stack, headers=PLAIN, limits=limits, timeout=30, trust_env=False
            ) as client:
                followers = [asyncio.create_task(follow(client, started)) for _ in range(count)]
                for _ in range(count):
                    await started.acquire()
                await client.post("/ticks/many/release")
                return await asyncio.gather(*followers)

        assert asyncio.run(follow_all()) == ["last"] * count


class TestExecutions:
    @pytest.fixture
    def run(self, client: httpx.Client) -> Callable[[str], dict[str, Any]]:
        """Start an execution that does one task and return the event of its end."""

        def run(task: str) -> dict[str, Any]:
            name = task.replace(" ", "-")
            assert client.post(f"/executions/{name}", json={"task": task}).status_code == 200
            event: dict[str, Any] = client.get(f"/executions/{name}").json()
            return event

        return run

    @pytest.mark.parametrize(
        ("task", "output"),
        [
            ("good", {"task": "good", "work": {"answer": "done"}}),
            ("flaky", {"task": "flaky", "work": {"answer": "done"}}),
            ("sold out", {"instead of": "OutOfStockError"}),
            ("endless", {"late": True}),
        ],
        ids=["result, selector and choice", "retry", "catch by class name", "time-out"],
    )
    def test_an_execution_takes_its_states(
        self, run: Callable[[str], dict[str, Any]], task: str, output: dict[str, Any]
    ) -> None:
        detail = run(task)["detail"]
        assert (detail["status"], json.loads(detail["output"])) == ("SUCCEEDED", output)

    def test_a_failed_execution_is_an_event(self, run: Callable[[str], dict[str, Any]]) -> None:
        event = run("unknown")
        detail = event["detail"]
        arn = "arn:aws:states:us-east-1:123456789012:execution:yarrow-Machine:unknown"
        assert event["source"] == "aws.states"
        assert event["detail-type"] == "Step Functions Execution Status Change"
        assert event["resources"] == [detail["executionArn"]] == [arn]
        assert detail["stateMachineArn"] == "arn:aws:states:us-east-1:123456789012:stateMachine:yarrow-Machine"
        assert (detail["name"], detail["status"], detail["error"]) == ("unknown", "FAILED", "ValueError")
        assert json.loads(detail["cause"])["errorMessage"] == "no such task"
        assert json.loads(detail["input"]) == {"task": "unknown"}
        assert detail["startDate"] <= detail["stopDate"]

    def test_a_stopped_execution_is_over_at_once(self, client: httpx.Client) -> None:
        client.post("/executions/stopped", json={"task": "endless"})
        assert client.delete("/executions/stopped").json() == "ABORTED"
        assert client.get("/executions/stopped").json()["detail"]["status"] == "ABORTED"


class TestProcess:
    def test_only_this_machine_can_connect(self, stack: str) -> None:
        # Another loopback address would reach a server that listens on every address.
        with pytest.raises((ConnectionRefusedError, TimeoutError)):
            socket.create_connection(("127.0.0.2", urlsplit(stack).port or 0), timeout=1).close()

    def test_a_port_that_is_taken_is_named(self, stack: str) -> None:
        port = str(urlsplit(stack).port)
        process = start(*TEMPLATE, port=port)
        assert process.communicate(timeout=STOP_SECONDS) == (
            "",
            f"cannot start: port {port} on 127.0.0.1: Address already in use; choose another with PORT\n",
        )
        assert process.returncode == 1

    @pytest.mark.parametrize("port", ["", "http", "-1", "65536", "3000.5"])
    def test_a_port_must_be_a_number(self, port: str) -> None:
        process = start(*TEMPLATE, port=port)
        complaint = f"cannot start: PORT must be a number from 0 to 65535, not {port!r}\n"
        assert process.communicate(timeout=STOP_SECONDS) == ("", complaint)
        assert process.returncode == 1

    @pytest.mark.parametrize(
        ("variable", "value", "complaint"),
        [
            ("SYSTEM_AGENTS", "nowhere.yaml", "nowhere.yaml: cannot be read: No such file or directory"),
            ("DEFAULT_AGENT", "nobody", f"{FILE}: has no agent nobody to use as the default; it has assistant"),
            ("MODELS", '{"chatt": null}', f"{FILE}: agents.assistant needs chat, not in Models (MODELS): chatt"),
            (
                "MODELS",
                "{chat: null}",
                "Models (MODELS) is not JSON: Expecting property name enclosed in double quotes",
            ),
            (
                "MODELS",
                '{"chat": "antropic:x"}',
                "Models (MODELS): chat: there is no provider antropic; is it anthropic?",
            ),
            ("MODELS", '{"chat": "xai:x"}', "Models (MODELS): chat: xai: needs the package pydantic-ai-slim[xai]"),
        ],
    )
    def test_agents_that_cannot_be_used_are_told_in_a_line(
        self, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, complaint: str
    ) -> None:
        """AUT-05: The line follows that of the function's own log."""
        monkeypatch.setenv(variable, value)
        process = start()
        _, text = process.communicate(timeout=STOP_SECONDS)
        assert text.splitlines()[-1].startswith(f"cannot start: {complaint}")
        assert "Traceback" not in text
        assert process.returncode == 1

    @pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0), (signal.SIGKILL, -9)])
    def test_a_signal_ends_streams_and_emulator(self, number: signal.Signals, code: int) -> None:
        process = start(*TEMPLATE)
        with httpx.stream("GET", f"{ready(process)}/ticks/x", headers=PLAIN, trust_env=False) as response:
            chunks = response.iter_raw()
            assert next(chunks) == b"first\n"
            process.send_signal(number)
            with pytest.raises(httpx.HTTPError):
                next(chunks)
        # The emulator has the same standard error, so its end is the end of both.
        _, log = process.communicate(timeout=STOP_SECONDS)
        assert process.returncode == code
        assert "Traceback" not in log
