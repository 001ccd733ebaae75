"""The audit record of each action: a log line at INFO with the member `audit`, without contents (RNR-82)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Final

from yarrow.observability.logs import logger
from yarrow.protocol.run_ids import is_uuid
from yarrow.protocol.runner.api import ACTIONS, AgentAPIException, Arguments

_RESOURCES: Final = (
    "model_id",
    "tool_name",
    "kb_id",
    "artifact_id",
    "event_id",
    "conversation_id",
    "key",
    "action",
    "name",
)
_SCOPES: Final = ("scope", "area")
_IN_CONVERSATION: Final = frozenset({"history", "events", "artifacts"})


@dataclass
class AuditRecord:
    """One action. `scope` is a state scope, a storage area, or `conversation`; `run_id` is the run's key."""

    run_id: str
    runner_id: str
    action: str
    resource: str | None = None
    scope: str | None = None
    result: str = "ok"
    approval: str | None = None
    """What the user decided about a tool call, if that needs approval."""
    duration_ms: float = 0.0

    def name(self, request: Arguments) -> None:
        in_conversation = self.action.partition(".")[0] in _IN_CONVERSATION
        self.resource = _first(request, _RESOURCES)
        self.scope = _first(request, _SCOPES) or ("conversation" if in_conversation else "run")


UNKNOWN: Final = "unknown"
"""An unknown run, runner or action."""


@contextmanager
def refusal_recorded(run_id: str, runner_id: str, action: str) -> Iterator[None]:
    """Write a record if the body refuses a call before a RunApi is reached."""
    try:
        yield
    except AgentAPIException as error:
        record = AuditRecord(run_id if is_uuid(run_id) else UNKNOWN, runner_id, _known(action), result=error.error.code)
        _write(record)
        raise


@contextmanager
def recorded(run_id: str, runner_id: str, action: str, clock: Callable[[], float]) -> Iterator[AuditRecord]:
    """Write a record when the body ends. `clock` is monotonic, in seconds."""
    record = AuditRecord(run_id, runner_id, _known(action))
    begun = clock()
    try:
        yield record
    except AgentAPIException as error:
        record.result = error.error.code
        raise
    except BaseException:
        record.result = "cancelled"
        raise
    finally:
        record.duration_ms = round((clock() - begun) * 1000, 1)
        _write(record)


def _write(record: AuditRecord) -> None:
    audit = {name: value for name, value in asdict(record).items() if name != "approval" or value is not None}
    logger.info("runner action", extra={"audit": audit})


def _known(action: str) -> str:
    return action if action in ACTIONS else UNKNOWN


def _first(request: Arguments, members: tuple[str, ...]) -> str | None:
    return next((value for member in members if (value := getattr(request, member, None)) is not None), None)
