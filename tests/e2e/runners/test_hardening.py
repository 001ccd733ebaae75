"""Clients that dawdle, stop reading, vanish or do not speak HTTP: what they held is given back, others notice nothing,
and a run goes on without them. What they say when they do speak HTTP, `tests/integration/web/test_fuzz.py` makes up."""

import json
import re
import socket
import struct
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.example_cast import EXAMPLE
from tests.support.stack.app import App, cancel
from tests.support.stack.runs import body, first_words, submit

PATIENCE_SECONDS = 60
"""Far less than the minute after which the slot of a stream that crashed runs out by itself."""
STREAMS_PER_USER = 20

Connect = Callable[[], socket.socket]


@pytest.fixture
def connect(stack: str) -> Iterator[Connect]:
    """Make bare connections, which end with the test."""
    parts = urlsplit(stack)
    with ExitStack() as made:

        def make() -> socket.socket:
            return made.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_SECONDS))

        yield make


@pytest.fixture
def waiting(alice: App) -> Iterator[str]:
    """The thread of a run that goes on until it is cancelled."""
    thread = str(uuid.uuid4())
    submit(alice, "diary", thread, "run-1", "wait")
    first_words(alice, thread, "run-1")
    yield thread
    cancel(alice, thread, "run-1")


def head(app: App, method: str, path: str, *fields: str) -> bytes:
    """The head of a request of a user's, as it is on the wire."""
    lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: {app.http.headers['Authorization']}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def vanish(connection: socket.socket) -> None:
    """Be gone at once, as a client whose battery is empty: reset, whatever is on the way."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def status_of(connection: socket.socket) -> int | None:
    """The status of the answer; None when the server just closes."""
    try:
        line = connection.recv(4_096)
    except ConnectionResetError:
        return None
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", line)
    return int(found[1]) if found else None


def run_of(thread: str, run: str = "run-1") -> bytes:
    """Return the body of a divination."""
    document = body(thread, run, EXAMPLE["question"])
    document["forwardedProps"] = {"runtime_mode": "chat", "divinationPayload": EXAMPLE}
    return json.dumps(document).encode()


def events_of(thread: str) -> str:
    return f"/api/v1/agent/runs/{thread}/events?runId=run-1"


def serves(app: App) -> bool:
    """Whether a whole run still works, from submit to history."""
    thread = str(uuid.uuid4())
    answer = app.http.post("/api/v1/agent/runs", content=run_of(thread))
    assert answer.status_code == 202, answer.text
    assert list(app.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    return len(app.history(threadId=thread)["messages"]) == 2


# ---- Slow ones -------------------------------------------------------------------------------------------------------
def test_clients_that_never_finish_their_requests_hold_up_nobody(alice: App, connect: Connect) -> None:
    """SEC-01: A hundred clients stop in the head, in the body, and in an upload."""
    starts = (
        b"POST /api/v1/agent/runs HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        head(alice, "POST", "/api/v1/agent/runs", "Content-Length: 1000") + b"{",
        head(alice, "POST", "/send-message", "Transfer-Encoding: chunked") + b"400\r\n{",
        head(
            alice,
            "POST",
            "/api/v1/agent/attachments",
            "Content-Type: multipart/form-data; boundary=b",
            "Content-Length: 5000000",
        ),
    )
    slow = [connect() for _ in range(100)]
    for number, connection in enumerate(slow):
        connection.sendall(starts[number % len(starts)])
    assert serves(alice)


def test_a_body_that_comes_byte_by_byte_is_read_whole(alice: App, connect: Connect) -> None:
    """RUN-01."""
    thread, connection = str(uuid.uuid4()), connect()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    raw = run_of(thread)
    fields = ("Content-Type: application/json", f"Content-Length: {len(raw)}")
    for byte in head(alice, "POST", "/api/v1/agent/runs", *fields) + raw:
        connection.sendall(bytes([byte]))
    assert status_of(connection) == 202
    assert list(alice.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"


# ---- Streams ---------------------------------------------------------------------------------------------------------
def test_the_streams_of_clients_that_vanish_are_given_back(alice: App, connect: Connect, waiting: str) -> None:
    """EVT-06: some had read, some had stopped, some never did; the one that was refused gets in."""
    viewers = [connect() for _ in range(STREAMS_PER_USER)]
    for number, viewer in enumerate(viewers):
        viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
        viewer.sendall(head(alice, "GET", events_of(waiting)))
        if number % 2:
            assert status_of(viewer) == 200

    def refused() -> int | None:
        # One that was faster than a viewer that reads nothing has its place, and keeps it.
        later = connect()
        later.sendall(head(alice, "GET", events_of(waiting)))
        viewers.append(later)
        return status_of(later)

    def opens() -> tuple[int, str | None, str | None]:
        with alice.http.stream("GET", events_of(waiting)) as stream:
            code = None if stream.status_code == 200 else json.loads(stream.read())["code"]
            return stream.status_code, code, stream.headers.get("retry-after")

    until(429, refused)
    assert opens() == (429, "AGENT_SSE_CONNECTION_LIMIT", "1")
    for viewer in viewers:
        vanish(viewer)
    until((200, None, None), opens)
    assert serves(alice)


def until(wanted: object, ask: Callable[[], object]) -> None:
    """Ask again until the answer is as wanted."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    answers = []
    while (answer := ask()) != wanted:
        answers.append(answer)
        assert time.monotonic() < deadline, Counter(answers)
        time.sleep(0.5)  # nothing tells a client when; more often would be more than a user may ask in a minute


