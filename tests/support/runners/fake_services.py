"""The API of a run in memory: a grant, fake services that record their calls, and calls to it."""

import asyncio
import base64
import hashlib
import threading
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

from tests.support.runners.steps_in_memory import StepsInMemory
from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner import api
from yarrow.protocol.runner.api import AgentAPIError, AgentAPIException
from yarrow.protocol.runner.manifest import AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentResources
from yarrow.protocol.runner.questions import Answer
from yarrow.protocol.runner.resources import (
    ArtifactResource,
    HistoryResource,
    KnowledgeBaseResource,
    ModelResource,
    StorageResource,
    ToolResource,
)
from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.protocol.runner.turn import Turn
from yarrow.services.api.run_api import RunApi
from yarrow.services.api.services import Services
from yarrow.services.approvals import Approvals
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import StepLog
from yarrow.services.tools.registry import ToolRegistry
from yarrow.store.runner.persistent_state import StateSpace

PERMISSIONS = AgentRunnerPermissions(
    models=("invoke", "stream", "rerank"),
    tools=("detail", "call"),
    knowledge_bases=("list", "retrieve"),
    history=("page", "search"),
    events=("get", "page"),
    artifacts=("metadata", "read"),
    storage=("plugin", "workspace", "binding"),
    platform_api=("message.edit",),
)
RESOURCES = AgentResources(
    models=(ModelResource(model_id="llm"), ModelResource(model_id="ranker", model_type="rerank")),
    tools=(
        ToolResource(tool_name="echo", description="not this", parameters={"not": "this"}),
        ToolResource(tool_name="gone"),
        ToolResource(tool_name="ask", tool_type="frontend", description="Ask the user.", parameters={"type": "object"}),
    ),
    knowledge_bases=(KnowledgeBaseResource(kb_id="kb", kb_name="Classics"),),
    artifacts=(ArtifactResource(artifact_id="file"), ArtifactResource(artifact_id="expired")),
    storage=StorageResource(plugin=True, workspace=True, binding=True),
    history=HistoryResource(page=True, search=True),
)
RUNNER = "plugin:acme/demo/runner"


def grant(**changes: Any) -> RunGrant:
    """Everything there is, to a run that has a minute left."""
    whole: dict[str, Any] = {
        "run_id": "run",
        "runner_id": RUNNER,
        "binding_id": "binding",
        "user_id": "alice",
        "thread_id": "thread",
        "event_id": "event",
        "deadline_at": time.time() + 60,
        "permissions": PERMISSIONS,
        "resources": RESOURCES,
        "state_scopes": ("conversation", "actor", "subject", "runner", "binding"),
    }
    return RunGrant(**{**whole, **changes})


MESSAGES = [{"role": "user", "content": "hi"}]
_PAY = b'["steps.begin",{"name":"pay","retry":"safe"}]'
PAY = f"{hashlib.sha256(_PAY).hexdigest()[:32]}.0001"
"""The id of a run's first own step of this name."""
VALID: Mapping[str, dict[str, Any]] = {
    "models.invoke": {"model_id": "llm", "messages": MESSAGES},
    "models.stream": {"model_id": "llm", "messages": MESSAGES},
    "models.rerank": {"model_id": "ranker", "query": "q", "documents": ["a", "b"]},
    "tools.get_detail": {"tool_name": "echo"},
    "tools.call": {"tool_name": "echo", "parameters": {"text": "hi"}},
    "knowledge.list": {},
    "knowledge.retrieve": {"kb_id": "kb", "query_text": "q"},
    "history.page": {"conversation_id": "thread"},
    "history.search": {"query": "q"},
    "events.get": {"event_id": "event"},
    "events.page": {},
    "artifacts.metadata": {"artifact_id": "file"},
    "artifacts.read_range": {"artifact_id": "file"},
    "state.get": {"scope": "conversation", "key": "k"},
    "state.set": {"scope": "conversation", "key": "k", "value": {"a": 1}},
    "state.delete": {"scope": "conversation", "key": "k"},
    "state.list": {"scope": "conversation"},
    "storage.get": {"area": "plugin", "key": "k"},
    "storage.set": {"area": "plugin", "key": "k", "value": base64.b64encode(b"blob").decode()},
    "storage.delete": {"area": "plugin", "key": "k"},
    "storage.list": {"area": "plugin"},
    "platform.request_action": {"action": "message.edit"},
    "steps.begin": {"name": "pay"},
    "steps.end": {"name": "pay", "step": PAY, "number": 1, "started_at": "2026-04-05T12:34:56.789+00:00", "value": 7},
    "steps.leave": {"step": PAY},
    "steps.value": {"kind": "now"},
    "steps.sleep": {"seconds": 5},
    "steps.wait": {"until": "2026-04-05T12:34:56.789+00:00"},
    "steps.ask": {"question": {"message": "Shall I?"}},
}
"""Arguments, besides the run's id, that the grant allows."""


