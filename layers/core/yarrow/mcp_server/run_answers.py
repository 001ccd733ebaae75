"""The answer of a run as the result of a tool call, folded from its events."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from yarrow.formats import json_text
from yarrow.mcp_server.json_rpc import Document
from yarrow.protocol.events.events import (
    RunError,
    RunFinished,
    StepStarted,
    TextMessageContent,
    TextMessageEnd,
    TextMessageStart,
    ToolCallStart,
    decode,
)
from yarrow.protocol.ui_schema import event_lines
from yarrow.store import journal, runs

SCHEMA: Final[Document] = {
    "type": "object",
    "properties": {
        "threadId": {"type": "string", "description": "The conversation, to go on with."},
        "runId": {"type": "string"},
        "status": {"type": "string", "enum": ["finished", "interrupted", "running"]},
        "answer": {"type": "string"},
        "output": {"type": "object", "description": "Structured output of the agent, if it has any."},
        "questions": {
            "type": "array",
            "description": "What the agent asks the user, if it is interrupted. A further message answers or drops it.",
            "items": {"type": "object"},
        },
    },
    "required": ["threadId", "runId", "status", "answer"],
}
"""What the structured content of a call has."""

_QUESTION_MEMBERS: Final = ("id", "message", "responseSchema", "expiresAt")


class RunAnswer:
    """What the events of a run have told so far; `progress` are the stages and tools that began."""

    def __init__(self, thread_id: str, run_id: str) -> None:
        self.thread_id = thread_id
        self.run_id = run_id
        self.progress: list[str] = []
        self._texts: dict[str, list[str]] = {}
        self._output: Mapping[str, Any] | None = None
        self._end: RunFinished | RunError | None = None

    def take(self, line: str) -> None:
        """Take the next stored event."""
        match decode(event_lines.without_hints(line)):
            case StepStarted(step_name=name) | ToolCallStart(tool_call_name=name):
                self.progress.append(name)
            case TextMessageStart(message_id=message_id, role="assistant", subagent_run_id=None):
                self._texts[message_id] = []
            case TextMessageContent(message_id=message_id, delta=delta) if message_id in self._texts:
                self._texts[message_id].append(delta)
            case TextMessageEnd(message_id=message_id, output=output) if output and message_id in self._texts:
                self._output = output
            case RunFinished() | RunError() as end:
                self._end = end

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """The interrupts with which the run ended."""
        outcome = self._end.outcome if isinstance(self._end, RunFinished) else None
        return outcome["interrupts"] if outcome is not None and outcome.get("type") == "interrupt" else ()

    def result(self) -> Document:
        """Return the result of the call; a failed or cancelled run is an error that the model sees."""
        if isinstance(self._end, RunError):
            code = f" ({self._end.code})" if self._end.code else ""
            return error_result(f"{self._end.message}{code}")
        structured = self.members()
        shown = [structured["answer"]] if structured["answer"] else []
        shown += [text for text in map(_shown, self.questions) if text not in structured["answer"]]
        if structured["status"] == "running":
            shown.append(f"The run goes on; its answer will be in {run_uri(self.thread_id, self.run_id)}")
        # Models of clients that pass on text alone need the thread to go on with it.
        texts = ["\n\n".join(shown), json_text.dumps({"threadId": self.thread_id, "runId": self.run_id})]
        return {
            "content": [{"type": "text", "text": text} for text in texts],
            "structuredContent": structured,
            "isError": False,
        }

    def members(self) -> Document:
        """Return the structured content."""
        answer = "\n\n".join(filter(None, map("".join, self._texts.values())))
        status = "running" if self._end is None else "interrupted" if self.questions else "finished"
        structured: Document = {
            "threadId": self.thread_id,
            "runId": self.run_id,
            "status": status,
            "answer": answer,
        }
        if self._output is not None:
            structured["output"] = dict(self._output)
        if self.questions:
            structured["questions"] = [
                {name: question[name] for name in _QUESTION_MEMBERS if name in question} for question in self.questions
            ]
        return structured


def read_answer(run: runs.Run) -> tuple[RunAnswer, int]:
    """Fold a run's stored events; returns their size in characters, too."""
    answer, size = RunAnswer(run.thread_id, run.run_id), 0
    for batch in journal.read(run.key, journal.Position()):
        for line in batch.lines:
            answer.take(line)
            size += len(line)
    return answer, size


def error_result(text: str) -> Document:
    """Return the result of a call that failed."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def session_uri(thread_id: str) -> str:
    return f"yarrow://sessions/{thread_id}"


def run_uri(thread_id: str, run_id: str) -> str:
    return f"{session_uri(thread_id)}/runs/{quote(run_id, safe='')}"


def _shown(question: Mapping[str, Any]) -> str:
    return str(question.get("message", ""))
