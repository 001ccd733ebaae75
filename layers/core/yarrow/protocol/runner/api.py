"""Actions a runner may call on its host (`agent-runner.md` §7, §8)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from yarrow.protocol.runner.api_error import AgentAPIError as AgentAPIError
from yarrow.protocol.runner.errors import AgentAPIException as AgentAPIException
from yarrow.protocol.runner.names import StateKey as StateKey
from yarrow.protocol.runner.names import StatePrefix, StorageKey, StoragePrefix
from yarrow.protocol.runner.questions import Question
from yarrow.protocol.runner.vocabulary import MAX_ADDED
from yarrow.protocol.runner.vocabulary import ErrorCode as ErrorCode
from yarrow.protocol.runner.vocabulary import Retry as Retry
from yarrow.protocol.runner.vocabulary import StateScope as StateScope
from yarrow.protocol.runner.vocabulary import StorageArea as StorageArea

Id = Annotated[str, StringConstraints(min_length=1, max_length=512)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


# ---- Models ----------------------------------------------------------------------------------------------------------
class FunctionCall(_Shape):
    """`arguments` is JSON text of the model."""

    name: str
    arguments: str


class ModelToolCall(_Shape):
    id: str
    type: Literal["function"] = "function"
    function: FunctionCall


class ModelReasoning(_Shape):
    """What a model thought before it went on.

    `encrypted_value` is opaque; with it, the model that made it gets its own reasoning back, and no other model. Of
    reasoning that was made elsewhere, with another value or None, models get the text.
    """

    content: str = ""
    encrypted_value: str | None = None


class ModelMessage(_Shape):
    """`content` is text, or parts: `{"type": "text", "text"}` and, in a message of a user or a tool, pictures:
    `{"type": "artifact", "artifact_id"}` for one the run may read, `{"type": "image_url", "image_url": {"url"}}`.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str | tuple[dict[str, Any], ...] | None = None
    name: str | None = None
    tool_calls: tuple[ModelToolCall, ...] = ()
    tool_call_id: str | None = None
    reasoning: Annotated[tuple[ModelReasoning, ...], Field(exclude_if=lambda reasoning: not reasoning)] = ()


class ModelTool(_Shape):
    """`parameters` is a JSON schema."""

    name: Id
    description: str | None = None
    parameters: dict[str, Any] = {}


class ModelUsage(_Shape):
    """Tokens of one answer. `cached_input_tokens` and `cache_write_tokens` are parts of the input, `reasoning_tokens`
    of the output; None is unknown.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: Annotated[int | None, Field(exclude_if=lambda count: count is None)] = None
    cache_write_tokens: Annotated[int | None, Field(exclude_if=lambda count: count is None)] = None
    reasoning_tokens: Annotated[int | None, Field(exclude_if=lambda count: count is None)] = None


FinishReason = Literal["stop", "length", "content_filter", "refusal", "tool_call"]
"""`length`: the answer is cut off; `content_filter`: withheld or cut off; `refusal`: the text says so."""


class ModelReply(_Shape):
    """`scripted`: no model was configured, and a script answered."""

    message: ModelMessage
    finish_reason: FinishReason = "stop"
    usage: ModelUsage = ModelUsage()
    scripted: bool = False


class ModelChunk(_Shape):
    """Append `content` and `reasoning`, of which `reasoned` is the whole. The last chunk has the whole reply.

    `scripted`: the content is the script's, as no model was configured.
    """

    content: str | None = None
    reasoning: str | None = None
    reasoned: ModelReasoning | None = None
    reply: ModelReply | None = None
    scripted: bool = False


class RankedDocument(_Shape):
    """`index` is that in the request; a higher score is more relevant."""

    index: int
    relevance_score: float


# ---- What the host keeps ---------------------------------------------------------------------------------------------
class TranscriptItem(_Shape):
    """A message without raw payload (RNR-57)."""

    item_id: str
    seq: int
    cursor: str
    role: str
    content: str
    created_at: str
    artifacts: tuple[dict[str, Any], ...] = ()
    event_id: str | None = None
    """The event it came with or answers; None for old messages."""
    name: Annotated[str | None, Field(exclude_if=lambda name: name is None)] = None
    """The name of another agent's assistant message, as a client sent it."""


class TranscriptPage(_Shape):
    """A page in conversation order; cursors are opaque (RNR-22)."""

    items: tuple[TranscriptItem, ...]
    next_cursor: str | None = None
    prev_cursor: str | None = None
    has_more: bool = False


class EventEnvelope(_Shape):
    """A summary and a reference instead of the payload (RNR-58)."""

    event_id: str
    event_type: str
    event_time: int | None = None
    source: str
    conversation_id: str | None = None
    actor_type: str | None = None
    actor_id: str | None = None
    summary: str = ""
    cursor: str
    raw_ref: dict[str, Any] | None = None


