"""The local stack's WebSocket API and table streams from outside: they do what API Gateway and Lambda do."""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.support.stack.process import STOP_SECONDS, ready, running, start

TEMPLATE = ("--template", str(Path(__file__).parent / "local_stack" / "template.yaml"))
MESSAGE, FRAME = 128 * 1024, 32 * 1024
PATIENCE_SECONDS = 60

Open = Callable[..., Connection]


@pytest.fixture(scope="module")
def stack() -> Iterator[str]:
    with running(*TEMPLATE) as url:
        yield url


def address(stack: str, **query: str) -> str:
    return f"{stack.replace('http', 'ws')}/workspace?{httpx.QueryParams(query)}"


@pytest.fixture
def opened(stack: str) -> Iterator[Open]:
    """Open connections; they are closed after the test."""
    with ExitStack() as open_connections:

        def make(**query: str) -> Connection:
            return open_connections.enter_context(
                connect(address(stack, **{"as": "alice", **query}), compression=None, proxy=None)
            )

        yield make


def ask(socket: Connection, message: str | bytes) -> Any:
    socket.send(message)
    return received(socket)


def received(socket: Connection) -> Any:
    return json.loads(socket.recv(timeout=PATIENCE_SECONDS))


def id_of(socket: Connection) -> str:
    return str(ask(socket, "echo")["requestContext"]["connectionId"])


class TestHandshake:
    @pytest.mark.parametrize(
        ("query", "status"),
        [
            ({}, 401),
            ({"as": "deny"}, 403),
            ({"as": "crash"}, 500),
            ({"as": "alice", "status": "409"}, 409),
        ],
    )
    def test_what_is_refused_does_not_open(self, stack: str, query: dict[str, str], status: int) -> None:
        """SEC-04."""
        with pytest.raises(InvalidStatus) as refused:
            connect(address(stack, **query), proxy=None)
        assert refused.value.response.status_code == status

    def test_another_path_is_refused(self, stack: str) -> None:
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{stack.replace('http', 'ws')}/elsewhere?as=alice", proxy=None)
        assert refused.value.response.status_code == 403

    def test_the_authorizers_context_comes_with_every_event(self, opened: Open) -> None:
        output = ask(opened(), "echo")["requestContext"]
        assert (output["authorizer"]["user"], output["authorizer"]["principalId"]) == ("alice", "alice")
        assert (output["routeKey"], output["eventType"], output["stage"]) == ("$default", "MESSAGE", "live")


class TestFrames:
    def test_text_comes_as_text_and_bytes_in_base64(self, opened: Open) -> None:
        socket = opened()
        event = ask(socket, "问 {}")
        assert (event["body"], event["isBase64Encoded"]) == ("问 {}", False)
        event = ask(socket, b"\xff\x00")
        assert (event["body"], event["isBase64Encoded"]) == ("/wA=", True)

    def test_a_function_that_fails_is_told(self, opened: Open) -> None:
        socket = opened()
        output = ask(socket, "crash")
        assert output["message"] == "Internal server error"
        assert output["connectionId"] == id_of(socket)

    def test_a_message_has_at_most_128_kib_in_frames_of_32(self, opened: Open) -> None:
        """WSP-37."""
        socket = opened()
        first = "size " + "x" * (FRAME - 5)
        socket.send(iter([first] + ["x" * FRAME] * (MESSAGE // FRAME - 1)))
        assert received(socket) == {"size": MESSAGE}

    @pytest.mark.parametrize(
        "message", [["x" * (FRAME + 1)], ["x" * FRAME] * (MESSAGE // FRAME) + ["x"]], ids=["frame", "message"]
    )
    def test_what_is_larger_ends_the_connection(self, opened: Open, message: list[str]) -> None:
        """WSP-37."""
        socket = opened()
        with suppress(ConnectionClosed):
            socket.send(iter(message))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE_SECONDS)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


class TestManagement:
    def test_a_post_has_at_most_128_kib(self, opened: Open) -> None:
        """WSP-37."""
        socket = opened()
        socket.send(f"post {MESSAGE}")
        assert len(socket.recv(timeout=PATIENCE_SECONDS)) == MESSAGE
        assert received(socket) == {}
        assert ask(socket, f"post {MESSAGE + 1}") == {"error": "PayloadTooLargeException"}

    def test_a_connection_that_is_closed_is_gone(self, opened: Open) -> None:
        """WSP-38."""
        socket, other = opened(), opened()
        number = id_of(other)
        other.close()
        while ask(socket, f"told {number}") is None:
            pass
        output = ask(socket, f"told {number}")["requestContext"]
        assert (output["routeKey"], output["disconnectStatusCode"]) == ("$disconnect", 1000)
        for command in (f"post 1 {number}", f"get {number}", f"delete {number}"):
            assert ask(socket, command) == {"error": "GoneException"}

    def test_a_connection_can_be_described_and_closed(self, opened: Open) -> None:
        socket, other = opened(), opened()
        number = id_of(other)
        assert set(ask(socket, f"get {number}")) == {"ConnectedAt", "LastActiveAt", "Identity"}
        assert ask(socket, f"delete {number}") == {}
        with pytest.raises(ConnectionClosed) as closed:
            other.recv(timeout=PATIENCE_SECONDS)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1000

    def test_it_is_not_on_the_public_port(self, stack: str) -> None:
        """SEC-04."""
        assert httpx.post(f"{stack}/live/@connections/x", content=b"x", trust_env=False).status_code == 404


class TestStream:
    def test_changes_reach_the_function_in_the_order_of_their_partition(self, opened: Open) -> None:
        socket = opened()
        socket.send("put same 100")
        events = [received(socket) for _ in range(100)]
        assert [event["number"] for event in events] == [str(number) for number in range(100)]
        assert [event["event"] for event in events] == ["INSERT"] + ["MODIFY"] * 99
        assert events[0]["keys"] == {"pk": {"S": "same"}}

    @pytest.mark.parametrize("fault", ["crash", "report"])
    def test_what_failed_is_delivered_again(self, opened: Open, fault: str) -> None:
        socket = opened()
        socket.send(f"put {fault}-{id_of(socket)} 3")
        assert sorted(received(socket)["number"] for _ in range(3)) == ["0", "1", "2"]

    def test_what_fails_for_good_does_not_hold_up_what_follows(self, opened: Open) -> None:
        socket = opened()
        socket.send("put never 1")
        socket.send("put same 1")
        assert received(socket)["pk"] == "same"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_connections(number: signal.Signals, code: int) -> None:
    process = start(*TEMPLATE)
    with connect(address(ready(process), **{"as": "alice"}), proxy=None) as socket:
        assert id_of(socket)
        process.send_signal(number)
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE_SECONDS)
    _, log = process.communicate(timeout=STOP_SECONDS)
    assert process.returncode == code
    assert "Traceback" not in log
