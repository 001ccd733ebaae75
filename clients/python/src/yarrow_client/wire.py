"""Types of the service's documents; `GET /openapi.json` describes them in full."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Accepted(TypedDict):
    """The response to a submit."""

    taskId: str
    threadId: str
    runId: str
    created: bool


Outcome: TypeAlias = Literal["came_true", "partly", "did_not"]


class AddedMessage(TypedDict):
    """A message that was added to a run; `place` counts those of the run from 1."""

    threadId: str
    runId: str
    id: str
    place: int


class AgentItem(TypedDict):
    """An agent. `input` names the rules of its input if a message alone does not do.

    `isSteerable`: it takes messages that are added to a run that goes on.
    """

    name: str
    label: str
    modes: list[str]
    surfaces: list[str]
    isDefault: bool
    isSteerable: bool
    input: NotRequired[str]
    taskName: NotRequired[str]


class Agents(TypedDict):
    """The agents that the user may use."""

    agents: list[AgentItem]


class UsageItem(TypedDict):
    """What runs of an agent that ended on a day used of a model. `runs` has each run once."""

    day: str
    agent: str
    runs: int
    model: NotRequired[str]
    provider: NotRequired[str]
    userId: NotRequired[str]
    inputTokens: NotRequired[int]
    outputTokens: NotRequired[int]
    reasoningTokens: NotRequired[int]
    cachedInputTokens: NotRequired[int]
    cacheWriteInputTokens: NotRequired[int]
    cost: NotRequired[float]


class RecognisedSpeech(TypedDict):
    """The speech that was recognised on a day."""

    day: str
    seconds: int


class LimitsLeft(TypedDict, total=False):
    """What the user may still use; a limit that the deployment does not have is absent."""

    tokensToday: int
    speechSecondsToday: int
    runsThisMinute: int


class Usage(TypedDict):
    """A page of usage; `next` is the `after` of the next one."""

    days: list[UsageItem]
    hasMore: bool
    speech: NotRequired[list[RecognisedSpeech]]
    left: NotRequired[LimitsLeft]
    currency: NotRequired[str]
    next: NotRequired[str]


class Capabilities(TypedDict, total=False):
    """What an agent can do, by AG-UI's categories; what is left out is unknown."""

    identity: dict[str, Any]
    transport: dict[str, bool]
    tools: dict[str, Any]
    output: dict[str, Any]
    state: dict[str, bool]
    multiAgent: dict[str, Any]
    reasoning: dict[str, bool]
    multimodal: dict[str, dict[str, bool]]
    execution: dict[str, Any]
    humanInTheLoop: dict[str, bool]
    custom: dict[str, Any]


class Interrupt(TypedDict):
    """An open question of a run."""

    id: str
    threadId: str
    runId: str
    agent: str
    message: str
    kind: Literal["confirmation", "choice", "form", "text"]
    responseSchema: dict[str, Any]
    metadata: NotRequired[dict[str, Any]]
    toolCallId: NotRequired[str]
    expiresAt: str
    createdAt: str


class Interrupts(TypedDict):
    """A page of open questions, newest first; `next` continues after it."""

    interrupts: list[Interrupt]
    hasMore: bool
    next: NotRequired[str]


class SessionOutcome(TypedDict):
    """How the reading of a session turned out."""

    threadId: str
    runId: str | None
    outcome: Outcome
    note: str | None
    recordedAt: str


class Record(TypedDict):
    """The counts of a user's outcomes; `rate` is the share that came true."""

    cameTrue: int
    partly: int
    didNot: int
    rate: float


class Message(TypedDict):
    """A message of a session; an answer to a cast has `agent_output`, one in a list the session's `outcome`."""

    id: str
    role: Literal["user", "assistant"]
    content: str
    timestamp: NotRequired[str]
    threadId: NotRequired[str]
    agent_output: NotRequired[dict[str, Any] | None]
    outcome: NotRequired[Outcome]


class History(TypedDict):
    """All messages of a session and its outcome, or the latest answer of each session and the record of all."""

    scope: str
    threadId: str | None
    hasMore: bool
    messages: list[Message]
    outcome: NotRequired[SessionOutcome]
    record: NotRequired[Record]


class Upload(TypedDict):
    """A form to upload a file with: these fields, then `file`."""

    uploadId: str
    url: str
    fields: dict[str, str]
    expiresAt: str


class Attachment(TypedDict):
    """A file of a session."""

    bucket: str
    path: str
    mimeType: str
    url: str


class Job(TypedDict):
    """A run that starts by itself at set times.

    `etag` is the version of a job that was read, created or changed; jobs in a list have none.
    """

    etag: NotRequired[str]

    id: str
    title: str | None
    input_template: str
    enabled_tools: list[str]
    context: dict[str, Any] | None
    schedule: dict[str, Any]
    timezone: str
    status: Literal["active", "disabled"]
    while_waiting: Literal["skip", "queue"]
    paused_reason: str | None
    next_run_at: str | None
    last_run_at: str | None
    thread_id: str
    created_at: str
    updated_at: str


class JobRun(TypedDict):
    """A run of a job, or a scheduled time that started no run."""

    run_id: str
    thread_id: str
    slot: str | None
    due_at: str
    started_at: str
    status: str
    reason: str | None


class JobRuns(TypedDict):
    """A page of a job's runs, latest first."""

    runs: list[JobRun]
    next_cursor: str | None