def test_a_run_goes_on_when_its_only_viewer_is_gone(alice: App, connect: Connect) -> None:
    """EVT-05, EVT-20: a disconnect is not a cancel, at either door; who comes back misses nothing."""
    thread, other = str(uuid.uuid4()), str(uuid.uuid4())
    raw = run_of(thread)
    door = connect()
    fields = ("Content-Type: application/json", f"Content-Length: {len(raw)}")
    door.sendall(head(alice, "POST", "/send-message", *fields) + raw)
    assert status_of(door) == 200
    vanish(door)
    assert alice.http.post("/api/v1/agent/runs", content=run_of(other)).status_code == 202
    viewer = connect()
    viewer.sendall(head(alice, "GET", events_of(other)))
    assert status_of(viewer) == 200
    vanish(viewer)
    for session in (thread, other):
        events = list(alice.watch(session, "run-1"))
        assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
        assert events[-1][1] == "RUN_FINISHED"
        assert len(alice.history(threadId=session)["messages"]) == 2


# ---- Requests that break off -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ["/api/v1/agent/runs", "/send-message"])
def test_half_a_submit_is_none(alice: App, connect: Connect, path: str) -> None:
    """RUN-20, RUN-23: nothing of it is stored; the whole of it is as the first."""
    thread, connection = str(uuid.uuid4()), connect()
    raw = run_of(thread)
    fields = ("Content-Type: application/json", f"Content-Length: {len(raw)}")
    connection.sendall(head(alice, "POST", path, *fields) + raw[: len(raw) // 2])
    vanish(connection)
    answer = alice.http.get(events_of(thread))
    assert (answer.status_code, answer.json()["code"]) == (404, "AGENT_SESSION_NOT_FOUND")
    accepted = alice.http.post("/api/v1/agent/runs", content=raw)
    assert (accepted.status_code, accepted.json()["created"]) == (202, True)


def test_a_submit_whose_answer_nobody_awaits_counts(alice: App, connect: Connect) -> None:
    """RUN-23: its client sends it again and is answered as the first time."""
    thread, connection = str(uuid.uuid4()), connect()
    raw = run_of(thread)
    fields = ("Content-Type: application/json", f"Content-Length: {len(raw)}")
    connection.sendall(head(alice, "POST", "/api/v1/agent/runs", *fields) + raw)
    vanish(connection)
    again = alice.http.post("/api/v1/agent/runs", content=raw)
    assert (again.status_code, again.json()["created"]) == (202, True)
    events = list(alice.watch(thread, "run-1"))
    assert [kind for _, kind, _ in events].count("RUN_FINISHED") == 1
    assert len(alice.history(threadId=thread)["messages"]) == 2


def test_half_an_upload_is_none(alice: App, connect: Connect) -> None:
    """ATT-02: and the same file is taken afterwards."""
    thread = str(uuid.uuid4())
    picture = ("a.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(100_000), "image/png")
    upload = httpx.Request(
        "POST", "http://x/api/v1/agent/attachments", data={"threadId": thread}, files={"file": picture}
    )
    form = upload.read()
    fields = (f"Content-Type: {upload.headers['content-type']}", f"Content-Length: {len(form)}")
    for part in (0, len(form) // 2, len(form) - 1):
        connection = connect()
        connection.sendall(head(alice, "POST", "/api/v1/agent/attachments", *fields) + form[:part])
        vanish(connection)
    answer = alice.http.post(
        "/api/v1/agent/attachments", data={"threadId": thread}, files={"file": picture}, follow_redirects=True
    )
    assert answer.status_code in (200, 201), answer.text
    assert serves(alice)


# ---- What is not HTTP ------------------------------------------------------------------------------------------------
NOT_HTTP = {
    "nothing but a line": b"\r\n\r\n",
    "bytes": bytes(range(256)) * 10,
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "a method in lower case": b"get /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n",
    "a body of a negative length": b"POST /send-message HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "a body longer than any": b"POST /send-message HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 400 + b"\r\n\r\n",
    "two lengths": b"POST /send-message HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "a length and chunks": b"POST /send-message HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk of a negative length": b"POST /send-message HTTP/1.1\r\nHost: x\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    "a coding that nobody knows": b"POST /send-message HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: brew\r\n\r\n",
    "a header of 64 KiB": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 65_536 + b"\r\n\r\n",
    "ten thousand headers": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n" + b"X-A: b\r\n" * 10_000 + b"\r\n",
    "a header with NUL": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n",
    "a folded header": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n",
    "a path of 64 KiB": b"GET /" + b"a" * 65_536 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path of raw bytes": b"GET /\xff\xfe\xc0\xaf HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path that is a URL": b"GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path of other letters": "GET /\u202e HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
    "no path": b"GET  HTTP/1.1\r\nHost: x\r\n\r\n",
    "no host": b"GET /openapi.json HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "a header with a space in its name": b"GET /openapi.json HTTP/1.1\r\nHost : x\r\n\r\n",
    "a carriage return in a header": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-A: a\rb\r\n\r\n",
    "lines that end with a line feed": b"GET /openapi.json HTTP/1.1\nHost: x\n\n",
    "HTTP/0.9": b"GET /openapi.json\r\n\r\n",
    "HTTP/9.9": b"GET /openapi.json HTTP/9.9\r\nHost: x\r\n\r\n",
    "a chunk of no length": b"POST /send-message HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "a chunk that breaks off": b"POST /send-message HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{",
    "a body that breaks off": b"POST /send-message HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{}",
    "a credential with NUL": b"GET /api/v1/agent/history HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\0b\r\n\r\n",
    "a tunnel": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n",
    "an upgrade": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
}


@pytest.mark.parametrize("raw", NOT_HTTP.values(), ids=list(NOT_HTTP))
def test_what_is_hardly_http_is_refused_or_read_and_breaks_nothing(alice: App, connect: Connect, raw: bytes) -> None:
    """ERR-01: never a failure of the server's own, which goes on serving."""
    connection = connect()
    connection.sendall(raw)
    connection.shutdown(socket.SHUT_WR)
    status = status_of(connection)
    assert status is None or status < 500
    assert alice.http.get("/openapi.json").status_code == 200
