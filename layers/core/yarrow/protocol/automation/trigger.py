"""The trigger of a job's run: the job, its tools and context (AUT-01).

Only the host writes triggers; a client that sends mode automation has none, so no tools and no context (AUT-04).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from yarrow.protocol.run_input.trigger import Trigger, TriggerSource

TYPE: Final = "automation.job"


@dataclass(frozen=True, slots=True)
class JobTrigger:
    """A trigger. `slot` is the local time it was due, None for a run requested at once; `context` is the window of the
    session `context_thread`.
    """

    job_id: str
    slot: str | None
    enabled_tools: tuple[str, ...]
    context: Mapping[str, Any] | None
    context_thread: str | None

    @classmethod
    def of(cls, trigger: Trigger | None) -> Self | None:
        """Read a run's trigger; None unless a job triggered it."""
        if trigger is None or trigger.type != TYPE:
            return None
        return cls.of_data(trigger.data)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Self:
        """Read the data of a trigger of this type."""
        return cls(data["job_id"], data["slot"], tuple(data["enabled_tools"]), data["context"], data["context_thread"])

    def as_trigger(self, source: TriggerSource) -> Trigger:
        data = {
            "job_id": self.job_id,
            "slot": self.slot,
            "enabled_tools": list(self.enabled_tools),
            "context": None if self.context is None else dict(self.context),
            "context_thread": self.context_thread,
        }
        return Trigger(TYPE, source, data)
