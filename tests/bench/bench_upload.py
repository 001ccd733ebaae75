"""The memory and time that finishing an upload of 5 MiB takes, in a process that holds nothing but the function.

A server in this process plays S3 and DynamoDB, in as few words as the function listens to; its memory does not count.
The function has answered a small upload before, so that what is measured is the file and not the imports. A figure of
memory is the largest of its rounds, each in a new process; one of time is the median.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from threading import Thread
from typing import ClassVar

from local import template
from local.__main__ import TEMPLATE
from local.environment import isolated
from local.stack import Function
from tests.bench.row import Row
from tests.support.paths import ROOT

ROUNDS = 5
LARGEST = 5 * 1024 * 1024
SMALL, LARGE = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
THREAD = "550e8400-e29b-41d4-a716-446655440000"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def measure() -> list[Row]:
    """Return the peak memory over idle in MiB, and the milliseconds."""
    with _cloud() as endpoint:
        found = [_round(endpoint) for _ in range(ROUNDS)]
    return [
        Row("upload, peak memory of finishing 5 MiB over idle", "MiB", max(item["mebibytes"] for item in found)),
        Row("upload, time of finishing 5 MiB", "ms", median(item["milliseconds"] for item in found)),
    ]


def _round(endpoint: str) -> dict[str, float]:
    variables = {
        **isolated(os.environ),
        **_function().environment,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_DEFAULT_REGION": "us-east-1",
        "POWERTOOLS_LOG_LEVEL": "ERROR",
    }
    done = subprocess.run(
        [sys.executable, "-c", _FUNCTION, SMALL, LARGE],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    result: dict[str, float] = json.loads(done.stdout)
    return result


@cache
def _function() -> Function:
    stack = template.load(TEMPLATE, {"OidcIssuer": "https://issuer.example.com", "OidcAudience": "yarrow"})
    return next(function for function in stack.functions.values() if function.folder.name == "finish_upload")


# What runs in the function's process: the handler, as Lambda calls it. Linux counts the peak anew when told so.
_FUNCTION = """
import json, sys, time
from pathlib import Path
from functions.finish_upload.app import handler
from yarrow.web.lambda_runtime import InvocationContext

context = InvocationContext("r", "arn", 0, "f", "1", 512, "g", "s")
payload = json.loads(Path("events/api_gateway_finish_upload.json").read_text())

def finish(upload):
    payload["path"] = payload["path"].rpartition("/")[0] + "/" + upload
    answer = handler(payload, context)
    assert answer["statusCode"] == 200, answer

def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024

finish(sys.argv[1])
Path("/proc/self/clear_refs").write_text("5")
idle, begun = status("VmRSS"), time.perf_counter()
finish(sys.argv[2])
spent = time.perf_counter() - begun
print(json.dumps({"mebibytes": status("VmHWM") - idle, "milliseconds": spent * 1000}))
"""


def _form(data: bytes) -> bytes:
    return (
        b'--b\r\nContent-Disposition: form-data; name="threadId"\r\n\r\n' + THREAD.encode() + b"\r\n"
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
        + data
        + b"\r\n--b--\r\n"
    )


class _Aws(BaseHTTPRequestHandler):
    """Every upload is staged, no item is there, and whatever is written is well."""

    protocol_version = "HTTP/1.1"
    forms: ClassVar[dict[str, bytes]] = {SMALL: _form(PNG), LARGE: _form(PNG + bytes(LARGEST - len(PNG)))}

    def do_GET(self) -> None:
        self._answer(200, self.forms[self.path.rpartition("/")[2]], "multipart/form-data; boundary=b")

    def do_PUT(self) -> None:
        if self.headers.get("expect"):
            self.send_response_only(100)
            self.end_headers()
        if self.headers.get("transfer-encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self._answer(200, b"", "application/xml")

    def do_DELETE(self) -> None:
        self._answer(204, b"", "application/xml")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        updated = self.headers["x-amz-target"].endswith("UpdateItem")
        self._answer(200, b'{"Attributes":{"pk":{"S":"x"}}}' if updated else b"{}", "application/x-amz-json-1.0")

    def _answer(self, status: int, body: bytes, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _cloud() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Aws) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
