"""A cast derived and judged, or a follow-up answered.

The judgement is always the classical one; a model may rephrase its grounds (`model_words`). `guard` checks every
question first.
"""

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict

from liuyao import Divination, DivinationPayload, derive
from liuyao.cast_time.note import with_time_note
from liuyao.reading import Language, answer_follow_up, language_asked, language_for, read
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.same_question import as_compared
from yarrow.protocol.runner.models import AgentEvent, AgentResources, AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.divination import event_types, guard, one_matter
from yarrow_agents.divination.output import ChatOutput, DeclinedOutput, FollowUpOutput

if TYPE_CHECKING:
    from yarrow_agents.divination.phrasing import PhrasingModels

DERIVATION: Final = "divination"
"""State key of the session's latest derivation (FUP-06)."""

ASKED: Final = "divination_asked"
"""State key of a question that was cast for more than once in a row: as it is compared, and its casts."""
_MAX_CASTS: Final = 20

ON_YES: Final = "divination_on_yes"
"""State key of a model's opinion on what a yes would be for who asks, with the question that it is of."""

NOTHING_DERIVED: Final = "AGENT_DIVINATION_MISSING"
NOTHING_DERIVED_MESSAGE: Final = "the session has no divination to follow up on"

DERIVED: Final = "divination.derived"
"""The type of the result with the hexagrams."""


class Derived(BaseModel):
    """The hexagrams of the cast (DIV-11, DIV-12)."""

    model_config = ConfigDict(frozen=True, strict=True)

    divination: Divination


EVENTS: Final = {DERIVED: AgentEvent(event_types.DERIVED.name, Derived, event_types.DERIVED)}

Result = tuple[str, dict[str, Any]]


async def of_cast(
    context: AgentRunContext, api: AgentRunAPIProxy, payload: DivinationPayload, civil: datetime | None = None
) -> AsyncGenerator[Result]:
    """Yield the derivation, the reading in pieces, then the whole with its structured output.

    `civil` is the clock's time if the payload's is known to be true solar time.
    If a model was called, `run.completed` has its report.
    """
    decision = guard.of_cast(context, payload.question, payload.question_type)
    texts = [context.input.text or "", payload.question, payload.question_type]
    decision, on_yes = await _with_opinion(context, api, decision, texts, payload.question, payload.question)
    derived: dict[str, Any] | None = None
    if decision.declined is None:
        chosen = await one_matter.chosen(context, api, payload)
        # The opinion was on the whole question.
        payload, on_yes = chosen, on_yes if chosen.question == payload.question else None
    if decision.derives:
        divination = derive(payload)
        derived = divination.model_dump(mode="json")
        yield DERIVED, {"divination": derived}
    if decision.declined is not None:
        for result in of_declined(context, decision, derived):
            yield result
        return
    language = language_of(context, divination)
    body = context.config.get("hexagram_body") is True
    casts = _casts_of_question(context, divination)
    times = casts.index(_identity(divination)) + 1
    reading = read(
        divination, language=language, cautions=decision.cautions, body=body, times_asked=times, opinion=on_yes
    )
    report: dict[str, Any] = {}
    # The lead is independent of the model.
    shown = f"{reading.lead}\n\n"
    for piece in pieces(shown):
        yield piece
    if not reading.rests and (models := _models(context.resources)) is not None:
        from yarrow_agents.divination import model_words  # unused without a model

        words = model_words.of_reading(api, context, models, divination, reading, language, decision.cautions)
        async with aclosing(words.phrasing.pieces()) as phrased:
            async for text in phrased:
                yield _delta(text)
        shown, report = shown + words.phrasing.text, words.phrasing.report
        reading = replace(reading, answer=shown + words.rest)
    if not reading.rests:
        reading = with_time_note(reading, payload, divination, language, civil)
    if decision.noted:
        reading = replace(reading, answer=f"{reading.answer}\n\n{guard.note(context, language)}")
    for piece in pieces(reading.answer[len(shown) :]):
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
    if on_yes is not None:
        thought = {"question": divination.question, "opinion": on_yes.value}
        yield "state.updated", {"scope": "conversation", "key": ON_YES, "value": thought}
    if len(casts) > 1:
        value = {"question": as_compared(divination.question), "casts": casts}
        yield "state.updated", {"scope": "conversation", "key": ASKED, "value": value}
    for result in _remembered(decision):
        yield result
    yield "run.completed", report


def _casts_of_question(context: AgentRunContext, divination: Divination) -> list[str]:
    """Return the casts of the question since another was asked, with this one; stable for a worker that takes over."""
    question, this = as_compared(divination.question), _identity(divination)
    counted = context.state.conversation.get(ASKED) or {}
    stored = context.state.conversation.get(DERIVATION)
    if stored is None or as_compared(stored["question"]) != question:
        return [this]
    casts = counted["casts"] if counted.get("question") == question else [_identity(Divination.model_validate(stored))]
    return casts if this in casts else [*casts[-_MAX_CASTS:], this]