class EventPage(_Shape):
    """A page of events, latest first."""

    items: tuple[EventEnvelope, ...]
    next_cursor: str | None = None
    has_more: bool = False


class ArtifactMetadata(_Shape):
    """`expires_at` is in seconds since the epoch."""

    artifact_id: str
    artifact_type: str
    mime_type: str
    name: str | None = None
    size_bytes: int
    created_at: str
    expires_at: int | None = None
    metadata: dict[str, Any] = {}


class ArtifactRange(_Shape):
    artifact_id: str
    content_base64: str
    offset: int
    length: int
    has_more: bool


class StoragePage(_Shape):
    """A page of keys, ordered within the page."""

    keys: tuple[str, ...]
    has_more: bool = False
    next_cursor: str | None = None


class RetrievedDocument(_Shape):
    """A higher score is closer."""

    document_id: str
    content: str
    score: float
    metadata: dict[str, Any] = {}


class AddedMessage(_Shape):
    """A message that the user has added to the run; `place` counts those of the run from 1, `sent_at` is in UTC."""

    id: str
    content: str
    place: int
    sent_at: str


class ToolDetail(_Shape):
    """`parameters` is a JSON schema."""

    tool_name: str
    description: str
    parameters: dict[str, Any]


# ---- Arguments -------------------------------------------------------------------------------------------------------
class Arguments(BaseModel):
    """The arguments of every action (RNR-50)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run_id: Id


class ModelRequest(Arguments):
    """`part` names the part of the runner that asks, such as a node of a graph; no model gets it.

    Equal requests of two parts are two steps. A rerun that has kept what a part made need not make its requests again.
    """

    model_id: Id
    messages: Annotated[tuple[ModelMessage, ...], Field(min_length=1, max_length=500)]
    tools: tuple[ModelTool, ...] | None = None
    extra_args: dict[str, Any] | None = None
    part: Id | None = Field(default=None, exclude_if=lambda part: part is None)


class RerankRequest(Arguments):
    model_id: Id
    query: Annotated[str, StringConstraints(min_length=1, max_length=8_000)]
    documents: Annotated[tuple[str, ...], Field(min_length=1, max_length=500)]
    top_k: Annotated[int, Field(ge=1, le=500)] | None = None


class ToolDetailRequest(Arguments):
    tool_name: Id


class ToolCallRequest(Arguments):
    """`with_card`: the answer has the tool's card for the client, if any, as `card`."""

    tool_name: Id
    parameters: dict[str, Any] = {}
    with_card: bool = False


class KnowledgeListRequest(Arguments):
    pass


class KnowledgeRequest(Arguments):
    kb_id: Id
    query_text: Annotated[str, StringConstraints(min_length=1, max_length=8_000)]
    top_k: Annotated[int, Field(ge=1, le=50)] = 5
    filters: dict[str, Any] | None = None


class HistoryPageRequest(Arguments):
    """`limit` is capped at 100."""

    conversation_id: Id | None = None
    before_cursor: Id | None = None
    after_cursor: Id | None = None
    limit: Annotated[int, Field(ge=1)] = 50
    direction: Literal["backward", "forward"] = "backward"
    include_artifacts: bool = False


class HistorySearchRequest(Arguments):
    query: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    filters: dict[str, Any] | None = None
    top_k: Annotated[int, Field(ge=1, le=100)] = 10


class EventRequest(Arguments):
    event_id: Id


class EventPageRequest(Arguments):
    before_cursor: Id | None = None
    limit: Annotated[int, Field(ge=1)] = 50


class ArtifactRequest(Arguments):
    artifact_id: Id


class ArtifactRangeRequest(ArtifactRequest):
    offset: Annotated[int, Field(ge=0)] = 0
    length: Annotated[int, Field(ge=1)] = 65_536


class StateRequest(Arguments):
    scope: StateScope
    key: StateKey


class StateSetRequest(StateRequest):
    value: Any


class StateListRequest(Arguments):
    scope: StateScope
    prefix: StatePrefix = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 100


class StorageRequest(Arguments):
    area: StorageArea
    key: StorageKey


class StorageSetRequest(StorageRequest):
    """`value` is base64."""

    value: str


class StorageListRequest(Arguments):
    area: StorageArea
    prefix: StoragePrefix | None = None
    cursor: Annotated[str, StringConstraints(min_length=1, max_length=4_096)] | None = None
    limit: Annotated[int, Field(ge=1, le=1_000)] = 1_000


class PlatformRequest(Arguments):
    action: Id
    target: dict[str, Any] = {}
    payload: dict[str, Any] = {}


class StepBeginRequest(Arguments):
    """A step of the runner's own, by its name; equal names are told apart by their order.

    `arguments` is a digest of what the step is made with: other arguments are another step.
    """

    name: Id
    retry: Retry = "safe"
    arguments: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")] | None = Field(
        default=None, exclude_if=lambda digest: digest is None
    )


