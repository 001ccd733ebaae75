"""Posts to URLs that users name: 40 hostile ones, which are not reached, and receivers that would keep a function."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from yarrow.outbound import posting
from yarrow.outbound.posting import ANSWER_CHARACTERS, PostResult, post

PUBLIC = "93.184.216.34"
NAMES: dict[str, list[list[str]]] = {
    # By name, what its name server answers, call for call; the last answer stays.
    "loopback.example": [["127.0.0.1"]],
    "loopback6.example": [["::1"]],
    "mapped.example": [["::ffff:127.0.0.1"]],
    "private.example": [["10.0.0.1"]],
    "shared.example": [["100.64.0.1"]],
    "metadata.example": [["169.254.169.254"]],
    "metadata6.example": [["fd00:ec2::254"]],
    "nat64.example": [["64:ff9b::7f00:1"]],
    "sixtofour.example": [["2002:7f00:1::"]],
    "mixed.example": [[PUBLIC, "127.0.0.1"]],
    "unspecified.example": [["0.0.0.0"]],  # noqa: S104 (an address that is refused)
    "multicast.example": [["224.0.0.1"]],
    "nothing.example": [[]],
}
HOSTILE = [
    *("127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "0x7f000001", "0x7f.1", "2130706433", "017700000001"),
    *("0177.0.0.1", "0", "0.0.0.0", "localhost", "LOCALHOST", "localhost.", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]"),  # noqa: S104
    *("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
    *("10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "[fd00:ec2::254]", "[fe80::1]", "100.64.0.1"),
    *NAMES,
]
"""Hosts that a URL may name to reach this machine, its network, or a service that tells its credentials."""


class Canary:
    """A server of this machine that must not be reached."""

    def __init__(self) -> None:
        self.listeners = [socket.create_server(("127.0.0.1", 0))]
        self.port = self.listeners[0].getsockname()[1]
        with suppress(OSError):
            self.listeners.append(socket.create_server(("::1", self.port), family=socket.AF_INET6))
        for listener in self.listeners:
            listener.setblocking(False)

    @property
    def reached(self) -> bool:
        for listener in self.listeners:
            with suppress(BlockingIOError):
                listener.accept()[0].close()
                return True
        return False


@pytest.fixture
def canary() -> Iterator[Canary]:
    found = Canary()
    yield found
    for listener in found.listeners:
        listener.close()


@pytest.fixture
def name_server(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """Answer for the names of this module; numeric hosts are read as the system reads them, and others are unknown."""
    original = socket.getaddrinfo
    answers = {name: list(found) for name, found in NAMES.items()}

    def getaddrinfo(host: Any, port: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in answers:
            return original(host, port, *arguments, **options)
        found = answers[name].pop(0) if len(answers[name]) > 1 else answers[name][0]
        family = {address: socket.AF_INET6 if ":" in address else socket.AF_INET for address in found}
        return [(family[address], socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return answers


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the addresses that connections are made to; those beyond this machine are refused."""
    found: list[Any] = []
    connect = socket.socket.connect

    def recorded(self: socket.socket, address: Any) -> None:
        found.append(address)
        if address[0] not in ("127.0.0.1", "::1"):
            raise ConnectionRefusedError
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", recorded)
    return found


def send(url: str, *, allows_loopback: bool = False) -> PostResult:
    return asyncio.run(post(url, b"{}", {"webhook-id": "msg_1"}, allows_loopback=allows_loopback))


@pytest.mark.usefixtures("name_server")
@pytest.mark.parametrize("host", HOSTILE)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_hostile_url_reaches_nothing(canary: Canary, connected: list[Any], host: str, scheme: str) -> None:
    """EVB-04: not even a connection is made."""
    result = send(f"{scheme}://{host}:{canary.port}/latest/meta-data")
    assert result.status is None
    assert result.error in ("the host is not public", "no connection")
    assert connected == []
    assert not canary.reached


def test_there_are_forty_hostile_hosts() -> None:
    """EVB-04."""
    assert len(set(HOSTILE)) >= 40


@pytest.mark.parametrize("later", ["127.0.0.1", "169.254.169.254", "::1", "10.0.0.1"])
def test_a_name_that_turns_private_is_not_asked_twice(
    name_server: dict[str, list[list[str]]], connected: list[Any], canary: Canary, later: str
) -> None:
    """EVB-04: DNS rebinding; the connection goes to the address that was checked."""
    name_server["rebinding.example"] = [[PUBLIC], [later]]
    for url in (f"http://rebinding.example:{canary.port}/", f"https://rebinding.example:{canary.port}/"):
        name_server["rebinding.example"] = [[PUBLIC], [later]]
        assert send(url).error == "no connection"
    assert {address[0] for address in connected} == {PUBLIC}
    assert not canary.reached


