"""A bad network: a proxy that cuts every stream; by default before its first event, or in the middle of its second."""

import enum
import json
import os
import random
import socket
import struct
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

TIMEOUT = 20
_NOT_PASSED = frozenset(
    {"connection", "content-length", "host", "transfer-encoding", "accept-encoding", "date", "server"}
)
_STREAMS = frozenset({("GET", "events"), ("GET", "stream"), ("POST", "send-message")})


class Ending(enum.Enum):
    CLEAN = "clean"
    """As if it were whole: with the last chunk of its encoding."""
    RESET = "reset"


class Place(enum.Enum):
    """What is at the byte that does not come any more."""

    FIRST = "before the first byte"
    FRAME = "in a frame"
    BETWEEN = "between frames"
    CHARACTER = "in a character"
    """The second byte of a character, or a later one."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stream is cut after so many bytes, or at the next `place` behind them, unless it ends before."""

    size: int
    ending: Ending
    place: Place | None = None


def random_cuts(seed: int, count: int, most: int = 400) -> deque[Cut]:
    """Return each place with each ending equally often, in any order, after up to so many bytes."""
    chance = random.Random(seed)
    kinds = [(place, ending) for place in Place for ending in Ending] * (count // 8 + 1)
    chance.shuffle(kinds)
    sizes = {Place.FIRST: 0}
    return deque(Cut(sizes.get(place, chance.randint(1, most)), ending, place) for place, ending in kinds[:count])


class DroppingProxy(ThreadingHTTPServer):
    """What stands between a client and `upstream`.

    `answers` are given first, one for each request for events: a status, and the seconds of a Retry-After. None breaks
    the connection off. `cursors` are the Last-Event-IDs of the streams. It asks clients to come back in 10 ms, unless
    there are `cuts`: then each stream has the next of them, and is passed on as it is when none is left.
    `made` counts the cuts by their kind. `added` are headers that requests get on their way.
    """

    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = httpx.Client(base_url=upstream, timeout=TIMEOUT)
        self.answers: deque[tuple[int, int] | None] = deque()
        self.cursors: list[str | None] = []
        self.cuts: deque[Cut] | None = None
        self.made: Counter[tuple[Place, Ending]] = Counter()
        self.added: dict[str, str] = {}
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error."""


@contextmanager
def dropping(upstream: str) -> Iterator[DroppingProxy]:
    """A proxy that serves until the context ends."""
    with DroppingProxy(upstream) as proxy, proxy.upstream:
        serving = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            serving.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: DroppingProxy

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        is_stream = (self.command, self.path.split("?")[0].rpartition("/")[2]) in _STREAMS
        if is_stream and self.server.answers:
            self._refuse(self.server.answers.popleft())
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _NOT_PASSED}
        headers |= self.server.added
        with self.server.upstream.stream(self.command, self.path, content=body, headers=headers) as response:
            self.send_response(response.status_code)
            for name, value in response.headers.items():
                if name not in _NOT_PASSED:
                    self.send_header(name, value)
            if is_stream and response.status_code == 200:
                self.server.cursors.append(self.headers.get("Last-Event-ID"))
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                self.close_connection = True
                if self.server.cuts is None:
                    self._break_off(response)
                else:
                    self._cut(response, self._next_cut(response))
            else:
                self._end(response.read())

    do_GET = do_POST = do_OPTIONS = _pass_on  # noqa: N815 (the names of http.server)

    def _refuse(self, answer: tuple[int, int] | None) -> None:
        self.close_connection = True
        if answer is None:
            return
        status, seconds = answer
        self.send_response(status)
        self.send_header("Retry-After", str(seconds))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Expose-Headers", "Retry-After")
        self._end(json.dumps({"status": status, "code": "OF_THE_TEST"}).encode())

    def _end(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _break_off(self, response: httpx.Response) -> None:
        """Pass on no event or one, in turns, and a part of the next; the last one is the end of the stream."""
        left = len(self.server.cursors) % 2
        self._chunk(b"retry: 10\n\n")
        rest = b""
        for chunk in response.iter_raw():
            *frames, rest = (rest + chunk).split(b"\n\n")
            for frame in frames if left >= 0 else ():
                self._chunk(frame + b"\n\n" if left else frame[: len(frame) // 2])
                left -= 1
                if left < 0:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    break
        if left >= 0:
            self.wfile.write(b"0\r\n\r\n")

    def _next_cut(self, response: httpx.Response) -> Cut | None:
        """What is no stream of frames cannot end cleanly before its end: every HTTP client notices."""
        if not self.server.cuts:
            return None
        cut = self.server.cuts.popleft()
        is_sse = response.headers["content-type"].startswith("text/event-stream")
        return cut if is_sse else replace(cut, ending=Ending.RESET)

    def _cut(self, response: httpx.Response, cut: Cut | None) -> None:
        """Pass on what comes before the cut, byte by byte the same."""
        passed, before = 0, b""
        for chunk in response.iter_raw():
            end = None if cut is None else _end(chunk, cut, passed, before)
            if passing := chunk[:end]:
                self._chunk(passing)
            passed += len(passing)
            before = (before + passing)[-2:]
            if cut is not None and end is not None:
                self.server.made[_place(before, chunk[end]), cut.ending] += 1
                break
        if cut is not None and cut.ending is Ending.RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _end(chunk: bytes, cut: Cut, passed: int, before: bytes) -> int | None:
    """Where in a chunk the cut is, which comes after so many bytes that end so; None for one that it is not in."""
    for end in range(max(0, cut.size - passed), len(chunk)):
        if cut.place in (None, _place((before + chunk[max(0, end - 2) : end])[-2:], chunk[end])):
            return end
    return None


def _place(before: bytes, following: int) -> Place:
    """Return the place of a byte, by the two before it."""
    if not before:
        return Place.FIRST
    if following & 0xC0 == 0x80:
        return Place.CHARACTER
    return Place.BETWEEN if before == b"\n\n" else Place.FRAME


def main(upstream: str, seed: str, count: str) -> None:
    """Serve until standard input ends; say where on the first line, and the cuts by their kind on the last."""
    with dropping(upstream) as proxy:
        proxy.cuts = random_cuts(int(seed), int(count))
        print(proxy.url, flush=True)
        sys.stdin.read()
        made = {f"{place.value}, {ending.value}": number for (place, ending), number in proxy.made.items()}
    print(json.dumps(made))


if __name__ == "__main__":
    main(*sys.argv[1:])