def _identity(divination: Divination) -> str:
    return f"{divination.divination_time} {divination.binary_code} {divination.changed_binary_code}"


async def of_follow_up(
    context: AgentRunContext,
    api: AgentRunAPIProxy,
    payload: DivinationPayload | None,
    divination: Divination | None,
) -> AsyncGenerator[Result]:
    """Yield the answer to a question about the cast `payload`, with its derivation if known."""
    decision = guard.of_follow_up(context, payload or divination, is_laid_out=divination is not None)
    if divination is not None:
        text = context.input.text or ""
        decision, _ = await _with_opinion(context, api, decision, [text, divination.question], text)
    if decision.declined is not None:
        for result in of_declined(context, decision):
            yield result
        return
    if divination is None:
        yield "run.failed", {"code": NOTHING_DERIVED, "message": NOTHING_DERIVED_MESSAGE, "retryable": False}
        return
    language, on_yes = language_of(context, divination), _opinion_on_yes(context, divination)
    answer = answer_follow_up(
        divination, context.input.text or "", language=language, cautions=decision.cautions, opinion=on_yes
    )
    shown, report = "", dict[str, Any]()
    if (models := _models(context.resources)) is not None:
        from yarrow_agents.divination import model_words

        words = model_words.of_answer(api, context, models, divination, answer, language, decision.cautions, on_yes)
        async with aclosing(words.phrasing.pieces()) as phrased:
            async for text in phrased:
                yield _delta(text)
        shown, report = words.phrasing.text, words.phrasing.report
        answer = shown + words.rest
    if decision.noted:
        answer = f"{answer}\n\n{guard.note(context, language)}"
    for piece in pieces(answer[len(shown) :]):
        yield piece
    yield _whole(answer, FollowUpOutput(answer=answer))
    for result in _remembered(decision):
        yield result
    yield "run.completed", report


async def _with_opinion(
    context: AgentRunContext,
    api: AgentRunAPIProxy,
    decision: guard.GuardDecision,
    texts: list[str],
    words: str,
    question: str | None = None,
) -> tuple[guard.GuardDecision, Polarity | None]:
    """Return the decision after a model's opinion, and what the model thinks of a yes to the question.

    No model is called about words that are declined anyway.
    """
    models = _models(context.resources)
    if decision.declined is not None or models is None:
        return decision, None
    from yarrow_agents.divination.opinion import opinion_on  # unused without a model

    found = await opinion_on(api, context, models.writer, texts, question)
    return guard.doubted(decision, words) if found.alarmed else decision, found.on_yes


def _opinion_on_yes(context: AgentRunContext, divination: Divination) -> Polarity | None:
    """Return what a model thought of a yes to the question of the session's cast."""
    stored = context.state.conversation.get(ON_YES) or {}
    return Polarity(stored["opinion"]) if stored.get("question") == divination.question else None


def of_declined(
    context: AgentRunContext, decision: guard.GuardDecision, derived: dict[str, Any] | None = None
) -> Iterator[Result]:
    """Yield the answer in place of a reading (CARE-05), without any model."""
    answer = guard.answer(context, decision)
    yield from pieces(answer)
    yield _whole(answer, DeclinedOutput(answer=answer))
    if derived is not None:
        yield "state.updated", {"scope": "conversation", "key": DERIVATION, "value": derived}
    yield from _remembered(decision)
    yield "run.completed", {"declined": decision.declined}


def _remembered(decision: guard.GuardDecision) -> Iterator[Result]:
    state = decision.state()
    if state is not None:
        yield "state.updated", {"scope": "conversation", "key": guard.STATE, "value": state}


def language_of(context: AgentRunContext, divination: Divination) -> Language:
    """Return the language the message requests, else the question's, else the user's (DIV-32)."""
    usual = language_for(context.runtime.locale)
    return language_asked(context.input.text or "", language_asked(divination.question, usual))


def _models(resources: AgentResources) -> "PhrasingModels | None":
    if not resources.models:
        return None
    from yarrow_agents.divination.phrasing import granted  # unused without a model

    return granted(resources)


_SENTENCE = re.compile(r".+?(?:[。！？]+\s*|[.!?]\s+|\n+|$)", re.DOTALL)


def pieces(text: str) -> Iterator[Result]:
    for sentence in _SENTENCE.findall(text):
        yield _delta(sentence)


def _delta(text: str) -> Result:
    return "message.delta", {"chunk": {"role": "assistant", "content": text}}


def _whole(answer: str, output: ChatOutput | FollowUpOutput | DeclinedOutput) -> Result:
    message = {"role": "assistant", "content": answer}
    return "message.completed", {"message": message, "output": output.model_dump(mode="json")}
