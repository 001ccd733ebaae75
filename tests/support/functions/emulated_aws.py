"""Emulated AWS for one test: the emulator with the template's resources, an OpenID issuer, and a fake Lambda endpoint.

The test answers each task of an execution, and gets every change of an execution's status.
"""

import json
import os
import socket
from asyncio import wrap_future
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from queue import Queue
from threading import Thread
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from local import environment, resources, template
from local.__main__ import TEMPLATE
from local.emulator.process import LOOPBACK, Emulator
from local.identity import AUDIENCE, Issuer
from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.functions.runtime_api import PATIENCE_SECONDS


@dataclass
class Task:
    """A task of an execution: the payload for its function, and the function's answer, which the execution awaits."""

    payload: dict[str, Any]
    answer: Future[bytes] = field(default_factory=Future)


class Executions:
    """The far side of the state machine: Lambda's Invoke action and the event bus, by the names of executions."""

    def __init__(self) -> None:
        self._tasks: dict[str, Queue[Task]] = {}
        self._changes: dict[str, Queue[dict[str, Any]]] = {}
        self._begun: list[Task] = []

    def task(self, name: str) -> Task:
        return self._tasks.setdefault(name, Queue()).get(timeout=PATIENCE_SECONDS)

    def change(self, name: str) -> dict[str, Any]:
        """The next change of an execution's status, as EventBridge delivers it."""
        return self._changes.setdefault(name, Queue()).get(timeout=PATIENCE_SECONDS)

    def routes(self) -> list[Route]:
        async def invoke(request: Request) -> Response:
            task = Task(await request.json())
            self._begun.append(task)
            self._tasks.setdefault(task.payload["runKey"], Queue()).put(task)
            answer = await wrap_future(task.answer)
            failed = "errorType" in (json.loads(answer) or {})
            return Response(answer, headers={"X-Amz-Function-Error": "Unhandled"} if failed else {})

        async def publish(request: Request) -> Response:
            change = await request.json()
            self._changes.setdefault(change["detail"]["name"], Queue()).put(change)
            return Response(status_code=202)

        return [
            Route("/2015-03-31/functions/{name}/invocations", invoke, methods=["POST"]),
            Route("/events", publish, methods=["POST"]),
        ]

    def close(self) -> None:
        """Answer what nobody has answered."""
        for task in self._begun:
            if not task.answer.done():
                task.answer.set_result(b"{}")


@dataclass(frozen=True)
class Cloud:
    """`stack` as it is deployed at the endpoint `url`; its authorizer takes what `issuer` signs."""

    stack: Stack
    url: str
    issuer: Issuer
    executions: Executions


@contextmanager
def deployed(**parameters: str) -> Iterator[Cloud]:
    """The template with these parameters, and this process configured like its functions."""
    executions = Executions()
    with socket.create_server((LOOPBACK, 0)) as listener:
        here = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        issuer = Issuer(f"{here}/local")
        app = Starlette(routes=[*executions.routes(), Mount("/", issuer.app())])
        variables = environment.isolated(os.environ)
        with served(app, listener), closing(executions), Emulator(here, variables) as emulator:
            stack = template.load(TEMPLATE, {"OidcIssuer": issuer.url, "OidcAudience": AUDIENCE, **parameters})
            url = emulator.url
            with configured(stack, AWS_ENDPOINT_URL=url, AWS_ENDPOINT_URL_DYNAMODB=url):
                resources.create(stack)
                yield Cloud(stack, url, issuer, executions)


@contextmanager
def served(app: ASGIApp, listener: socket.socket) -> Iterator[None]:
    """Serve an app in a thread, on a socket that listens already."""
    server = uvicorn.Server(uvicorn.Config(app, lifespan="auto", ws="none", log_config=None))
    thread = Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
