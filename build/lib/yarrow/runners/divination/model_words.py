"""A reading or an answer in a model's words, in the place of the runner's own: the same judgement, told by another.

The grade stays the plate's. Cautions (CARE-04) are added by the program: no model can leave them out.
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
from yarrow.runners.divination.follow_up_context import surroundings
from yarrow.runners.divination.forms import AnswerWords, ReadingWords
from yarrow.runners.divination.phrasing import phrase

QUESTION_CHARACTERS: Final = 2_000
"""How much of a follow-up a model is told."""

Report = dict[str, Any]
"""Who phrased it and what that cost; empty where no model answers."""


async def of_reading(
    api: AgentRunAPIProxy,
    context: AgentRunContext,
    model: str,
    divination: Divination,
    reading: Reading,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
) -> tuple[Reading, Report]:
    """The reading in a model's words, after the paragraph that opens it; or the reading as it is."""
    task = brief.of_cast(divination, reading, language, cautions)

    async def request() -> list[ModelMessage]:
        return prompt.for_reading(task)

    phrased = await phrase(api, context, model, task, ReadingWords, request)
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
    """The answer to the run's follow-up in a model's words, or the answer as it is."""
    question = (context.input.text or "")[:QUESTION_CHARACTERS]
    task = brief.of_follow_up(divination, question, answer, language, cautions)

    async def request() -> list[ModelMessage]:
        return prompt.for_follow_up(task, *await surroundings(api, context, question))

    phrased = await phrase(api, context, model, task, AnswerWords, request)
    told = answer if phrased.words is None else _prose(phrased.words.answer, task)
    return told, phrased.report


def _prose(text: str, task: Brief) -> str:
    """A model's paragraphs, parted by blank lines, and the caution of the matter after them."""
    paragraphs = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n\n".join([*paragraphs, *([] if task.caution is None else [task.caution])])