class Receiver:
    """A server of this machine that does with a connection what a test says."""

    def __init__(self, behave: Callable[[socket.socket], object]) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.requests: list[bytes] = []
        self._behave = behave
        self._stopped = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/in"

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with connection, suppress(OSError):
                    self.requests.append(b"")
                    while not self.requests[-1].endswith(b"{}"):
                        self.requests[-1] += connection.recv(65_536)
                    self._behave(connection)

    def close(self) -> None:
        self.listener.close()


@pytest.fixture
def receiver() -> Iterator[Callable[[Callable[[socket.socket], object]], Receiver]]:
    made: list[Receiver] = []

    def make(behave: Callable[[socket.socket], object]) -> Receiver:
        made.append(Receiver(behave))
        return made[-1]

    yield make
    for one in made:
        one.close()


Make = Callable[[Callable[[socket.socket], object]], Receiver]


def answers(text: bytes) -> Callable[[socket.socket], object]:
    return lambda connection: connection.sendall(text)


def drips(start: bytes, drop: bytes, pause: float = 0.02) -> Callable[[socket.socket], object]:
    """Send something forever, a little at a time."""

    def behave(connection: socket.socket) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(drop)
            time.sleep(pause)

    return behave


def test_a_success_is_its_status_alone(receiver: Make) -> None:
    """EVB-04: what else is answered is not read."""
    made = receiver(answers(b"HTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\nhello"))
    result = send(made.url, allows_loopback=True)
    assert (result.status, result.answer, result.is_success) == (202, None, True)
    (request,) = made.requests
    assert request.startswith(b"POST /in HTTP/1.1\r\n")
    assert request.endswith(b"\r\n\r\n{}")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(receiver: Make, canary: Canary, status: int) -> None:
    """EVB-04."""
    target = f"http://127.0.0.1:{canary.port}/"
    made = receiver(answers(f"HTTP/1.1 {status} R\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()))
    result = send(made.url, allows_loopback=True)
    assert (result.status, result.is_success) == (status, False)
    assert not canary.reached


@pytest.mark.parametrize(
    "behave",
    [
        lambda _: time.sleep(3),
        drips(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.2),
        drips(b"", b" ", 0.2),
        drips(b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", 0.2),
    ],
    ids=["silent", "headers", "blanks", "continues"],
)
def test_a_receiver_that_takes_its_time_is_left(
    receiver: Make, monkeypatch: pytest.MonkeyPatch, behave: Callable[[socket.socket], object]
) -> None:
    """EVB-04: whatever it sends meanwhile."""
    monkeypatch.setattr(posting, "SECONDS", 0.6)
    begun = time.monotonic()
    result = send(receiver(behave).url, allows_loopback=True)
    assert result.status is None
    assert result.error is not None
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_without_end_is_not_waited_for(receiver: Make, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """EVB-04."""
    monkeypatch.setattr(posting, "ANSWER_SECONDS", 0.3)
    start = f"HTTP/1.1 {status} S\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    begun = time.monotonic()
    result = send(receiver(drips(start, b"1\r\na\r\n", 0.05)).url, allows_loopback=True)
    assert result.status == status
    assert time.monotonic() - begun < 3


def test_of_a_large_error_the_beginning_is_kept(receiver: Make) -> None:
    """EVB-04: as text that a log can show."""
    body = b"<b>\x00\xff\r\n" + b"a" * 1_000_000
    made = receiver(answers(f"HTTP/1.1 500 E\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body))
    result = send(made.url, allows_loopback=True)
    assert result.answer is not None
    assert len(result.answer) == ANSWER_CHARACTERS
    assert result.answer.startswith("<b> ")
    assert result.answer.isprintable()


@pytest.mark.parametrize(
    "text", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"X: " + b"a" * 200_000]
)
def test_what_is_no_http_is_no_answer(receiver: Make, text: bytes) -> None:
    """EVB-04."""
    result = send(receiver(answers(text)).url, allows_loopback=True)
    assert (result.status, result.error) == (None, "no connection")


@pytest.mark.parametrize(
    ("header", "seconds"), [("120", 120.0), ("", None), ("soon", None), ("-1", None), ("9999999", None)]
)
def test_a_receiver_says_when_to_come_again(receiver: Make, header: str, seconds: float | None) -> None:
    """EVB-04."""
    text = f"HTTP/1.1 503 B\r\nRetry-After: {header}\r\nContent-Length: 0\r\n\r\n"
    assert send(receiver(answers(text.encode())).url, allows_loopback=True).retry_after == seconds


def test_a_name_that_does_not_resolve_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-04: the loop of the function outlives the thread that looks it up."""
    monkeypatch.setattr(posting, "SECONDS", 0.3)
    done = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: done.wait(5))
    loop = asyncio.new_event_loop()
    begun = time.monotonic()
    result = loop.run_until_complete(post("https://slow.example/", b"{}", {}))
    assert time.monotonic() - begun < 3
    assert result.error is not None
    done.set()
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


@pytest.mark.parametrize("url", ["https://", "https://a b/", "https://[::1", "https://a.example:99999/", "", "x"])
def test_what_is_no_url_is_no_connection(url: str) -> None:
    """EVB-04."""
    assert send(url).status is None
