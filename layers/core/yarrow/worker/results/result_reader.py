"""Reads what a runner yields: which results count, what is in them, and how much of the run's limits they take."""

from typing import Final

from yarrow.formats import foreign_json, json_text
from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.protocol.runner.models import AgentEvent, AgentRunResult
from yarrow.protocol.runner.vocabulary import WORKSPACE_RESULTS
from yarrow.store.runs import Run
from yarrow.worker import outcomes
from yarrow.worker.results import content_parts, parsing, payloads
from yarrow.worker.run_options import RunOptions
from yarrow.worker.runner_loop import RunnerFailedError

MAX_WARNINGS: Final = 50
"""Warnings logged per run."""

_MIN_CHARGE: Final = 64
"""The minimum bytes charged per result, which limits their number."""

Read = payloads.Payload | payloads.Shown | events.Event


class ResultReader:
    """The results of one run, as its runner yields them."""

    def __init__(self, run: Run, options: RunOptions) -> None:
        self._ids = run.ids
        self._run_key = run.key
        self._log_key = run.log_key
        self._options = options
        self._sequence: int | None = None
        self._bytes = 0
        self._media_bytes = 0
        self._warnings = 0
        self._workspace_results = 0

    def accept(self, result: object) -> AgentRunResult | None:
        """Return what the runner yielded if it is a result of this run that did not come before.

        Raises RunnerFailedError for an object that is no result, and for a result of another run.
        """
        self.charge(_MIN_CHARGE)
        if not isinstance(result, AgentRunResult):
            self.warn("not a result", type(result).__name__)
            raise RunnerFailedError("runner.error", "the agent failed")
        # A result may not have been validated: it may lack members.
        if not isinstance(getattr(result, "type", None), str):
            self.warn("a result without a type", type(result).__name__)
            return None
        if getattr(result, "run_id", None) != self._run_key:
            raise RunnerFailedError("runner.error", "the agent answered for another run")
        return result if self._advance(result) else None

    def _advance(self, result: AgentRunResult) -> bool:
        """Move on to a result's sequence number, if it has one. False if the result came before (RNR-41)."""
        if not isinstance(result.sequence, int):
            return True
        last = self._sequence
        if last is not None and result.sequence <= last:
            self.warn("a result is repeated", result.type)
            return False
        if last is not None and result.sequence > last + 1:
            self.warn("results are missing", result.type)
        self._sequence = result.sequence
        return True

    def payload(self, result: AgentRunResult) -> Read | None:
        """Return the payload of a result, or the agent's own event in it; None to skip it."""
        own = self._options.events.get(result.type)
        if own is None and not parsing.is_known(result.type):
            self.warn("unknown result type", result.type)
            return None
        if result.type in WORKSPACE_RESULTS and not self._options.has_workspace:
            self.warn("the run may not do this", result.type)
            return None
        try:
            text = foreign_json.dumps(result.data)
            size = len(text.encode())
            is_too_large = size > parsing.max_bytes(result.type)
            if is_too_large and result.type != "tool.call.completed":
                if result.type != "artifact.created":
                    raise outcomes.too_large("results are")
                self.warn(content_parts.too_large(payloads.MAX_INLINE_BYTES), result.type)
                return None
            payload = self._read(result.type, text) if own is None else self._own_event(own, text)
        except ValueError:
            self.warn("malformed result", result.type)
            return parsing.TERMINAL.get(result.type)
        if isinstance(payload, payloads.ToolCallCompleted):
            payload, size = self._tool_result(payload, size, is_too_large=is_too_large)
        words = None if isinstance(payload, payloads.Shown) else payloads.content_of_message(payload)
        if words is not None:  # its files are charged as they are kept
            size -= sum(len(file.source) for file in words.files)
            if size > payloads.MAX_RESULT_BYTES:
                raise outcomes.too_large("results are")
        if result.type != "message.delta":
            self.charge(size)
        return payload

    def _tool_result(
        self, payload: payloads.ToolCallCompleted, size: int, *, is_too_large: bool
    ) -> tuple[payloads.ToolCallCompleted, int]:
        """Return a tool's result and its bytes without media; one that is too large is an error of its call alone."""
        media = payload.media_bytes
        size -= media
        if is_too_large or size > payloads.MAX_RESULT_BYTES:
            self.warn("the result of a tool is too large", "tool.call.completed")
            return payload.refused(), _MIN_CHARGE
        if media > payloads.MAX_MEDIA_BYTES - self._media_bytes:
            self.warn("media of a tool's result are left out", "tool.call.completed")
            return payload.without_media(), size
        self._media_bytes += media
        return payload, size

    def charge(self, size: int) -> None:
        """Count bytes of results. Raises RunnerFailedError beyond those of a run."""
        self._bytes += size
        if self._bytes > payloads.MAX_RUN_BYTES:
            raise outcomes.too_large("results are")

    def warn(self, what: str, type_: str) -> None:
        """Log what is wrong with a result of this type, which is skipped."""
        self._warnings += 1
        if self._warnings <= MAX_WARNINGS:
            logger.warning(what, extra={"result_type": ascii(type_)})

    def _read(self, type_: str, text: str) -> payloads.Payload | payloads.Shown:
        """Read the payload of a known type. Raises ValueError if it is malformed."""
        if type_ not in WORKSPACE_RESULTS:
            return parsing.read(type_, text)
        from yarrow.worker.results import workspace  # here: few agents have one

        self._workspace_results += 1
        return workspace.read(type_, text, self._log_key, self._workspace_results)

    def _own_event(self, own: AgentEvent, text: str) -> events.Event:
        """Read the agent's own event in a result. Raises ValueError if it is malformed."""
        try:
            data = json_text.loads(own.data.model_validate_json(text).model_dump_json(by_alias=True).encode())
        except Exception as error:  # its model is foreign code
            raise ValueError("refused by its model") from error
        return (
            events.Custom(**self._ids, name=own.name, value=data)
            if own.type is None
            else own.type.event(self._ids, data)
        )
