"""The Liu Yao agent: derives and reads a run's cast, or answers a follow-up on it.

The judgement is always its own. If the run has a model, it may rephrase it (`model_words`). `guard` checks every
question first; some get no reading.
"""

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from yarrow.divination import Divination, DivinationPayload, derive
from yarrow.divination.reading import Language, answer_follow_up, language_asked, language_for, read
from yarrow.protocol.events.agent_output import ChatOutput, DeclinedOutput, FollowUpOutput
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentEvent, AgentResources, AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners.divination import guard

DERIVATION = "divination"
"""The state key of the derivation of the session's latest cast (FUP-06)."""
PAYLOAD = "divinationPayload"
"""The event data member with the cast."""
_OF_CAST = (
    *("question", "question_type", "divination_method", "divination_time"),
    *("binary_code", "changed_binary_code"),
)
"""The members of a derivation that identify its cast."""

NOTHING_DERIVED = "AGENT_DIVINATION_MISSING"
NOTHING_DERIVED_MESSAGE = "the session has no divination to follow up on"


class Derived(BaseModel):
    """The hexagrams of the run's cast (DIV-11)."""

    model_config = ConfigDict(frozen=True, strict=True)

    divination: Divination


Result = tuple[str, dict[str, Any]]
"""Type and data of a result."""


class DivinationRunner:
    """Casts in mode `chat`, answers in mode `follow_up`."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the derivation (`chat` only), the text in pieces, then the answer with its structured output.

        If a model was asked, `run.completed` reports which, and its cost.
        """
        results = _cast if context.event.data["runtime_mode"] == "chat" else _follow_up
        async with aclosing(results(context, api)) as told:
            async for type_, data in told:
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)


