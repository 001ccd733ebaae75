"""The user's approval of tool calls, where the run's agent asks for it (ASK-06).

The host asks, before the step of a call begins, whatever runner makes the call. The question is a step of its own,
found by the call: an approval holds for exactly the arguments that the user saw; about others the user is asked again.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from yarrow.agents.approvals import ToolApproval
from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.protocol.interrupts import APPROVE, ApprovalDetails
from yarrow.protocol.questions import MAX_SCHEMA_BYTES, approval_schema
from yarrow.protocol.runner.api import ToolCallRequest
from yarrow.protocol.runner.questions import OPEN, Question
from yarrow.protocol.ui_schema.words import CardWords
from yarrow.services.api.errors import too_large
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import Call, Document, StepLog
from yarrow.services.tools.registry import Tools

MAX_ARGUMENT_BYTES: Final = 32 * 1024
"""JSON bytes of arguments that a user can be asked about."""

_SHOWN_CHARACTERS: Final = 2_000
"""Of the arguments, in the text for clients that only show text."""

NOT_APPROVED: Final[Mapping[str, str]] = {
    "refused": "The user refused this call. It was not made.",
    "expired": "The user did not answer in time. The call was not made.",
    "cancelled": "The user gave no answer. The call was not made.",
}
"""What a model reads in place of a result."""

_WORDS: Final = CardWords(
    {
        "en": {"call": "Allow {tool}?", "session": "Allow {tool} for this conversation?"},
        "zh-Hans": {"call": "允许使用 {tool} 吗？", "session": "允许在本次对话中使用 {tool} 吗？"},
        "zh-Hant": {"call": "允許使用 {tool} 嗎？", "session": "允許在這次對話中使用 {tool} 嗎？"},
    }
)
"""What the user is asked, by the approval's scope."""

NOBODY: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a call: `request` is made, or `document` is its answer. `word` is for the audit.

    `is_early` if the user could not be asked, since the tool is not known before they sign in to its server: the call
    must not reach it.
    """

    word: str | None
    request: ToolCallRequest | None = None
    document: Document | None = None
    is_early: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the user has not decided."""
        return self.document is not None and OPEN in self.document

    @property
    def is_edited(self) -> bool:
        """Whether the user has replaced the arguments."""
        return self.word == "edited"


class Approvals:
    """The approvals of one run.

    `remembered` returns the tools that the session's user has approved for all of it; it may block. `locale` is the
    user's.
    """

    def __init__(
        self,
        steps: StepLog,
        asking: RunQuestions,
        tools: Tools,
        remembered: Callable[[], Collection[str]] = lambda: NOBODY,
        locale: str | None = None,
    ) -> None:
        self._steps = steps
        self._asking = asking
        self._tools = tools
        self._remembered = remembered
        self._locale = locale
        self._asking_once = asyncio.Lock()
        self._asked_for_session: set[str] = set()
        """Tools about which the user is asked for the whole session: once is enough."""

    async def decide(self, approval: ToolApproval, request: ToolCallRequest, call: Call) -> Decision:
        """Decide about a call, or note that the user has to.

        Raises AgentAPIException `invalid_argument` for arguments that the tool would refuse, `payload_too_large` for
        those that nobody could read.
        """
        if not approval.needs(self._tools.arguments(request.tool_name, request.parameters)):
            return Decision(None, request)
        approve = self._steps.beside(call, APPROVE)
        earlier = await self._steps.recorded(approve)
        if earlier is None and approval.is_remembered and await self._is_remembered(request.tool_name):
            return Decision("remembered", request)
        if earlier is not None:
            return _decided(request, self._steps.result_of(earlier))
        async with self._asking_once:  # of calls side by side, the others wait for what becomes of the first
            if request.tool_name in self._asked_for_session:
                return Decision("asked", document={OPEN: True})
            answer = await self._ask(approval, request, approve)
            if approval.is_remembered and OPEN in answer:
                self._asked_for_session.add(request.tool_name)
        return Decision("asked", document=answer) if OPEN in answer else _decided(request, answer)

    async def _is_remembered(self, tool_name: str) -> bool:
        return tool_name in await asyncio.to_thread(self._remembered)

    async def _ask(self, approval: ToolApproval, request: ToolCallRequest, approve: Call) -> Document:
        details = ApprovalDetails(
            tool_name=request.tool_name,
            arguments=request.parameters,
            scope="session" if approval.is_remembered else "call",
        )
        text = json_text.dumps(request.parameters)
        if len(text.encode()) > MAX_ARGUMENT_BYTES:
            raise too_large("arguments that need approval", MAX_ARGUMENT_BYTES)
        logger.info("a tool call needs approval", extra={"tool": request.tool_name})
        return await self._asking.ask(
            approve,
            _question(details, text, self._locale),
            self._answer_schema(request.tool_name, approval),
            details.as_metadata(),
            in_turn=True,
        )

    def _answer_schema(self, tool_name: str, approval: ToolApproval) -> dict[str, Any]:
        """Return the schema of an answer; edits are offered only if they can be checked."""
        detail = self._tools.detail(tool_name)
        if not approval.allow_edit or detail is None:
            return approval_schema()
        from yarrow.formats import json_schema  # few tools can be edited

        schema = approval_schema(detail.parameters)
        try:
            json_schema.check_schema(schema)
        except json_schema.SchemaError:
            return approval_schema()
        return schema if len(json_text.dumps(schema).encode()) <= MAX_SCHEMA_BYTES else approval_schema()


def _question(details: ApprovalDetails, arguments: str, locale: str | None) -> Question:
    message = _WORDS.in_language_of(locale or "")[details.scope].format(tool=details.tool_name)
    shown = arguments if len(arguments) <= _SHOWN_CHARACTERS else f"{arguments[:_SHOWN_CHARACTERS]}…"
    return Question(message=message, fallback_text=f"{message}\n\n```json\n{shown}\n```")


def _decided(request: ToolCallRequest, answer: Document) -> Decision:
    status = answer["status"]
    if status == "answered":
        edited = answer.get("edited_args")
        if edited is None:
            return Decision("approved", request)
        return Decision("edited", request.model_copy(update={"parameters": edited}))
    reason = {"reason": answer["reason"]} if answer.get("reason") else {}
    result = {"approved": False, "message": NOT_APPROVED[status], **reason}
    return Decision(status, document={"result": result})
