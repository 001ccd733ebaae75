"""The trigger of a run without a client's `RunAgentInput`: a workspace command or a schedule (RNR-16).

It is `trigger` in the body, written by the host only.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, get_args

from yarrow.protocol.problems import Code, Problem

TriggerSource = Literal["api", "webui", "scheduler"]

MEMBER: Final = "trigger"

MESSAGE_RECEIVED: Final = "message.received"

_TYPE: Final = re.compile(r"[a-z_]{1,32}(\.[a-z_]{1,32}){0,3}")


@dataclass(frozen=True, slots=True)
class Trigger:
    type: str
    source: TriggerSource
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_body(cls, body: Mapping[str, Any]) -> Self | None:
        """Read a body's trigger. Raises Problem 422 if it is malformed."""
        match body.get(MEMBER):
            case None:
                return None
            case {"type": str(type_), "source": str(source), "data": dict(data)} if _TYPE.fullmatch(
                type_
            ) and source in get_args(TriggerSource):
                return cls(type_, source, data)  # type: ignore[arg-type]  # narrowed by get_args
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"invalid RunAgentInput.{MEMBER}")

    def as_member(self) -> dict[str, Any]:
        return {"type": self.type, "source": self.source, "data": dict(self.data)}

    @property
    def files(self) -> list[Mapping[str, Any]]:
        """Return artifacts of the thread: `artifactId`, `name`, `mimeType`."""
        listed = self.data.get("attachments")
        return [file for file in listed if isinstance(file, dict)] if isinstance(listed, list) else []
