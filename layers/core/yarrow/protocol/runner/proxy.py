"""A runner's client for its host: `api.models.invoke(…)`.

Source: `agent-runner.md` §7. The host checks every call (RNR-51).
"""

import base64
import hashlib
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from datetime import datetime
from random import Random
from typing import Any, Literal, NamedTuple, Protocol
from uuid import UUID

from yarrow.protocol.runner import api
from yarrow.protocol.runner.own_steps import BegunStep, OwnSteps
from yarrow.protocol.runner.own_steps import StepFailedError as StepFailedError
from yarrow.protocol.runner.questions import DEFAULT_EXPIRY, Answer, Option, Question
from yarrow.protocol.runner.streams import ApiStream
from yarrow.protocol.runner.vocabulary import MAX_ADDED, PROVIDER, OnExpiry, QuestionKind, Retry


class ApiTransport(Protocol):
    """Calls actions of the host; raises AgentAPIException."""

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call an action that answers with one document."""
        ...

    def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """Call an action that answers with many documents."""
        ...


class _Namespace:
    def __init__(self, run_id: str, transport: ApiTransport) -> None:
        self._run_id = run_id
        self._transport = transport

    async def _call(self, action: str, /, **arguments: Any) -> dict[str, Any]:
        return await self._transport.call(action, self._with_run(arguments))

    def _with_run(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {"run_id": self._run_id, **arguments}


def _documents(documents: Iterable[Any] | None) -> list[Any] | None:
    if documents is None:
        return None
    return [
        document if isinstance(document, dict) else document.model_dump(mode="json", exclude_none=True)
        for document in documents
    ]


def _model_arguments(
    model_id: str,
    messages: Iterable[Any],
    tools: Iterable[Any] | None,
    extra_args: dict[str, Any] | None,
    part: str | None,
) -> dict[str, Any]:
    arguments = {
        "model_id": model_id,
        "messages": _documents(messages),
        "tools": _documents(tools),
        "extra_args": extra_args,
    }
    return arguments if part is None else {**arguments, "part": part}


class Models(_Namespace):
    """Calls of models (RNR-52)."""

    async def invoke(
        self,
        model_id: str,
        messages: Iterable[api.ModelMessage | dict[str, Any]],
        tools: Iterable[api.ModelTool | dict[str, Any]] | None = None,
        extra_args: dict[str, Any] | None = None,
        part: str | None = None,
    ) -> api.ModelReply:
        """Call a model. `extra_args`: `temperature`, `top_p`, `max_tokens`, `response_schema` (a JSON schema).

        Equal calls are told apart by their order, which must be that of a rerun; those of each `part`, such as a node
        of a graph, by their order in it.
        """
        arguments = _model_arguments(model_id, messages, tools, extra_args, part)
        return api.ModelReply.model_validate(await self._call("models.invoke", **arguments))

    def stream(
        self,
        model_id: str,
        messages: Iterable[api.ModelMessage | dict[str, Any]],
        tools: Iterable[api.ModelTool | dict[str, Any]] | None = None,
        extra_args: dict[str, Any] | None = None,
        part: str | None = None,
    ) -> ApiStream[api.ModelChunk]:
        """Stream a model's reply; the last chunk has all of it. `part` is as for `invoke`."""
        return ApiStream(self._chunks(_model_arguments(model_id, messages, tools, extra_args, part)))

    async def _chunks(self, arguments: dict[str, Any]) -> AsyncGenerator[api.ModelChunk]:
        chunks = self._transport.stream("models.stream", self._with_run(arguments))
        try:
            async for chunk in chunks:
                yield api.ModelChunk.model_validate(chunk)
        finally:
            await chunks.aclose()

    async def rerank(
        self, model_id: str, query: str, documents: Iterable[str], top_k: int | None = None
    ) -> list[api.RankedDocument]:
        """Rank documents, best first."""
        answer = await self._call(
            "models.rerank", model_id=model_id, query=query, documents=list(documents), top_k=top_k
        )
        return [api.RankedDocument.model_validate(document) for document in answer["results"]]


class ToolAnswer(NamedTuple):
    """A tool's result, its card for the client, and the arguments that it got if the user has replaced the call's.

    `contents` is the result as the content of a ModelMessage if it has pictures, which the run may read. `detail` is
    what the tool turned out to be, if that was not known before the user signed in to its MCP server: offer it so.
    """

    result: Any
    card: dict[str, Any] | None = None
    edited_arguments: dict[str, Any] | None = None
    contents: tuple[dict[str, Any], ...] = ()
    detail: api.ToolDetail | None = None

    @property
    def shown(self) -> list[dict[str, Any]]:
        """`contents` as AG-UI's parts, for the `content` of `tool.call.completed`."""
        return shown_contents(self.contents)


