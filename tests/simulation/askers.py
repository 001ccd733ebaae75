"""A runner that asks its user, one question or several, between effects; the same from each worker and run of a log."""

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from tests.simulation.effects import COUNT, SIZES, Effects, count
from tests.simulation.world import PAUSES
from tests.support.runners.scripted import completed, delta
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import OnExpiry, QuestionKind

MOST_ACTS: Final = 7
FAILURES: Final = 0.06
"""How often a run fails after an act; another run of its log may not."""
EXPIRIES: Final = (10, 30, 120, 900, 7 * 86_400)
"""Seconds."""
FORM: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"seats": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["seats"],
    "additionalProperties": False,
}
_KINDS: Final = (
    *(("ask", 4), ("several", 3), ("beside", 2), ("pay", 2), ("never", 1)),
    *((COUNT, 2), ("value", 1), ("sleep", 1), ("pause", 1)),
)


class Asker:
    """Its acts follow from its step log."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Act, and say what came of it."""
        effects = self._effects
        log = effects.log_of(context.run_id)
        plan, own = random.Random(log), random.Random(f"{context.run_id} fails")
        story: list[str] = []
        as_result = plan.choice((completed, delta))
        for number in range(plan.randint(1, MOST_ACTS)):
            kind = plan.choices([kind for kind, _ in _KINDS], [weight for _, weight in _KINDS])[0]
            for label, answer in await self._act(api, kind, f"{log} {kind} {number}", plan):
                story.append(label)
                text = effects.answered(label, answer)
                type_, data = as_result(text)
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            if own.random() < FAILURES:
                raise ValueError("the runner is broken")
        effects.stories[log] = story
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})

    async def _act(self, api: AgentRunAPIProxy, kind: str, name: str, plan: random.Random) -> list[tuple[str, object]]:
        step = self._effects.step
        match kind:
            case "ask":
                return [await _ask(api, name, plan.choice(EXPIRIES), plan)]
            case "several":
                sides = "abc"[: plan.randint(2, 3)]
                asked = [_ask(api, f"{name} {side}", plan.choice(EXPIRIES), plan) for side in sides]
                return list(await asyncio.gather(*asked))
            case "beside":
                asked_beside = _ask(api, f"{name} q", plan.choice(EXPIRIES), plan)
                paid = step(api, f"{name} p", f"{name[-1]} p", "keyed", plan.choice(SIZES))
                return list(await asyncio.gather(asked_beside, paid))
            case "pay":
                return [await step(api, name, f"pay {name[-1]}", "keyed", plan.choice(SIZES))]
            case "never":
                return [await step(api, name, f"once {name[-1]}", "never")]
            case "count":
                return [await count(api, name)]
            case "value":
                return [(name, f"{await api.now()} {await api.random()} {await api.uuid()}")]
            case "sleep":
                await api.sleep(seconds=plan.choice((5, 60)))
            case _:
                await asyncio.sleep(plan.choice(PAUSES))
        return []


def message_of(label: str) -> str:
    """Return the text of a question."""
    return f"<{label.partition(' ')[2]}>"


def _ask(api: AgentRunAPIProxy, label: str, seconds: int, plan: random.Random) -> Any:
    """Begin to ask: what is drawn is drawn in order, not when the call is made."""
    kind: QuestionKind = plan.choice(("confirmation", "choice", "text", "form"))
    options = ("left", "right") if kind == "choice" else ()
    schema = FORM if kind == "form" else None
    on_expiry: OnExpiry = plan.choice(("stop", "continue"))

    async def asked() -> tuple[str, object]:
        answer = await api.ask(
            message_of(label),
            kind,
            options=options,
            response_schema=schema,
            expires_in=seconds,
            on_expiry=on_expiry,
        )
        return label, f"{answer.status} {answer.value}"

    return asked()


def payload_for(interrupt: Mapping[str, Any], chance: random.Random) -> Any:
    """Return an answer that matches an interrupt's schema."""
    match interrupt["metadata"]["kind"]:
        case "confirmation":
            return {"approved": chance.random() < 0.5}
        case "choice":
            return chance.choice(interrupt["responseSchema"]["enum"])
        case "text":
            return f"words {chance.randint(1, 3)}"
    return {"seats": chance.randint(1, 3)}


def bad_payload_for(interrupt: Mapping[str, Any], chance: random.Random) -> Any:
    """Return one that matches none of the schemas."""
    return chance.choice((None, [], 7, "", {"approved": "yes"}, {"seats": 0}, {"seats": 1, "more": 2}))
