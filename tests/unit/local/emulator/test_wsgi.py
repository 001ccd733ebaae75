"""A WSGI app on an event loop gets and gives what it would on a server of its own."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from starlette.testclient import TestClient

from local.emulator.wsgi import as_asgi

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


def served(answer: Iterable[bytes], *headers: tuple[str, str]) -> tuple[TestClient, list["WSGIEnvironment"]]:
    seen: list[WSGIEnvironment] = []

    def app(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        seen.append({**environ, "body": environ["wsgi.input"].read()})
        start_response("202 Accepted", list(headers))
        return answer

    return TestClient(as_asgi(app)), seen


def test_a_request_has_its_body_its_headers_and_its_path_as_it_was_written() -> None:
    client, seen = served([])
    client.put("/a%2Fb/%E5%8D%A6?x=1%202", content=b"\x00\xff", headers={"X-Amz-Date": "now", "Content-Type": "a/b"})
    (environ,) = seen
    assert environ["RAW_URI"] == "/a%2Fb/%E5%8D%A6?x=1%202"
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/a/b/卦"
    assert environ["QUERY_STRING"] == "x=1%202"
    assert (environ["REQUEST_METHOD"], environ["body"], environ["CONTENT_LENGTH"]) == ("PUT", b"\x00\xff", "2")
    assert (environ["HTTP_X_AMZ_DATE"], environ["CONTENT_TYPE"]) == ("now", "a/b")


def test_repeated_headers_are_one() -> None:
    client, seen = served([])
    client.get("/", headers=[("x-one", "1"), ("x-one", "2")])
    assert seen[0]["HTTP_X_ONE"] == "1,2"


def test_an_answer_is_joined_and_keeps_its_own_headers() -> None:
    client, _ = served(iter([b"a", b"bc"]), ("X-Amz-Crc32", "7"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"))
    response = client.get("/")
    assert (response.status_code, response.content, response.headers["content-length"]) == (202, b"abc", "3")
    assert response.headers["x-amz-crc32"] == "7"
    assert response.headers.get_list("set-cookie") == ["a=1", "b=2"]


def test_head_tells_the_length_that_the_app_tells() -> None:
    client, _ = served([], ("Content-Length", "5000"))
    assert client.head("/").headers["content-length"] == "5000"


def test_what_an_app_holds_is_closed() -> None:
    class Held(list[bytes]):
        is_closed = False

        def close(self) -> None:
            self.is_closed = True

    held = Held([b"x"])
    client, _ = served(held)
    client.get("/")
    assert held.is_closed
