"""Response of `GET /api/v1/agent/runs/{threadId}/diagnostics` (STP-08, STP-10): what a run's agent's author needs."""

from typing import Any, Literal

from yarrow.protocol.response_body import Body


class RaisedFrame(Body, frozen=True, kw_only=True):
    """A place in the runner's code, or in that of its libraries; `code` is the line, without secrets."""

    file: str
    line: int
    function: str
    code: str


class RaisedException(Body, frozen=True, kw_only=True):
    """An exception; `message` is without secrets and cut off, `frames` are the innermost, the last where it was raised.

    None of them is of the host.
    """

    type: str
    message: str
    frames: tuple[RaisedFrame, ...]


class RefusedCall(Body, frozen=True, kw_only=True):
    """A call that the run was refused before it began, or that its user did not approve: the first of its kind."""

    action: str
    name: str | None
    """The tool, model or other resource that it names."""
    code: str
    message: str
    at: str
    attempt: int


class GrantedTool(Body, frozen=True, kw_only=True):
    """A tool that the run might use; `approval` if its user had to approve calls."""

    name: str
    operations: tuple[str, ...]
    runs_at: Literal["backend", "frontend"]
    approval: bool
    server: str | None = None
    """The MCP server that has it."""


class Granted(Body, frozen=True, kw_only=True):
    """What the run might use, as it was fixed when it began."""

    models: tuple[str, ...]
    tools: tuple[GrantedTool, ...]


class SaidCall(Body, frozen=True, kw_only=True):
    """A call of a tool that a model asked for; `arguments` is JSON text as the model wrote it."""

    name: str
    arguments: str


class SaidMessage(Body, frozen=True, kw_only=True):
    """A message to or of a model, without secrets; `cut` is how many of its characters were left out."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    name: str | None = None
    reasoning: str | None = None
    calls: tuple[SaidCall, ...]
    cut: int | None = None


class OfferedTool(Body, frozen=True, kw_only=True):
    """A tool that a model might call; `parameters` is the JSON text of their schema."""

    name: str
    description: str
    parameters: str


class CallError(Body, frozen=True, kw_only=True):
    """The error that a call ended with."""

    code: str
    message: str


class ModelContents(Body, frozen=True, kw_only=True):
    """What a model was asked and answered in one step; `step` is the step's id.

    Of more messages than fit, the first and the latest are there, and `left_out` counts the others.
    """

    step: str
    attempt: int
    messages: tuple[SaidMessage, ...]
    left_out: int | None = None
    tools: tuple[OfferedTool, ...]
    tools_left_out: int | None = None
    options: dict[str, Any]
    answer: SaidMessage | None = None
    """The answer, or what came of it before it broke off."""
    finish_reason: str | None = None
    error: CallError | None = None


class RunDiagnostics(Body, frozen=True, kw_only=True):
    """What is known of a run besides its events and steps."""

    exceptions: tuple[RaisedException, ...]
    """What the runner raised to end the run, then its causes and members; none if it raised nothing."""
    attempt: int | None = None
    """The worker whose runner raised them."""
    granted: Granted | None = None
    """Absent if no worker has begun the run, or that has expired."""
    keeps_contents: bool
    """Whether what its models are asked and answer is kept."""
    refusals: tuple[RefusedCall, ...]
    """At most 64, kept with the contents."""
    call: ModelContents | None = None
    """Of the step that the request names, if it is a call of a model that was kept."""