class StepEndRequest(StepBeginRequest):
    """`step`, `number` and `started_at` as `steps.begin` answered; `value` is any JSON, `error` why there is none."""

    step: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}\.[0-9]{4}$")]
    number: Annotated[int, Field(ge=1)]
    started_at: AwareDatetime
    value: Any = None
    error: Annotated[str, StringConstraints(min_length=1, max_length=2_000)] | None = None


class StepLeaveRequest(Arguments):
    """The runner was cancelled in a step of its own: nothing is stored, and a rerun makes it again."""

    step: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}\.[0-9]{4}$")]


class StepValueRequest(Arguments):
    """`now`: the time in UTC; `seed`: 32 random bytes in hexadecimal."""

    kind: Literal["now", "seed"]


class StepSleepRequest(Arguments):
    """Sleep until a time, or for some seconds."""

    until: AwareDatetime | None = None
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if (self.until is None) == (self.seconds is None):
            raise ValueError("either until or seconds")
        return self


class StepWaitRequest(Arguments):
    """`until` as `steps.sleep` answered. A remote runner waits in its own process."""

    until: AwareDatetime


class SteeringPullRequest(Arguments):
    """Messages that the user has added to the run and the runner has not pulled, `limit` at most, in order."""

    limit: Annotated[int, Field(ge=1, le=MAX_ADDED)] = MAX_ADDED


class AskRequest(Arguments):
    """A question to the run's user; equal ones are told apart by their order."""

    question: Question


ACTIONS: Final[Mapping[str, type[Arguments]]] = {
    "models.invoke": ModelRequest,
    "models.stream": ModelRequest,
    "models.rerank": RerankRequest,
    "tools.get_detail": ToolDetailRequest,
    "tools.call": ToolCallRequest,
    "knowledge.list": KnowledgeListRequest,
    "knowledge.retrieve": KnowledgeRequest,
    "history.page": HistoryPageRequest,
    "history.search": HistorySearchRequest,
    "events.get": EventRequest,
    "events.page": EventPageRequest,
    "artifacts.metadata": ArtifactRequest,
    "artifacts.read_range": ArtifactRangeRequest,
    "state.get": StateRequest,
    "state.set": StateSetRequest,
    "state.delete": StateRequest,
    "state.list": StateListRequest,
    "storage.get": StorageRequest,
    "storage.set": StorageSetRequest,
    "storage.delete": StorageRequest,
    "storage.list": StorageListRequest,
    "platform.request_action": PlatformRequest,
    "steps.begin": StepBeginRequest,
    "steps.end": StepEndRequest,
    "steps.leave": StepLeaveRequest,
    "steps.value": StepValueRequest,
    "steps.sleep": StepSleepRequest,
    "steps.wait": StepWaitRequest,
    "steps.ask": AskRequest,
    "steering.pull": SteeringPullRequest,
}
"""All actions. `models.stream` answers with ModelChunk documents, every other one with one document:

- `models.invoke`: ModelReply
- `models.rerank`: `{"results": [RankedDocument, …]}`
- `tools.get_detail`: ToolDetail
- `tools.call`: `{"result": …}`, with `card` if one is asked for and there is one, and with `contents`, the same as
  parts of a ModelMessage, if it has pictures; with `detail`, a ToolDetail, if the tool was not known before the call
- `knowledge.list`: `{"knowledge_bases": [{"kb_id", "kb_name"}, …]}`
- `knowledge.retrieve`: `{"results": [RetrievedDocument, …]}`
- `history.page`: TranscriptPage
- `history.search`: `{"items": [TranscriptItem, …], "query", "total_count"}`
- `events.get`: EventEnvelope
- `events.page`: EventPage
- `artifacts.metadata`: ArtifactMetadata
- `artifacts.read_range`: ArtifactRange
- `state.get`: `{"value": …}`, null if missing
- `state.set`, `storage.set`, `storage.delete`: `{"success": true}`
- `state.delete`: `{"success": …}`, false if missing
- `state.list`: `{"keys": […], "has_more"}`
- `storage.get`: `{"value": base64 or null}`
- `storage.list`: StoragePage
- `platform.request_action`: `{"status": "requested"}`
- `steps.begin`: `{"step", "key", "number", "started_at", "attempt"}`; if an earlier worker ended it, as `steps.end`
- `steps.end`: `{"value": …}` or `{"error": …}`, of the worker that ended it first
- `steps.leave`: `{}`
- `steps.value`: `{"value": …}`
- `steps.sleep`: `{"until": …}`, of the first worker
- `steps.wait`: `{"until": …}`, once it is that time
- `steps.ask`: Answer; a runner of another process gets `{"unanswered": true}` while there is none, and stops
- `steering.pull`: `{"messages": [AddedMessage, …]}`
"""
