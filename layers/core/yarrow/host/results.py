"""What a runner's results may contain: the payload of every type the host acts on, and how it is read.

Source: `agent-runner.md` §6 (RNR-30 … RNR-42); the payloads of the tool results are those of the released runners. A
runner is foreign code, so nothing of a result is used before it was written as JSON and read back: what cannot be
stored or sent on ends here. Members that are not known are passed over.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, field_validator

from yarrow.protocol import json_text
from yarrow.protocol.divination import Divination

MAX_RESULT_BYTES: Final = 1024 * 1024
"""The JSON of one result (RNR-42)."""
MAX_RUN_BYTES: Final = 8 * 1024 * 1024
"""The JSON of all results of a run (RNR-42)."""
MAX_STATE_BYTES: Final = 256 * 1024
"""The JSON of one value of the state (RNR-36)."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=256)]
PublicText = Annotated[str, StringConstraints(max_length=4_000)]


class Payload(BaseModel):
    """The `data` of a result."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Words(Payload):
    """A message or a piece of one, in the agent's own voice. `is_final`: its message ends with it (RNR-29)."""

    role: Literal["assistant"] = "assistant"
    content: str | None = None
    is_final: bool = False


class MessageDelta(Payload):
    """A piece of a message, to be appended (RNR-34). The calls a chunk may list are told by results of their own."""

    chunk: Words


class MessageCompleted(Payload):
    """A whole message, and the structured output that goes with it (RNR-35)."""

    message: Words
    output: dict[str, Any] | None = None


class ToolCallStarted(Payload):
    """The agent calls a tool."""

    tool_call_id: Name
    tool_name: Name
    parameters: dict[str, Any] = {}


class ToolCallCompleted(Payload):
    """A tool has answered or failed."""

    tool_call_id: Name
    result: Any = None
    error: str | None = None


class StateUpdated(Payload):
    """A value to keep with the host. The key is ASCII without blanks, since keys are kept in ranges (RNR-36)."""

    scope: str
    key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:/-]{1,128}$")]
    value: Any

    @field_validator("value")
    @classmethod
    def _is_small(cls, value: Any) -> Any:
        if len(json_text.dumps(value).encode()) > MAX_STATE_BYTES:
            raise ValueError("too large to keep")
        return value


class DivinationDerived(Payload):
    """The hexagrams of the run's cast (DIV-11)."""

    divination: Divination


class RunFailed(Payload):
    """The agent gives up. Both texts are public; the message may come as `error` (C16, RNR-40)."""

    code: Name = "runner.error"
    message: PublicText | None = None
    error: PublicText | None = None

    @property
    def public_message(self) -> str:
        """What the client is told."""
        return self.message or self.error or "the agent failed"


class RunCompleted(Payload):
    """The agent is done."""


_PAYLOADS: Final[Mapping[str, type[Payload]]] = {
    "message.delta": MessageDelta,
    "message.completed": MessageCompleted,
    "tool.call.started": ToolCallStarted,
    "tool.call.completed": ToolCallCompleted,
    "state.updated": StateUpdated,
    "divination.derived": DivinationDerived,
    "run.failed": RunFailed,
    "run.completed": RunCompleted,
}

TERMINAL: Final[Mapping[str, Payload]] = {"run.failed": RunFailed(), "run.completed": RunCompleted()}
"""What a result that ends the run says when its data says nothing sensible: it ends the run all the same."""


def is_known(type_: str) -> bool:
    """Whether the host acts on results of this type."""
    return type_ in _PAYLOADS


def to_json(data: Any) -> str:
    """A result's data as JSON text that can be stored and sent; a lone surrogate becomes U+FFFD.

    Raises ValueError for what is not JSON.
    """
    try:
        text = json_text.dumps(data)
    except (TypeError, RecursionError) as error:
        raise ValueError("not JSON") from error
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read(type_: str, text: str) -> Payload:
    """The payload of a known type. Raises ValueError when it is malformed."""
    return _PAYLOADS[type_].model_validate_json(text)
