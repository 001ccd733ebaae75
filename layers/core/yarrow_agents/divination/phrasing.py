"""Asks a model to phrase a judgement, and shows its sentences after all of them were reviewed.

The rules' own answer stands above them meanwhile. A sentence that may not be shown is replaced by the rules' for the
same part, or left out with those that refer to it. A text that is not trusted is requested once more, with the
objections; then the rules' text takes its place. With a judge nothing is shown before it has approved, too. Never
raises.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from yarrow.protocol.runner.api import AgentAPIException, ModelChunk, ModelMessage, ModelReply, ModelUsage
from yarrow.protocol.runner.models import AgentResources, AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.divination import judge
from yarrow_agents.divination.alignment import Alignment
from yarrow_agents.divination.brief import Brief
from yarrow_agents.divination.prompt import for_repair
from yarrow_agents.divination.review import Fault, Objection, Review, ReviewedText, sentences_of
from yarrow_agents.divination.review.cohesion import depends

logger = logging.getLogger(f"yarrow.{__name__}")

PHRASING_SECONDS: Final = 60.0
"""Limit of all attempts, but at most half of the run's remaining time."""
ATTEMPTS: Final = 2
TEXT_TOKENS: Final = 2_000
MAX_CHARACTERS: Final = 4_000


@dataclass(frozen=True, slots=True)
class PhrasingModels:
    """`writer` phrases; `streams`: it may be streamed. `judge` approves of texts, if there is one."""

    writer: str
    streams: bool
    judge: str | None


def granted(resources: AgentResources) -> PhrasingModels | None:
    """Return the models that a run may use; None without a writer."""
    usable = [model for model in resources.models if "invoke" in model.operations]
    writer = next((model for model in usable if model.model_id != judge.MODEL), None)
    if writer is None:
        return None
    has_judge = any(model.model_id == judge.MODEL for model in usable)
    return PhrasingModels(writer.model_id, "stream" in writer.operations, judge.MODEL if has_judge else None)


class _NoModelError(Exception):
    """No model is configured for the id, or the scripted one answers."""


class _RejectedError(Exception):
    """A sentence or the text may not be shown."""


