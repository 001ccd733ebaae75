"""Asks a model to phrase a judgement and reviews the result.

Nothing is shown before all of it has passed the review. A rejected text is requested once more, with the objections.
Never raises.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from yarrow.protocol.runner.api import AgentAPIException, ModelMessage, ModelReply, ModelUsage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners.divination.brief import Brief
from yarrow.runners.divination.forms import SCHEMA, Form
from yarrow.runners.divination.prompt import for_repair
from yarrow.runners.divination.review import Fault, Objection, objections

logger = logging.getLogger(__name__)

PHRASING_SECONDS: Final = 60.0
"""For all attempts, and at most half of the run's remaining time."""
ATTEMPTS: Final = 2
ANSWER_TOKENS: Final = 4_000
"""Several times what the forms need."""


@dataclass(frozen=True, slots=True)
class Phrased:
    """`words` is None if the runner's own text is to be used.

    `report` is for the operator: who phrased it, why no model did, and the tokens; empty without a model.
    """

    words: Form | None = None
    report: dict[str, Any] = field(default_factory=dict)


class _NoModelError(Exception):
    """No model is configured for the id, or the scripted one answers."""


class _RejectedError(Exception):
    """Two attempts were rejected."""


async def phrase(
    api: AgentRunAPIProxy,
    context: AgentRunContext,
    model: str,
    brief: Brief,
    request: Callable[[], Awaitable[list[ModelMessage]]],
) -> Phrased:
    """Ask a model to phrase a brief; the time limit includes building the `request`."""
    asking = _Asking(api, model, brief)
    try:
        async with asyncio.timeout(_seconds(context.runtime.deadline_at)):
            words = await asking.words(await request())
    except _NoModelError:
        return Phrased()
    except (TimeoutError, AgentAPIException, _RejectedError, ValidationError) as error:
        reason = _reason(error)
        faults = sorted({each.fault for each in asking.found})
        logger.warning(
            "no model phrased the reading", extra={"run_id": context.run_id, "reason": reason, "faults": faults}
        )
        return Phrased(report=asking.report("rules") | {"reason": reason})
    return Phrased(words, asking.report("model"))


def _seconds(deadline_at: float | None) -> float:
    return PHRASING_SECONDS if deadline_at is None else min(PHRASING_SECONDS, (deadline_at - time.time()) / 2)


def _reason(error: Exception) -> str:
    match error:
        case AgentAPIException():
            return error.error.code
        case TimeoutError():
            return "deadline_exceeded"
        case _RejectedError():
            return "rejected"
    return "runtime_error"


class _Asking:
    """At most ATTEMPTS requests for one text."""

    def __init__(self, api: AgentRunAPIProxy, model: str, brief: Brief) -> None:
        self.found: list[Objection] = []
        self._api = api
        self._model = model
        self._brief = brief
        self._attempts = 0
        self._usage = ModelUsage()

    async def words(self, messages: list[ModelMessage]) -> Form:
        """An answer without objections. Raises _NoModelError, _RejectedError and AgentAPIException."""
        while self._attempts < ATTEMPTS:
            reply = await self._ask(messages)
            words, self.found = self._read(reply)
            if words is not None and not self.found:
                return words
            said = ModelMessage(role="assistant", content=_text(reply) or "{}")
            messages = [*messages, said, for_repair(self._brief, self.found)]
        raise _RejectedError

    def report(self, phrased_by: str) -> dict[str, Any]:
        return {"phrased_by": phrased_by, "attempts": self._attempts, "usage": self._usage.model_dump()}

    async def _ask(self, messages: list[ModelMessage]) -> ModelReply:
        options = {"response_schema": SCHEMA, "max_tokens": ANSWER_TOKENS}
        self._attempts += 1
        try:
            reply = await self._api.models.invoke(self._model, messages, extra_args=options)
        except AgentAPIException as error:
            if error.error.code == "not_found":
                raise _NoModelError from None
            raise
        if reply.scripted:
            raise _NoModelError
        self._usage = ModelUsage(
            input_tokens=self._usage.input_tokens + reply.usage.input_tokens,
            output_tokens=self._usage.output_tokens + reply.usage.output_tokens,
        )
        return reply

    def _read(self, reply: ModelReply) -> tuple[Form | None, list[Objection]]:
        try:
            words = Form.model_validate_json(_text(reply))
        except ValidationError as error:
            # Location and rule only: messages may quote the model.
            faults = error.errors(include_url=False, include_input=False, include_context=False)
            return None, [Objection(Fault.FORM, f"{_place(each['loc'])} {each['type']}") for each in faults]
        return words, objections([words.answer], self._brief)


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(each)[:64] for each in location)


def _text(reply: ModelReply) -> str:
    content = reply.message.content
    return content if isinstance(content, str) else ""
