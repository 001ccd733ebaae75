"""The functions as Lambda calls them, in this process: with a payload and a context, answered in one piece or not."""

import importlib
import json
import uuid
from dataclasses import dataclass, field
from typing import Any, Final, cast

import anyio
from mangum.types import LambdaContext

from tests.support.functions.payloads import Case
from tests.support.paths import ROOT
from yarrow.web.lambda_http import Streaming

NO_CONTEXT: Final[Any] = None
"""For functions that do not look at it."""


@dataclass
class Context:
    function_name: str = "Function"
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def get_remaining_time_in_millis(self) -> int:
        return 900_000


@dataclass
class Answer:
    """A response, whole; the names of its headers in lower case."""

    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.body)
        return document


def serving(route: str) -> str:
    """Return the function that serves a route of this name; or the function of that name."""
    modules = sorted(ROOT.glob("layers/core/yarrow/routes/*.py"))
    found = [path.stem for path in modules if f'name="{route}"' in path.read_text("utf-8")]
    return found[0] if found else route


def invoke(function: str, event: dict[str, Any]) -> Any:
    """What a function answers, whichever way it does; one of several routes may be named by one of them."""
    handler = importlib.import_module(f"functions.{serving(function)}.app").handler
    context = cast(LambdaContext, Context(function))
    if not isinstance(handler, Streaming):
        answer = handler(event, context)
        if answer is None:
            return None
        headers = {name.lower(): value for name, value in answer.get("headers", {}).items()}
        return Answer(answer["statusCode"], answer["body"].encode(), headers)

    async def collect() -> Answer:
        async with handler.open(event, context) as response:
            return Answer(response.status, b"".join([chunk async for chunk in response.body]), response.headers)

    return anyio.run(collect)


def work(case: Case) -> None:
    invoke("execute_run", case.payload("execute_run_work"))
