"""The body of a reading, or a follow-up's answer, rephrased by a model.

The direct answer, what to do, the dates and the cautions are the rules' own (CARE-09).
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from yarrow.divination import Divination
from yarrow.divination.care import Caution
from yarrow.divination.reading import Language, Reading
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners.divination import brief, prompt
from yarrow.runners.divination.follow_up_context import follow_up_context
from yarrow.runners.divination.phrasing import phrase

QUESTION_CHARACTERS: Final = 2_000
"""Characters of a follow-up question shown to a model."""

Report = dict[str, Any]
"""Which model phrased the answer, and its cost; may be empty."""


async def of_reading(
    api: AgentRunAPIProxy,
    context: AgentRunContext,
    model: str,
    divination: Divination,
    reading: Reading,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
) -> tuple[Reading, Report]:
    """The reading with its grounds in a model's words, or unchanged."""
    task = brief.of_cast(divination, reading, language, cautions)

    async def request() -> list[ModelMessage]:
        return prompt.for_reading(task)

    phrased = await phrase(api, context, model, task, request)
    words = phrased.words
    if words is None:
        return reading, phrased.report
    told = (reading.lead, *_paragraphs(words.answer), reading.timing, task.caution)
    return replace(reading, answer="\n\n".join(filter(None, told))), phrased.report


async def of_answer(
    api: AgentRunAPIProxy,
    context: AgentRunContext,
    model: str,
    divination: Divination,
    answer: str,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
) -> tuple[str, Report]:
    """The follow-up's answer in a model's words, or unchanged."""
    question = (context.input.text or "")[:QUESTION_CHARACTERS]
    task = brief.of_follow_up(divination, question, answer, language, cautions)

    async def request() -> list[ModelMessage]:
        return prompt.for_follow_up(task, *await follow_up_context(api, context, question))

    phrased = await phrase(api, context, model, task, request)
    if phrased.words is None:
        return answer, phrased.report
    return "\n\n".join(filter(None, (*_paragraphs(phrased.words.answer), task.caution))), phrased.report


def _paragraphs(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
