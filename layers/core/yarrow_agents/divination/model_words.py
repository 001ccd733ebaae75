"""The body of a reading, or a follow-up's answer, rephrased by a model.

The direct answer, what to do, the dates and the cautions are the rules' own (CARE-09).
"""

from collections.abc import Collection
from typing import Final

from liuyao import Divination
from liuyao.care import Caution
from liuyao.reading import Language, Reading
from liuyao.reading.question.polarity import Polarity
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.divination import brief, prompt
from yarrow_agents.divination.follow_up_context import follow_up_context
from yarrow_agents.divination.phrasing import Phrasing, PhrasingModels

QUESTION_CHARACTERS: Final = 2_000
"""The most characters of a follow-up question shown to a model."""


class ModelWords:
    """A model's words and the rules' that follow: the closing of a whole text, or the rules' own text."""

    def __init__(self, phrasing: Phrasing, closing: list[str], instead: str) -> None:
        self.phrasing = phrasing
        self._closing = closing
        self._instead = instead

    @property
    def rest(self) -> str:
        """The rules' words that follow the model's, once those have ended."""
        rest = "\n\n".join(self._closing) if self.phrasing.is_whole else self._instead
        return f"\n\n{rest}" if rest and self.phrasing.text else rest


def of_reading(
    api: AgentRunAPIProxy,
    context: AgentRunContext,
    models: PhrasingModels,
    divination: Divination,
    reading: Reading,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
) -> ModelWords:
    """Return the words after a reading's lead."""
    task = brief.of_cast(divination, reading, language, cautions)

    async def request() -> list[ModelMessage]:
        return prompt.for_reading(task)

    closing = [sentence for sentence in (reading.timing, task.caution) if sentence]
    return ModelWords(Phrasing(api, context, models, task, request), closing, reading.grounds)


def of_answer(
    api: AgentRunAPIProxy,
    context: AgentRunContext,
    models: PhrasingModels,
    divination: Divination,
    answer: str,
    language: Language,
    cautions: Collection[Caution] = frozenset(),
    opinion: Polarity | None = None,
) -> ModelWords:
    question = (context.input.text or "")[:QUESTION_CHARACTERS]
    task = brief.of_follow_up(divination, question, answer, language, cautions, opinion)

    async def request() -> list[ModelMessage]:
        return prompt.for_follow_up(task, *await follow_up_context(api, context, question))

    closing = [sentence for sentence in (task.caution,) if sentence]
    return ModelWords(Phrasing(api, context, models, task, request), closing, answer)