class Phrasing:
    """One text of a model. After `pieces` has ended, `text` is what was shown of it and `is_whole` whether that is all.

    `report` is for the operator: who phrased it, why not the model alone, and the tokens; empty without a model.
    """

    def __init__(
        self,
        api: AgentRunAPIProxy,
        context: AgentRunContext,
        models: PhrasingModels,
        brief: Brief,
        request: Callable[[], Awaitable[list[ModelMessage]]],
    ) -> None:
        self.text = ""
        self.is_whole = False
        self.report: dict[str, Any] = {}
        self._api = api
        self._context = context
        self._models = models
        self._brief = brief
        self._request = request
        self._review = Review(brief)
        self._until = 0.0
        self._found: list[Objection] = []
        self._attempts = 0
        self._usage = ModelUsage()
        self._break = ""

    async def pieces(self) -> AsyncGenerator[str]:
        """Yield the sentences to show; together they are `text`."""
        self._until = asyncio.get_running_loop().time() + _seconds(self._context.runtime.deadline_at)
        try:
            async with aclosing(self._judged() if self._models.judge else self._reviewed()) as pieces:
                async for piece in pieces:
                    self.text += piece
                    yield piece
        except _NoModelError:
            return
        except (TimeoutError, AgentAPIException, _RejectedError, ValidationError) as error:
            reason = _reason(error)
            faults = sorted({objection.fault for objection in self._found})
            logger.warning(
                "no model phrased the reading" if not self.text else "a model phrased part of the reading",
                extra={"run_id": self._context.run_id, "reason": reason, "faults": faults},
            )
            self.report = self._reported("both" if self.text else "rules") | {"reason": reason}
            return
        self.is_whole = True
        self.report = self._reported("both" if self._found else "model")

    def _reported(self, phrased_by: str) -> dict[str, Any]:
        return {"phrased_by": phrased_by, "attempts": self._attempts, "usage": self._usage.model_dump()}

    async def _judged(self) -> AsyncGenerator[str]:
        """Yield all pieces at once, if the judge approves of them."""
        pieces = [piece async for piece in self._reviewed()]
        async with asyncio.timeout_at(self._until):
            approved = await judge.approves(
                self._api, self._context, self._models.judge or "", self._brief, "".join(pieces)
            )
        if not approved:
            raise _RejectedError
        for piece in pieces:
            yield piece

    async def _reviewed(self) -> AsyncGenerator[str]:
        async with asyncio.timeout_at(self._until):
            messages = await self._request()
        while True:
            self._attempts += 1
            async with aclosing(self._sentences(messages)) as sentences:
                read = [sentence async for sentence in sentences]
            reviewed = self._review.text(read)
            self._found = reviewed.objections
            if reviewed.is_trusted:
                for piece in self._shown(reviewed):
                    yield piece
                return
            if not self._found:
                self._found = [Objection(Fault.MANNER if "".join(read).strip() else Fault.FORM, "")]
            if self._attempts == ATTEMPTS:
                raise _RejectedError
            wrong = ModelMessage(role="assistant", content="".join(read) or "…")
            messages = [*messages, wrong, for_repair(self._brief, self._found)]

    def _shown(self, reviewed: ReviewedText) -> Iterator[str]:
        """Yield the sentences that may be shown, and the rules' in place of the others."""
        alignment, instead, is_left_out = Alignment(self._brief, self._review), "", False
        for reviewed_sentence in reviewed.sentences:
            sentence = reviewed_sentence.text
            if reviewed_sentence.objections:
                instead = f"{alignment.instead(sentence)}{_blank(sentence)}"
                is_left_out = not instead.strip()
            elif sentence.strip() and not (is_left_out and depends(sentence)):
                is_left_out = False
                if instead.strip():
                    yield self._piece(instead)
                instead = ""
                yield self._piece(sentence)
        if instead.strip():
            yield self._piece(instead)

    def _piece(self, sentence: str) -> str:
        """Return the sentence with the blank before it; a line break begins a paragraph."""
        piece = self._break + sentence.strip()
        tail = _blank(sentence)
        self._break = "\n\n" if "\n" in tail else tail
        return piece

    async def _sentences(self, messages: list[ModelMessage]) -> AsyncGenerator[str]:
        """Yield the sentences of one answer, each as soon as it is complete. Raises _RejectedError if it is cut off."""
        rest, length, finish = "", 0, "stop"
        async with aclosing(self._chunks(messages)) as chunks:
            async for chunk in chunks:
                if chunk.scripted:
                    raise _NoModelError
                length += len(chunk.content or "")
                if length > MAX_CHARACTERS:
                    raise _RejectedError
                *complete, rest = sentences_of(rest + (chunk.content or "")) or [""]
                for sentence in complete:
                    yield sentence
                if chunk.reply is not None:
                    finish = chunk.reply.finish_reason
                    self._count(chunk.reply)
        if finish != "stop":
            raise _RejectedError
        if rest:
            yield rest

    async def _chunks(self, messages: list[ModelMessage]) -> AsyncGenerator[ModelChunk]:
        models, options = self._api.models, {"max_tokens": TEXT_TOKENS}
        try:
            if not self._models.streams:
                async with asyncio.timeout_at(self._until):
                    reply = await models.invoke(self._models.writer, messages, extra_args=options)
                content = reply.message.content
                yield ModelChunk(content=content if isinstance(content, str) else None, reply=reply)
                return
            async with aclosing(models.stream(self._models.writer, messages, extra_args=options)) as chunks:
                while True:
                    async with asyncio.timeout_at(self._until):
                        chunk = await anext(chunks, None)
                    if chunk is None:
                        return
                    yield chunk
        except AgentAPIException as error:
            if error.error.code == "not_found":
                raise _NoModelError from None
            raise

    def _count(self, reply: ModelReply) -> None:
        if reply.scripted:
            raise _NoModelError
        self._usage = ModelUsage(
            input_tokens=self._usage.input_tokens + reply.usage.input_tokens,
            output_tokens=self._usage.output_tokens + reply.usage.output_tokens,
        )


def _blank(sentence: str) -> str:
    return sentence[len(sentence.rstrip()) :]


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
