"""When the stack's processes called AWS and ran functions: a line of JSON each, in a file."""

import json
import threading
import time
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from botocore.client import BaseClient

from local.functions import LambdaHost


@dataclass(frozen=True)
class Span:
    """A span in seconds of the machine's monotonic clock. `thread` tells calls of one function from another's."""

    kind: str
    name: str
    thread: str
    begin: float
    end: float


def install(path: Path) -> None:
    file = path.open("a", encoding="utf-8", buffering=1)
    call, invoke, opened = vars(BaseClient)["_make_api_call"], LambdaHost.invoke, LambdaHost.open

    def record(kind: str, name: str, begin: float) -> None:
        span = Span(kind, name, threading.current_thread().name, begin, time.monotonic())
        file.write(json.dumps(asdict(span)) + "\n")

    def timed_call(client: BaseClient, operation: str, parameters: Any) -> Any:
        begin = time.monotonic()
        try:
            return call(client, operation, parameters)
        finally:
            record("call", operation, begin)

    async def timed_invoke(host: LambdaHost, name: str, *args: Any, **more: Any) -> Any:
        begin = time.monotonic()
        try:
            return await invoke(host, name, *args, **more)
        finally:
            record("function", name, begin)

    @asynccontextmanager
    async def timed_open(host: LambdaHost, name: str, payload: bytes) -> Any:
        begin = time.monotonic()
        async with opened(host, name, payload) as response:
            record("opened", name, begin)
            yield response

    for owner, name, timed in (
        (BaseClient, "_make_api_call", timed_call),
        (LambdaHost, "invoke", timed_invoke),
        (LambdaHost, "open", timed_open),
    ):
        setattr(owner, name, timed)


def recorded(path: Path) -> list[Span]:
    """In the order in which they began."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return sorted((Span(**json.loads(line)) for line in lines), key=lambda span: span.begin)