async def _cast(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    payload = DivinationPayload.model_validate(context.event.data[PAYLOAD])
    decision = guard.of_cast(context, payload.question, payload.question_type)
    derived: dict[str, Any] | None = None
    if decision.derives:
        divination = derive(payload)
        derived = divination.model_dump(mode="json")
        yield "divination.derived", {"divination": derived}
    if decision.declined is not None:
        for result in _declined(context, decision, derived):
            yield result
        return
    language = _language(context, divination)
    reading = read(divination, language=language, cautions=decision.cautions)
    report: dict[str, Any] = {}
    # The first paragraph tells the cast alone, whoever tells the rest: it need not wait for that.
    opening = "".join(reading.answer.partition("\n\n")[:2])
    for piece in _pieces(opening):
        yield piece
    if (model := _model(context.resources)) is not None:
        from yarrow.runners.divination import model_words  # its tables are of no use without a model

        reading, report = await model_words.of_reading(
            api, context, model, divination, reading, language, decision.cautions
        )
    if decision.noted:
        reading = replace(reading, answer=f"{reading.answer}\n\n{guard.note(context, language)}")
    for piece in _pieces(reading.answer[len(opening) :]):
        yield piece
    output = ChatOutput(
        sign_level=reading.sign_level,
        conclusion=reading.conclusion,
        focus_points=reading.focus_points,
        advice=reading.advice,
        keywords=reading.keywords,
        answer=reading.answer,
        divination_derived=divination,
    )
    yield _whole(reading.answer, output)
    yield "state.updated", {"scope": "conversation", "key": DERIVATION, "value": derived}
    for result in _remembered(decision):
        yield result
    yield "run.completed", report


async def _follow_up(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    payload, divination = _cast_of(context)
    decision = guard.of_follow_up(context, payload or divination, is_laid_out=divination is not None)
    if decision.declined is not None:
        for result in _declined(context, decision):
            yield result
        return
    if divination is None:
        yield "run.failed", {"code": NOTHING_DERIVED, "message": NOTHING_DERIVED_MESSAGE, "retryable": False}
        return
    language = _language(context, divination)
    answer = answer_follow_up(divination, context.input.text or "", language=language, cautions=decision.cautions)
    report: dict[str, Any] = {}
    if (model := _model(context.resources)) is not None:
        from yarrow.runners.divination import model_words

        answer, report = await model_words.of_answer(
            api, context, model, divination, answer, language, decision.cautions
        )
    if decision.noted:
        answer = f"{answer}\n\n{guard.note(context, language)}"
    for piece in _pieces(answer):
        yield piece
    yield _whole(answer, FollowUpOutput(answer=answer))
    for result in _remembered(decision):
        yield result
    yield "run.completed", report


def _cast_of(context: AgentRunContext) -> tuple[DivinationPayload | None, Divination | None]:
    """The cast of a follow-up and its derivation: the stored one, unless its branch has another cast.

    The host passes the branch's cast, null if it has none.
    """
    kept = context.state.conversation.get(DERIVATION)
    stored = None if kept is None else Divination.model_validate(kept)
    if PAYLOAD not in context.event.data:
        return None, stored
    if context.event.data[PAYLOAD] is None:
        return None, None
    payload = DivinationPayload.model_validate(context.event.data[PAYLOAD])
    derived = derive(payload)
    if stored is not None and all(getattr(stored, name) == getattr(derived, name) for name in _OF_CAST):
        return payload, stored
    return payload, derived if guard.lays_out(context, payload.question, payload.question_type) else None


def _declined(
    context: AgentRunContext, decision: guard.Decision, derived: dict[str, Any] | None = None
) -> Iterator[Result]:
    """The answer in place of a reading (CARE-05), without any model."""
    answer = guard.answer(context, decision)
    yield from _pieces(answer)
    yield _whole(answer, DeclinedOutput(answer=answer))
    if derived is not None:
        yield "state.updated", {"scope": "conversation", "key": DERIVATION, "value": derived}
    yield from _remembered(decision)
    yield "run.completed", {"declined": decision.declined}


def _remembered(decision: guard.Decision) -> Iterator[Result]:
    state = decision.state()
    if state is not None:
        yield "state.updated", {"scope": "conversation", "key": guard.STATE, "value": state}


def _language(context: AgentRunContext, divination: Divination) -> Language:
    """The language the message requests, else the question's, else the user's (DIV-32)."""
    usual = language_for(context.runtime.locale)
    return language_asked(context.input.text or "", language_asked(divination.question, usual))


def _model(resources: AgentResources) -> str | None:
    """The first model the run may use."""
    return next((each.model_id for each in resources.models if "invoke" in each.operations), None)


_SENTENCE = re.compile(r".+?(?:[。！？]+\s*|[.!?]\s+|\n+|$)", re.DOTALL)


def _pieces(text: str) -> Iterator[Result]:
    """A text by sentences."""
    for sentence in _SENTENCE.findall(text):
        yield "message.delta", {"chunk": {"role": "assistant", "content": sentence}}


def _whole(answer: str, output: ChatOutput | FollowUpOutput | DeclinedOutput) -> Result:
    message = {"role": "assistant", "content": answer}
    return "message.completed", {"message": message, "output": output.model_dump(mode="json")}


RUNNER = InstalledRunner(
    manifest=AgentRunnerManifest(
        id="plugin:yarrow/divination/default",
        name="default",
        label={"en_US": "Liu Yao divination", "zh_Hans": "六爻", "zh_Hant": "六爻"},
        description={
            "en_US": "Derives the hexagrams of a cast and judges them; a language model may phrase the reading.",
            "zh_Hans": "据卦象纳甲排盘并断卦，可由语言模型润饰文字。",
            "zh_Hant": "據卦象納甲排盤並斷卦，可由語言模型潤飾文字。",
        },
        capabilities=AgentRunnerCapabilities(streaming=True, knowledge_retrieval=True, stateful_session=True),
        permissions=AgentRunnerPermissions(models=("invoke",), knowledge_bases=("retrieve",), history=("page",)),
    ),
    create=DivinationRunner,
    events={"divination.derived": AgentEvent("yarrow.divination-derived", Derived)},
)