def shown_contents(contents: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the content of a ModelMessage as AG-UI's parts: its texts, then its pictures by their handles."""
    listed = [*contents]
    sources = (
        {"type": "file", "value": part["artifact_id"], "provider": PROVIDER, "mimeType": part["mime_type"]}
        for part in listed
        if part["type"] == "artifact"
    )
    texts = [dict(part) for part in listed if part["type"] == "text"]
    return [*texts, *({"type": "image", "source": source} for source in sources)]


class Tools(_Namespace):
    """Calls of tools (RNR-53)."""

    async def get_detail(self, tool_name: str) -> api.ToolDetail:
        return api.ToolDetail.model_validate(await self._call("tools.get_detail", tool_name=tool_name))

    async def call(self, tool_name: str, parameters: dict[str, Any]) -> Any:
        """Run a tool on the host; returns JSON.

        If the user has to approve the call, their answer may come days later, as with `ask`; if they refuse, that is
        the result: `{"approved": false, "message": …}`.
        """
        return (await self._call("tools.call", tool_name=tool_name, parameters=parameters))["result"]

    async def call_with_card(self, tool_name: str, parameters: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
        """Run a tool as `call` does; also returns its card for the client, for `ui_hints` (UIS-04)."""
        answer = await self.answer(tool_name, parameters)
        return answer.result, answer.card

    async def answer(self, tool_name: str, parameters: dict[str, Any]) -> ToolAnswer:
        """Run a tool as `call` does; also returns its card, its pictures, and the arguments that the user put in place
        of these.
        """
        answer = await self._call("tools.call", tool_name=tool_name, parameters=parameters, with_card=True)
        contents = tuple(answer.get("contents", ()))
        detail = None if "detail" not in answer else api.ToolDetail.model_validate(answer["detail"])
        return ToolAnswer(answer["result"], answer.get("card"), answer.get("edited_arguments"), contents, detail)


class Knowledge(_Namespace):
    """Searches of knowledge bases (RNR-54)."""

    async def retrieve(
        self, kb_id: str, query_text: str, top_k: int = 5, filters: dict[str, Any] | None = None
    ) -> list[api.RetrievedDocument]:
        """Find documents, closest first."""
        answer = await self._call(
            "knowledge.retrieve", kb_id=kb_id, query_text=query_text, top_k=top_k, filters=filters
        )
        return [api.RetrievedDocument.model_validate(document) for document in answer["results"]]

    async def list(self) -> list[dict[str, Any]]:
        """List the `kb_id` and `kb_name` of each base."""
        found: list[dict[str, Any]] = (await self._call("knowledge.list"))["knowledge_bases"]
        return found


class History(_Namespace):
    """Reads of the conversation (RNR-55 … RNR-57)."""

    async def page(
        self,
        conversation_id: str | None = None,
        before_cursor: str | None = None,
        after_cursor: str | None = None,
        limit: int = 50,
        direction: Literal["backward", "forward"] = "backward",
        include_artifacts: bool = False,
    ) -> api.TranscriptPage:
        """Read a page, by default backward from the end."""
        arguments = {
            "conversation_id": conversation_id,
            "before_cursor": before_cursor,
            "after_cursor": after_cursor,
            "limit": limit,
            "direction": direction,
            "include_artifacts": include_artifacts,
        }
        return api.TranscriptPage.model_validate(await self._call("history.page", **arguments))

    async def search(
        self, query: str, filters: dict[str, Any] | None = None, top_k: int = 10
    ) -> list[api.TranscriptItem]:
        answer = await self._call("history.search", query=query, filters=filters, top_k=top_k)
        return [api.TranscriptItem.model_validate(item) for item in answer["items"]]


class Events(_Namespace):
    """Reads of the event log (RNR-58)."""

    async def get(self, event_id: str) -> api.EventEnvelope:
        return api.EventEnvelope.model_validate(await self._call("events.get", event_id=event_id))

    async def page(self, before_cursor: str | None = None, limit: int = 50) -> api.EventPage:
        """Read a page, latest first."""
        return api.EventPage.model_validate(await self._call("events.page", before_cursor=before_cursor, limit=limit))


class Artifacts(_Namespace):
    """Reads of artifacts (RNR-59)."""

    def __init__(self, run_id: str, transport: ApiTransport) -> None:
        super().__init__(run_id, transport)
        self._ids: dict[bytes, str] = {}

    async def metadata(self, artifact_id: str) -> api.ArtifactMetadata:
        return api.ArtifactMetadata.model_validate(await self._call("artifacts.metadata", artifact_id=artifact_id))

    async def read_range(self, artifact_id: str, offset: int = 0, length: int = 65_536) -> bytes:
        """Read bytes; fewer at the end."""
        return base64.b64decode((await self._read(artifact_id, offset, length)).content_base64)

    def open_stream(self, artifact_id: str, length: int = 65_536) -> ApiStream[bytes]:
        """Read an artifact, `length` bytes at a time."""
        return ApiStream(self._parts(artifact_id, length))

    async def _parts(self, artifact_id: str, length: int) -> AsyncGenerator[bytes]:
        offset, has_more, digest = 0, True, hashlib.sha256()
        while has_more:
            part = await self._read(artifact_id, offset, length)
            content = base64.b64decode(part.content_base64)
            digest.update(content)
            yield content
            offset, has_more = offset + part.length, part.has_more
        self._ids[digest.digest()] = artifact_id

    def id_of(self, content: bytes) -> str | None:
        """Return the id of an artifact with this content that the runner has read to its end by `open_stream`."""
        return self._ids.get(hashlib.sha256(content).digest())

    async def _read(self, artifact_id: str, offset: int, length: int) -> api.ArtifactRange:
        answer = await self._call("artifacts.read_range", artifact_id=artifact_id, offset=offset, length=length)
        return api.ArtifactRange.model_validate(answer)


class State(_Namespace):
    """JSON values (RNR-60)."""

    async def get(self, scope: api.StateScope, key: str) -> Any:
        """Read a value, None if it is missing."""
        return (await self._call("state.get", scope=scope, key=key))["value"]

    async def set(self, scope: api.StateScope, key: str, value: Any) -> None:
        """Store a value immediately."""
        await self._call("state.set", scope=scope, key=key, value=value)

    async def delete(self, scope: api.StateScope, key: str) -> bool:
        """Delete a value; returns False if it is missing."""
        deleted: bool = (await self._call("state.delete", scope=scope, key=key))["success"]
        return deleted


class Storage(_Namespace):
    """Blobs (RNR-60)."""

    async def get(self, area: api.StorageArea, key: str) -> bytes | None:
        """Read a blob, None if it is missing."""
        value = (await self._call("storage.get", area=area, key=key))["value"]
        return None if value is None else base64.b64decode(value)

    async def set(self, area: api.StorageArea, key: str, value: bytes) -> None:
        await self._call("storage.set", area=area, key=key, value=base64.b64encode(value).decode())

    async def delete(self, area: api.StorageArea, key: str) -> None:
        await self._call("storage.delete", area=area, key=key)

    async def list(self, area: api.StorageArea, prefix: str | None = None) -> list[str]:
        """List all keys, sorted."""
        page = await self.page(area, prefix)
        keys = [*page.keys]
        while page.next_cursor is not None:
            page = await self.page(area, prefix, page.next_cursor)
            keys += page.keys
        return sorted(keys)

    async def page(
        self, area: api.StorageArea, prefix: str | None = None, cursor: str | None = None, limit: int = 1_000
    ) -> api.StoragePage:
        answer = await self._call("storage.list", area=area, prefix=prefix, cursor=cursor, limit=limit)
        return api.StoragePage.model_validate(answer)


class Platform(_Namespace):
    """Requests of platform actions, which manifest, binding and approval must allow (RNR-61)."""

    async def request_action(self, action: str, target: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
        return await self._call("platform.request_action", action=action, target=target, payload=payload)


class Steering(_Namespace):
    """Messages that the user adds while the run goes on (RNR-87)."""

    async def pull(self, limit: int = MAX_ADDED) -> list[api.AddedMessage]:
        """Take the messages that have come since the last pull, in order, `limit` at most; none if there are none.

        It is a step: a rerun gets the same messages. Pull between two answers of a model, and before you end. Raises
        AgentAPIException `unauthorized` for a runner whose manifest has no `steering`.
        """
        answer = await self._call("steering.pull", limit=limit)
        return [api.AddedMessage.model_validate(message) for message in answer["messages"]]


class AgentRunAPIProxy:
    """The API of a run. `run_id` and `transport` are for adapters of other SDKs."""

    def __init__(self, run_id: str, transport: ApiTransport) -> None:
        self.run_id = run_id
        self.transport = transport
        self.models = Models(run_id, transport)
        self.tools = Tools(run_id, transport)
        self.knowledge = Knowledge(run_id, transport)
        self.history = History(run_id, transport)
        self.events = Events(run_id, transport)
        self.artifacts = Artifacts(run_id, transport)
        self.state = State(run_id, transport)
        self.storage = Storage(run_id, transport)
        self.platform = Platform(run_id, transport)
        self.steering = Steering(run_id, transport)
        self._steps = OwnSteps(_Namespace(run_id, transport)._call)

    async def step(self, name: str, fn: Callable[..., Any], *, retry: Retry = "safe", arguments: Any = None) -> Any:
        """Call `fn` and store its result; a later worker gets the stored one (STP-01).

        `fn` takes nothing, or the parameters `key`, an idempotency key for what it calls, and `attempt`, the number of
        the run's worker: after 1, an earlier one may have called it. It may be async; it returns JSON. If a worker dies
        in it, `retry` says what the next one does: call it again (`safe`), with the same key (`keyed`), or fail the run
        (`never`). `arguments` is JSON: a rerun that comes with others makes another step.
        Raises StepFailedError for what `fn` raises.
        """
        return await self._steps.step(name, fn, retry, arguments)

    async def begin_step(self, name: str, *, retry: Retry = "safe", arguments: Any = None) -> BegunStep:
        """Begin a step, which whoever gets it ends or leaves; see `step`."""
        return await self._steps.begin(name, retry, arguments)

    async def ask(
        self,
        message: str,
        kind: QuestionKind = "confirmation",
        *,
        options: Iterable[str | Option | Mapping[str, Any]] = (),
        response_schema: Mapping[str, Any] | None = None,
        expires_in: int = DEFAULT_EXPIRY,
        on_expiry: OnExpiry = "stop",
        fallback_text: str | None = None,
        tool_call_id: str | None = None,
    ) -> Answer:
        """Ask the run's user and return the answer, which may come days later and from another device (ASK-01).

        Nothing waits meanwhile: the run ends, and the answer starts another one that runs this runner again from the
        start. Calls of `api` that had ended give the same results, so the runner comes here again and gets the answer.
        Ask several at once with `asyncio.gather`. `options` are those of a `choice`, `response_schema` is the JSON
        schema of a `form`'s object. After `expires_in` seconds the answer can only be `expired`: the run goes on with
        it by itself if `on_expiry` is `continue`, else when the user cancels the question. `fallback_text` is what
        clients show that only show text, in place of the message. `tool_call_id` is the call, as `tool.call.started`
        names it, that the question is about.
        """
        question = Question(
            message=message,
            kind=kind,
            options=tuple(
                Option(value=option) if isinstance(option, str) else Option.model_validate(option) for option in options
            ),
            response_schema=None if response_schema is None else dict(response_schema),
            expires_in=expires_in,
            on_expiry=on_expiry,
            fallback_text=fallback_text,
            tool_call_id=tool_call_id,
        )
        document = question.model_dump(mode="json", exclude_none=True)
        arguments = {"run_id": self.run_id, "question": document}
        return Answer.model_validate(await self.transport.call("steps.ask", arguments))

    async def now(self) -> datetime:
        """Return the time in UTC; the same when a worker that takes over runs the runner again (STP-04)."""
        return datetime.fromisoformat(await self._steps.value("now"))

    async def random(self) -> float:
        """Return a number of at least 0 and below 1; the same when the runner is run again."""
        return Random(await self._steps.drawn()).random()  # noqa: S311 (of a seed of the host)

    async def sleep(self, until: datetime | None = None, *, seconds: float | None = None) -> None:
        """Sleep until a time, or for some seconds; a rerun sleeps no longer (STP-04).

        A sleep of more than seconds ends the worker's turn: the run costs nothing until it wakes, when the runner is
        run from the start. Make `until` of `now`. Raises AgentAPIException `deadline_exceeded` if the run would end
        before.
        """
        await self._steps.sleep(until, seconds)

    async def uuid(self) -> UUID:
        """Return a random UUID; the same when the runner is run again."""
        return UUID(bytes=hashlib.sha256((await self._steps.drawn()).encode()).digest()[:16], version=4)
