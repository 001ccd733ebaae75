"""The local stack with a counter: `python -m tests.load.stack` serves as `python -m local` does.

On `COUNTS_PORT`, `GET /counts` answers how often the functions called each operation of DynamoDB and Step Functions and
how often each function was called; `GET /left` what is still held: slots of streams, connections to workspaces, active
runs; `GET /table` the items of the table and their bytes. It counts in this process and in those of functions, which
write to a pipe what they call.
"""

import json
import os
import sys
import threading
from collections import Counter
from contextlib import AbstractAsyncContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from botocore.handlers import BUILTIN_HANDLERS

from local.__main__ import main
from local.functions import LambdaHost
from local.sandboxes.invocations import Result
from local.sandboxes.pool import Sandboxes

_SERVICES = ("dynamodb", "sfn", "s3", "scheduler")

CALLS: Counter[str] = Counter()
_read, _write = os.pipe()
_own = threading.local()


def _add(name: str) -> None:
    os.write(_write, f"{name}\n".encode())  # in one piece, however many processes write


def _add_up() -> None:
    with os.fdopen(_read, encoding="utf-8") as names:
        for name in names:
            CALLS[name.rstrip()] += 1


def _count(model: Any, **_: Any) -> None:
    if not getattr(_own, "is_ours", False):
        _add(f"{model.service_model.service_name} {model.name}")


class _Counts(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        _own.is_ours = True
        answer = {"/counts": lambda: dict(CALLS), "/left": _left, "/table": _table}[self.path]()
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _left() -> dict[str, int]:
    """Read from the table, item by item."""
    from yarrow.settings import settings
    from yarrow.store import clients, runs, table

    left = Counter[str]()
    pages = (
        clients.dynamodb()
        .get_paginator("scan")
        .paginate(
            TableName=settings.table_name,
            FilterExpression="sk IN (:streams, :run) OR begins_with(sk, :connection)",
            ExpressionAttributeValues=table.to_wire(
                {":streams": "STREAMS", ":run": "RUN", ":connection": "CONNECTION"}
            ),
        )
    )
    for item in (table.from_wire(item) for page in pages for item in page["Items"]):
        if item["sk"] == "STREAMS":
            left["slots of streams"] += len(item["slots"])
        elif item["sk"] == "RUN":
            left["active runs"] += not runs.stored(item).ended
        else:
            left["connections to workspaces"] += 1
    return {name: left[name] for name in ("slots of streams", "active runs", "connections to workspaces")}


def _table() -> dict[str, int]:
    from yarrow.settings import settings
    from yarrow.store import clients

    described = clients.dynamodb().describe_table(TableName=settings.table_name)["Table"]
    return {"items": described["ItemCount"], "bytes": described["TableSizeBytes"]}


def _count_functions() -> None:
    invoke, open_stream, isolate = LambdaHost.invoke, LambdaHost.open, LambdaHost.isolate

    async def counted_invoke(host: LambdaHost, name: str, payload: bytes, *args: Any, **more: Any) -> Result:
        _add(f"lambda {name}")
        return await invoke(host, name, payload, *args, **more)

    def counted_open(host: LambdaHost, name: str, payload: bytes) -> AbstractAsyncContextManager[Any]:
        _add(f"lambda {name}")
        return open_stream(host, name, payload)

    def counted_isolate(host: LambdaHost, *given_text: Any) -> Sandboxes:
        sandboxes = isolate(host, *given_text)
        _serve_counts()  # in threads, which there must not be earlier
        return sandboxes

    vars_of: Any = LambdaHost
    vars_of.invoke, vars_of.open, vars_of.isolate = counted_invoke, counted_open, counted_isolate


def _serve_counts() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["COUNTS_PORT"])), _Counts)
    for work in (server.serve_forever, _add_up):
        threading.Thread(target=work, daemon=True).start()


if __name__ == "__main__":
    BUILTIN_HANDLERS.extend((f"after-call.{service}", _count) for service in _SERVICES)
    _count_functions()
    code = main()
    sys.stderr.flush()
    os._exit(code)  # as `local` ends: without waiting for functions that are still running
