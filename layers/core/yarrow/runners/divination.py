"""The Liu Yao agent: derives the cast of a run and reads it, or answers a follow-up from the stored derivation.

A runner like any other: what it needs comes in its context, what it keeps goes out as results.
"""

import re
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from yarrow.divination import Divination, DivinationPayload, derive
from yarrow.divination.reading import Language, answer_follow_up, language_for, read
from yarrow.protocol.agent_output import ChatOutput, FollowUpOutput
from yarrow.protocol.runner import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner_manifest import AgentRunnerCapabilities, AgentRunnerManifest
from yarrow.protocol.runner_proxy import AgentRunAPIProxy

DERIVATION = "divination"
"""The key, in the state of the conversation, of the session's derivation (FUP-06)."""

NOTHING_DERIVED = "AGENT_DIVINATION_MISSING"
NOTHING_DERIVED_MESSAGE = "the session has no divination to follow up on"


class DivinationRunner:
    """Casts in mode `chat`, answers in mode `follow_up`; the language is the user's (DIV-32)."""

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the derivation (`chat` only), the text piece by piece, then the answer and its structured output."""
        language = language_for(context.runtime.locale)
        results = _cast if context.event.data["runtime_mode"] == "chat" else _follow_up
        for type_, data in results(context, language):
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)


def _cast(context: AgentRunContext, language: Language) -> Iterator[tuple[str, dict[str, Any]]]:
    divination = derive(DivinationPayload.model_validate(context.event.data["divinationPayload"]))
    derived = divination.model_dump(mode="json")
    yield "divination.derived", {"divination": derived}
    reading = read(divination, language=language)
    output = ChatOutput(
        sign_level=reading.sign_level,
        conclusion=reading.conclusion,
        focus_points=reading.focus_points,
        advice=reading.advice,
        keywords=reading.keywords,
        answer=reading.answer,
        divination_derived=divination,
    )
    yield from _say(reading.answer, output.model_dump(mode="json"))
    yield "state.updated", {"scope": "conversation", "key": DERIVATION, "value": derived}
    yield "run.completed", {}


def _follow_up(context: AgentRunContext, language: Language) -> Iterator[tuple[str, dict[str, Any]]]:
    stored = context.state.conversation.get(DERIVATION)
    if stored is None:
        yield "run.failed", {"code": NOTHING_DERIVED, "message": NOTHING_DERIVED_MESSAGE, "retryable": False}
        return
    answer = answer_follow_up(Divination.model_validate(stored), context.input.text or "", language=language)
    yield from _say(answer, FollowUpOutput(answer=answer).model_dump(mode="json"))
    yield "run.completed", {}


_SENTENCE = re.compile(r".+?(?:[。！？]+\s*|[.!?]\s+|\n+|$)", re.DOTALL)


def _say(answer: str, output: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The answer sentence by sentence, then whole."""
    for sentence in _SENTENCE.findall(answer):
        yield "message.delta", {"chunk": {"role": "assistant", "content": sentence}}
    yield "message.completed", {"message": {"role": "assistant", "content": answer}, "output": output}


RUNNER = InstalledRunner(
    manifest=AgentRunnerManifest(
        id="plugin:yarrow/divination/default",
        name="default",
        label={"en_US": "Liu Yao divination", "zh_Hans": "六爻", "zh_Hant": "六爻"},
        description={
            "en_US": "Derives the hexagrams of a cast and reads them without a language model.",
            "zh_Hans": "据卦象纳甲排盘并断卦，不用语言模型。",
            "zh_Hant": "據卦象納甲排盤並斷卦，不用語言模型。",
        },
        capabilities=AgentRunnerCapabilities(streaming=True, stateful_session=True),
    ),
    create=DivinationRunner,
)