class _Answered(RunQuestions):
    """Questions that have their answers already: those that have none end the run."""

    async def ask(self, *_: Any, **__: Any) -> dict[str, Any]:
        return Answer(status="answered", value=True).model_dump(mode="json")


class World:
    """The services of the API. `reached` has every call that got to one: its name and what it was given.

    `text` is in whatever they answer. With `error` they raise it; while `gate` is closed they do not answer.
    """

    def __init__(self, text: str = "hi", error: Exception | None = None) -> None:
        self.text = text
        self.error = error
        self.gate = threading.Event()
        self.gate.set()
        self.reached: list[tuple[str, tuple[Any, ...]]] = []
        self._arrivals = threading.Semaphore(0)
        self.values: dict[tuple[StateSpace, str], Any] = {}
        self.blobs: dict[tuple[str, str, str], bytes] = {}
        self.approved = True
        tools = ToolRegistry()
        tools.register_tool_function(self._echo, name="echo", description="Say it again.")
        steps = StepLog("run", 1, store=StepsInMemory())
        asking = _Answered(steps)
        self.services = Services(
            models=_Models(self),
            tools=tools,
            knowledge=_Knowledge(self),
            transcript=_Transcript(self),
            event_log=_EventLog(self),
            artifacts=_Artifacts(self),
            state=_State(self),
            storage=_Storage(self),
            time_zones=TimeZones("Asia/Shanghai"),
            steps=steps,
            asking=asking,
            approvals=Approvals(steps, asking, tools),
            on_action=self._on_action,
            approves=lambda *_: self.approved,
            turn=Turn(),
        )

    def run_api(self, grant: RunGrant, caller: str = RUNNER, clock: Callable[[], float] = time.monotonic) -> RunApi:
        return RunApi(grant, caller, self.services, clock=clock)

    def note(self, name: str, *args: Any) -> None:
        """Record a call of a plain function."""
        self._arrive(name, args)
        if not self.gate.wait(10):
            raise AssertionError("nobody opened the gate")
        if self.error is not None:
            raise self.error

    async def anote(self, name: str, *args: Any) -> None:
        """Record a call of a coroutine."""
        self._arrive(name, args)
        if not self.gate.is_set():
            await asyncio.get_running_loop().create_future()
        if self.error is not None:
            raise self.error

    async def arrivals(self, count: int) -> None:
        """Wait until so many more calls have got to a service."""
        for _ in range(count):
            assert await asyncio.to_thread(self._arrivals.acquire, timeout=10)

    def _arrive(self, name: str, values: tuple[Any, ...]) -> None:
        self.reached.append((name, values))
        self._arrivals.release()

    async def _echo(self, context: ToolContext, text: str) -> str:
        await self.anote("tools.call", "echo", context)
        return text

    async def _on_action(self, request: api.PlatformRequest) -> None:
        await self.anote("platform.request_action", request.action)


class _Part:
    def __init__(self, world: World) -> None:
        self.world = world


class _Models(_Part):
    async def invoke(self, request: api.ModelRequest) -> api.ModelReply:
        await self.world.anote("models.invoke", request)
        return self._reply()

    async def stream(self, request: api.ModelRequest) -> AsyncGenerator[api.ModelChunk]:
        try:
            for piece in (self.world.text[:1], self.world.text[1:]):
                yield api.ModelChunk(content=piece)
            await self.world.anote("models.stream", request)
            yield api.ModelChunk(reply=self._reply())
        finally:
            self.world.reached.append(("models.closed", (request,)))

    async def rerank(self, request: api.RerankRequest) -> list[api.RankedDocument]:
        await self.world.anote("models.rerank", request)
        return [api.RankedDocument(index=1, relevance_score=0.5)]

    def _reply(self) -> api.ModelReply:
        return api.ModelReply(message=api.ModelMessage(role="assistant", content=self.world.text))


class _Knowledge(_Part):
    def retrieve(self, kb_id: str, query: str, top_k: int, filters: Any) -> list[api.RetrievedDocument]:
        self.world.note("knowledge.retrieve", kb_id, query, top_k, filters)
        return [api.RetrievedDocument(document_id="d", content=self.world.text, score=1.0)]


