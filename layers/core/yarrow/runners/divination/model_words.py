"""A reading or answer rephrased by a model; the judgement stays the same.

Cautions (CARE-04) are added here, so no model can omit them.
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
from yarrow.runners.divination.brief import Brief
from yarrow.runners.divination.follow_up_context import follow_up_context
from yarrow.runners.divination.forms import AnswerForm, ReadingForm
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
    """The reading in a model's words after the first paragraph, or unchanged."""
    task = brief.of_cast(divination, reading, language, cautions)

    async def request() -> list[ModelMessage]:
        return prompt.for_reading(task)

    phrased = await phrase(api, context, model, task, ReadingForm, request)
    words = phrased.words
    if words is None:
        return reading, phrased.report
    caution = () if task.caution is None else (task.caution,)
    told = replace(
        reading,
        conclusion=words.conclusion,
        focus_points=words.focus_points,
        advice=(*words.advice, *caution),
        keywords=words.keywords,
        answer=f"{task.opening}\n\n{_prose(words.answer, task)}",
    )
    return told, phrased.report


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

    phrased = await phrase(api, context, model, task, AnswerForm, request)
    told = answer if phrased.words is None else _prose(phrased.words.answer, task)
    return told, phrased.report


def _prose(text: str, task: Brief) -> str:
    """A model's paragraphs and the matter's caution."""
    paragraphs = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n\n".join([*paragraphs, *([] if task.caution is None else [task.caution])])
