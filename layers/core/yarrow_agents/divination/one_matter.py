"""Asks which of its matters a cast is about, if its question has several and the client can answer.

Others get the reading of the question as it is: of the matter that its last sentence asks about.
"""

from typing import Final

from liuyao import Divination, DivinationPayload
from liuyao.reading import Language, language_asked, language_for
from liuyao.reading.question.several import questions_apart
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.questions import Option
from yarrow.protocol.runner.vocabulary import INTERRUPTS

_WHICH: Final = {
    Language.ENGLISH: "A cast answers one question, and yours is about more than one matter. Which shall it answer?",
    Language.SIMPLIFIED: "一卦只断一事，你问的不止一件。这一卦先断哪一件？",
    Language.TRADITIONAL: "一卦只斷一事，你問的不止一件。這一卦先斷哪一件？",
}


async def chosen(context: AgentRunContext, api: AgentRunAPIProxy, payload: DivinationPayload) -> DivinationPayload:
    """Return the cast of the matter that the user chooses; as it is if there is nothing to choose, or no answer."""
    if context.delivery.platform_capabilities.get(INTERRUPTS) is not True:
        return payload
    questions = questions_apart(payload.question_type, payload.question)
    if not questions:
        return payload
    language = language_asked(payload.question, language_for(context.runtime.locale))
    answer = await api.ask(_WHICH[language], "choice", options=[Option(value=question) for question in questions])
    return of_question(payload, answer.value) if answer.status == "answered" else payload


def of_question(payload: DivinationPayload, question: str) -> DivinationPayload:
    return payload.model_copy(update={"question": question})


def may_be_of(payload: DivinationPayload, stored: Divination) -> bool:
    """Whether a stored derivation is of the cast's question, or of one of those that its user chose from."""
    if stored.question == payload.question:
        return True
    return stored.question in questions_apart(payload.question_type, payload.question)