class _Transcript(_Part):
    def page(self, thread_id: str, *, path: Any, **how: Any) -> api.TranscriptPage:
        self.world.note("history.page", thread_id, how)
        return api.TranscriptPage(items=(self._item(),))

    def search(self, thread_id: str, query: str, filters: Any, top_k: int, path: Any) -> list[api.TranscriptItem]:
        self.world.note("history.search", thread_id, query, filters, top_k)
        return [self._item()]

    def _item(self) -> api.TranscriptItem:
        return api.TranscriptItem(
            item_id="i", seq=1, cursor="c", role="user", content=self.world.text, created_at="2026-04-03"
        )


class _EventLog(_Part):
    def get(self, thread_id: str, event_id: str, path: Any) -> api.EventEnvelope | None:
        self.world.note("events.get", thread_id, event_id)
        return self._envelope() if (thread_id, event_id) == ("thread", "event") else None

    def page(self, thread_id: str, before_cursor: str | None, limit: int, path: Any) -> api.EventPage:
        self.world.note("events.page", thread_id, before_cursor, limit)
        return api.EventPage(items=(self._envelope(),))

    def _envelope(self) -> api.EventEnvelope:
        return api.EventEnvelope(
            event_id="event", event_type="message.received", source="api", summary=self.world.text, cursor="c"
        )


class _Artifacts(_Part):
    CONTENT = bytes(range(256)) * 4096

    def metadata(self, artifact_id: str, thread_id: str) -> api.ArtifactMetadata | None:
        self.world.note("artifacts.metadata", artifact_id, thread_id)
        if artifact_id != "file":
            return None
        return api.ArtifactMetadata(
            artifact_id="file",
            artifact_type="file",
            mime_type="text/plain",
            name=self.world.text,
            size_bytes=len(self.CONTENT),
            created_at="2026-04-03",
        )

    def read_range(self, artifact_id: str, thread_id: str, offset: int, length: int) -> api.ArtifactRange | None:
        self.world.note("artifacts.read_range", artifact_id, thread_id, offset, length)
        if artifact_id != "file":
            return None
        data = self.CONTENT[offset : offset + length]
        return api.ArtifactRange(
            artifact_id="file",
            content_base64=base64.b64encode(data).decode(),
            offset=offset,
            length=len(data),
            has_more=offset + len(data) < len(self.CONTENT),
        )


class _State(_Part):
    def get(self, space: StateSpace, key: str) -> Any:
        self.world.note("state.get", space, key)
        return self.world.values.get((space, key))

    def set_value(self, space: StateSpace, key: str, value: Any) -> None:
        self.world.note("state.set", space, key)
        self.world.values[space, key] = value

    def delete(self, space: StateSpace, key: str) -> bool:
        self.world.note("state.delete", space, key)
        return self.world.values.pop((space, key), None) is not None

    def keys(self, space: StateSpace, prefix: str, limit: int) -> tuple[list[str], bool]:
        self.world.note("state.list", space, prefix, limit)
        return [key for of, key in self.world.values if of == space], False


class _Storage(_Part):
    def get(self, area: api.StorageArea, identity: str, key: str) -> bytes | None:
        self.world.note("storage.get", area, identity, key)
        return self.world.blobs.get((area, identity, key))

    def put(self, area: api.StorageArea, identity: str, key: str, value: bytes) -> None:
        self.world.note("storage.set", area, identity, key)
        self.world.blobs[area, identity, key] = value

    def delete(self, area: api.StorageArea, identity: str, key: str) -> None:
        self.world.note("storage.delete", area, identity, key)
        self.world.blobs.pop((area, identity, key), None)

    def keys(
        self, area: api.StorageArea, identity: str, prefix: str, after: str | None, limit: int
    ) -> tuple[list[str], str | None]:
        self.world.note("storage.list", area, identity, prefix)
        found = sorted(key for *of, key in self.world.blobs if of == [area, identity] and key > (after or ""))
        return found[:limit], found[limit - 1] if len(found) > limit else None


async def answer(run_api: RunApi, action: str, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return every document of an action's answer."""
    if action == "models.stream":
        return [document async for document in run_api.stream(action, arguments)]
    return [await run_api.call(action, arguments)]


async def refused(run_api: RunApi, action: str, arguments: Mapping[str, Any]) -> AgentAPIError:
    try:
        answered = await answer(run_api, action, arguments)
    except AgentAPIException as error:
        return error.error
    raise AssertionError(f"{action} was answered: {answered}")
