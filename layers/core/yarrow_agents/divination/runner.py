"""The Liu Yao agent's runner (`readings`)."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from typing import Final

from liuyao import Divination, DivinationPayload, derive
from liuyao.cast_time.solar_time import civil_time
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.divination import guard, one_matter, readings
from yarrow_agents.divination.readings import DERIVATION, Result

PAYLOAD: Final = "divinationPayload"
"""The event data member with the cast."""
_UNKNOWN_ZONE: Final = "UTC"
"""The host's default (FWD-08)."""
_OF_CAST: Final = (
    *("question_type", "divination_method", "divination_time"),
    *("binary_code", "changed_binary_code"),
)
"""The members of a derivation that identify its cast, beside its question."""


class DivinationRunner:
    """Casts in mode `chat`, answers in mode `follow_up`."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the derivation (`chat` only), the text in pieces, then the answer with its structured output."""
        async with aclosing(_results(context, api)) as results:
            async for type_, data in results:
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)


def _results(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    if context.event.data["runtime_mode"] == "chat":
        payload = DivinationPayload.model_validate(context.event.data[PAYLOAD])
        return readings.of_cast(context, api, payload, _civil(context, payload))
    return readings.of_follow_up(context, api, *_cast_of(context))


def _civil(context: AgentRunContext, payload: DivinationPayload) -> datetime | None:
    """Return the clock's time of a cast by true solar time, in the zone of the user's device or profile."""
    zone = context.runtime.timezone
    is_known = "client_time" in context.event.data or zone != _UNKNOWN_ZONE
    return civil_time(payload.divination_time_iso, zone) if zone and is_known else None


def _cast_of(context: AgentRunContext) -> tuple[DivinationPayload | None, Divination | None]:
    """Return the branch's cast, and the stored derivation if it is of that cast.

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
    if (
        stored is not None
        and all(getattr(stored, name) == getattr(derived, name) for name in _OF_CAST)
        and one_matter.may_be_of(payload, stored)
    ):
        return one_matter.of_question(payload, stored.question), stored
    return payload, derived if guard.may_derive(context, payload.question, payload.question_type) else None


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
        permissions=AgentRunnerPermissions(
            models=("invoke", "stream"), knowledge_bases=("retrieve",), history=("page",)
        ),
    ),
    create=DivinationRunner,
    events=readings.EVENTS,
    prepare=guard.prepare,
)
