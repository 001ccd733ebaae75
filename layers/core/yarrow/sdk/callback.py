"""A remote runner's calls to its host: POST requests signed for IAM with the function's role.

No call begins or waits after the run's deadline (RNR-70); the host checks everything else.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from types import TracebackType
from typing import Any, Final, Self

import botocore.session
import httpx2
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import NoCredentialsError
from pydantic import ValidationError

from yarrow.formats import json_text
from yarrow.protocol.runner.api import AgentAPIError, AgentAPIException, ErrorCode
from yarrow.protocol.runner.callback import OCCURRENCE_HEADER, TOKEN_HEADER, StreamLine
from yarrow.protocol.runner.questions import OPEN, Question
from yarrow.protocol.runner.remote import Callback, RemoteCall, RemoteQuestion
from yarrow.protocol.runner.turn import Turn

CONNECT_SECONDS: Final = 5
ACTION_SECONDS: Final = 180
"""The longest wait for an answer or its next piece."""

_SERVICE = "execute-api"
_BY_STATUS: Final[Mapping[int, ErrorCode]] = {403: "unauthorized", 413: "payload_too_large", 429: "rate_limited"}
"""Error codes for API Gateway's own responses."""


class HttpTransport:
    """The actions of one run over one connection pool, closed with the context."""

    def __init__(self, callback: Callback, deadline_at: float | None, turn: Turn | None = None) -> None:
        session = botocore.session.get_session()
        credentials = session.get_credentials()
        if credentials is None:
            raise NoCredentialsError
        self._signer = SigV4Auth(credentials, _SERVICE, session.get_config_variable("region"))
        self._callback = callback
        self._deadline_at = deadline_at
        self._turn = turn or Turn()
        self._client = httpx2.AsyncClient(timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS))
        self._made: Counter[str] = Counter()
        """Equal calls, which the host tells apart by their number (STP-01)."""
        self.asked: list[RemoteQuestion] = []
        """The questions that wait for an answer (ASK-01)."""
        self.has_taken = False
        """Whether the runner has taken messages of the user since the host was told (RNR-87)."""
        self.calls: list[RemoteCall] = []
        """The calls that wait for the user's approval (ASK-06)."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call an action of the host and return its document. Raises AgentAPIException."""
        if action == "steps.leave":
            self._turn.end_step(arguments["step"])
            return {}
        async with self._turn.call():
            if action == "steps.wait":
                await self._turn.sleep(datetime.fromisoformat(arguments["until"]).timestamp())
                return {"until": arguments["until"]}
            document, occurrence = await self._answer(action, arguments)
            if document.get(OPEN) and action in ("steps.ask", "tools.call"):
                self._wait_for_user(action, arguments, occurrence)
                await self._turn.until_answered()
        if action == "steering.pull":
            self.has_taken |= bool(document["messages"])
        elif action == "steps.begin" and "step" in document:
            self._turn.begin_step(document["step"])
        elif action == "steps.end":
            self._turn.end_step(arguments["step"])
        return document

    def _wait_for_user(self, action: str, arguments: Mapping[str, Any], occurrence: int) -> None:
        if action == "tools.call":
            self.calls.append(RemoteCall(arguments=dict(arguments), occurrence=occurrence))
        else:
            question = Question.model_validate(arguments["question"])
            self.asked.append(RemoteQuestion(question=question, occurrence=occurrence))

    async def _answer(self, action: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        """Return the host's document, and how many equal calls were made, including this one."""
        request = self._signed(action, arguments)
        occurrence = self._made[_call(action, arguments)]
        async with self._waiting(action):
            response = await self._client.send(request)
            await _check(response)
            document: dict[str, Any] = response.json()
            return document, occurrence

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Call an action of the host and yield its documents. Raises AgentAPIException."""
        async with self._turn.call(), aclosing(self._documents(action, arguments)) as documents:
            async for document in documents:
                yield document

    async def _documents(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        request = self._signed(action, arguments)
        async with self._waiting(action):
            response = await self._client.send(request, stream=True)
        try:
            async with self._waiting(action):
                await _check(response)
            lines = response.aiter_lines()
            while True:
                async with self._waiting(action):
                    line = StreamLine.model_validate_json(await anext(lines, "{}"))
                if line.document is not None:
                    yield line.document
                elif line.complete:
                    return
                elif line.error is not None:
                    raise AgentAPIException.of(line.error)
                else:
                    raise AgentAPIException("runtime_error", "the answer was cut off", retryable=True)
        finally:
            await response.aclose()

    def _signed(self, action: str, arguments: Mapping[str, Any]) -> httpx2.Request:
        url = f"{self._callback.url}/{action}"
        try:
            call = _call(action, arguments)
            self._made[call] += 1
            body = json_text.dumps(arguments).encode()
        except (TypeError, ValueError):
            raise AgentAPIException("invalid_argument", "arguments: are not JSON") from None
        headers = {
            "Content-Type": "application/json",
            TOKEN_HEADER: self._callback.token,
            OCCURRENCE_HEADER: str(self._made[call]),
        }
        request = AWSRequest("POST", url, headers, body)
        self._signer.add_auth(request)
        return self._client.build_request("POST", url, content=body, headers=dict(request.headers.items()))

    @asynccontextmanager
    async def _waiting(self, action: str) -> AsyncIterator[None]:
        """Limit a wait to the run's time; convert errors to AgentAPIException."""
        left = ACTION_SECONDS if self._deadline_at is None else self._deadline_at - time.time()
        if left <= 0:
            raise AgentAPIException("deadline_exceeded", "the run's deadline has passed")
        try:
            async with asyncio.timeout(min(left, ACTION_SECONDS)):
                yield
        except TimeoutError:
            raise AgentAPIException("deadline_exceeded", f"{action} took too long") from None
        except (httpx2.HTTPError, ValueError) as error:
            raise AgentAPIException("runtime_error", "the host did not answer", retryable=True) from error


def _call(action: str, arguments: Mapping[str, Any]) -> str:
    """Return what equal calls have in common. Raises TypeError or ValueError for arguments that are not JSON."""
    return f"{action} {json_text.dumps(arguments)}"


async def _check(response: httpx2.Response) -> None:
    """Raise the error of the host or API Gateway, if any."""
    if response.status_code == httpx2.codes.OK:
        return
    try:
        error = AgentAPIError.model_validate_json(await response.aread())
    except ValidationError:
        status = response.status_code
        code = _BY_STATUS.get(status, "runtime_error")
        message = f"the host answered with {status}"
        error = AgentAPIError(code=code, message=message, retryable=status == 429 or status >= 500)
    raise AgentAPIException.of(error)
