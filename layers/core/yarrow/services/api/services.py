"""The interfaces of an action and the services it calls.

The stores are the modules of `yarrow.store` with these names: blocking, run in threads. They raise AgentAPIException
only for errors the caller can fix.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner import api
from yarrow.protocol.runner.tools import TimeZones
from yarrow.protocol.runner.turn import Turn
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.services.approvals import Approvals, Decision
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import Call, StepLog
from yarrow.services.tools.registry import Tools
from yarrow.store.branches import Path
from yarrow.store.runner.persistent_state import StateSpace

if TYPE_CHECKING:
    from yarrow.services.contents import RunContents
    from yarrow.services.mcp.elicitation import Elicitations
    from yarrow.services.steps.unknown_outcomes import UnknownOutcomes


class ModelGateway(Protocol):
    """The models of one run, within its deadline and budget."""

    async def invoke(self, request: api.ModelRequest, /) -> api.ModelReply: ...

    def stream(self, request: api.ModelRequest, /) -> AsyncGenerator[api.ModelChunk]: ...

    async def rerank(self, request: api.RerankRequest, /) -> list[api.RankedDocument]: ...


class KnowledgeBases(Protocol):
    """Retrieves passages ranked by relevance."""

    def retrieve(
        self, kb_id: str, query: str, top_k: int, filters: Mapping[str, Any] | None, /
    ) -> list[api.RetrievedDocument]: ...


class Transcript(Protocol):
    """The messages of a thread, or of a path in it."""

    def page(
        self,
        thread_id: str,
        /,
        *,
        before_cursor: str | None,
        after_cursor: str | None,
        limit: int,
        direction: Literal["backward", "forward"],
        include_artifacts: bool,
        path: Path | None,
    ) -> api.TranscriptPage: ...

    def search(
        self, thread_id: str, query: str, filters: Mapping[str, Any] | None, top_k: int, path: Path | None, /
    ) -> list[api.TranscriptItem]: ...


class EventLog(Protocol):
    """The events of a thread, or of a path in it."""

    def get(self, thread_id: str, event_id: str, path: Path | None, /) -> api.EventEnvelope | None: ...

    def page(self, thread_id: str, before_cursor: str | None, limit: int, path: Path | None, /) -> api.EventPage: ...


class Artifacts(Protocol):
    """The artifacts of a thread; None if missing, expired or in another thread."""

    def metadata(self, artifact_id: str, thread_id: str, /) -> api.ArtifactMetadata | None: ...

    def read_range(self, artifact_id: str, thread_id: str, offset: int, length: int, /) -> api.ArtifactRange | None: ...


class State(Protocol):
    """JSON values by key in separate spaces."""

    def get(self, space: StateSpace, key: str, /) -> Any: ...

    def set_value(self, space: StateSpace, key: str, value: Any, /) -> None: ...

    def delete(self, space: StateSpace, key: str, /) -> bool: ...

    def keys(self, space: StateSpace, prefix: str, limit: int, /) -> tuple[list[str], bool]: ...


class Storage(Protocol):
    """Blobs by key, separate per area and identity."""

    def get(self, area: api.StorageArea, identity: str, key: str, /) -> bytes | None: ...

    def put(self, area: api.StorageArea, identity: str, key: str, value: bytes, /) -> None: ...

    def delete(self, area: api.StorageArea, identity: str, key: str, /) -> None: ...

    def keys(
        self, area: api.StorageArea, identity: str, prefix: str, after: str | None, limit: int, /
    ) -> tuple[list[str], str | None]: ...


ShowTaken = Callable[[Iterable[Mapping[str, Any]]], Awaitable[None]]
"""Shows the run's viewers messages that the runner has taken, as it gets them (RNR-87)."""


def _nothing(_grant: RunGrant, _request: api.PlatformRequest) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Services:
    """What an action may use besides the grant.

    `approves` is the approval policy for platform actions (RNR-61); `on_action` receives them and may raise
    AgentAPIException. `is_active` is None if that was checked before the call.
    """

    models: ModelGateway
    tools: Tools
    knowledge: KnowledgeBases
    transcript: Transcript
    event_log: EventLog
    artifacts: Artifacts
    state: State
    storage: Storage
    time_zones: TimeZones
    steps: StepLog
    asking: RunQuestions
    approvals: Approvals
    on_action: Callable[[api.PlatformRequest], Awaitable[None]]
    approves: Callable[[RunGrant, api.PlatformRequest], bool] = _nothing
    is_active: Callable[[], bool] | None = None
    elicitations: "Elicitations | None" = None
    """The questions of MCP servers, if the run has tools of any."""
    turn: Turn | None = None
    """The worker's turn; None if the runner is in another process, which has its own."""
    occurrence: int | None = None
    """How many equal calls a runner of another process has made, including this one."""
    step_key: str | None = None
    """The idempotency key of the action's step (STP-02)."""
    unknown: "UnknownOutcomes | None" = None
    """Asks about steps whose outcome is unknown; needs a `turn`."""
    show_taken: ShowTaken | None = None
    """Shows added messages that the runner has taken; None if the runner is in another process, whose worker does."""
    is_edited: bool = False
    """Whether the user has replaced the arguments of the tool call (ASK-06)."""
    is_early: bool = False
    """Whether the tool call was not approved, since nobody knows its tool before a sign-in."""
    contents: "RunContents | None" = None
    """Keeps what models are asked and answer, where that is wanted (STP-10)."""


_Request = TypeVar("_Request", bound=api.Arguments)


@dataclass(frozen=True, slots=True)
class Action(Generic[_Request]):
    """A handler and its check.

    `check` raises AgentAPIException `unauthorized`, or `not_found` for a resource that is not granted.
    """

    check: Callable[[RunGrant, _Request], None]
    answer: Callable[[RunGrant, Services, _Request], Awaitable[BaseModel | dict[str, Any]]]
    retry: Callable[[Services, _Request], Retry] | None = None
    """What may be done if the step's outcome is unknown (STP-01); None for actions that are not steps."""
    subject: Callable[[_Request], str] | None = None
    """What stored subject the action reads or, as a step, changes."""
    decide: Callable[[RunGrant, Services, _Request, Call | None], Awaitable[Decision]] | None = None
    """Decides, before the step begins, whether it is made."""
    settle: Callable[[RunGrant, Services, _Request, Call, dict[str, Any]], Awaitable[dict[str, Any]]] | None = None
    """Goes on with a step's document where that is not the last word."""
    shows: Callable[[Mapping[str, Any]], Iterable[str]] | None = None
    """The ids of artifacts in a document, of this worker or an earlier one, which the run may read from then on."""


@dataclass(frozen=True, slots=True)
class StreamAction(Generic[_Request]):
    """An action answered with a stream of documents; always a step."""

    check: Callable[[RunGrant, _Request], None]
    answer: Callable[[RunGrant, Services, _Request], AsyncGenerator[BaseModel]]


def safe(_services: Services, _request: api.Arguments) -> Retry:
    """Return the `retry` of a step that may be repeated freely."""
    return "safe"
