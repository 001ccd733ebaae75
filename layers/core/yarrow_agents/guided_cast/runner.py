"""The guided cast: a workspace that asks step by step, casts, reads the cast and answers further questions.

It needs no model. The reading, its care rules included, is that of the divination agent (`readings`, `guard`).
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final, get_args

from liuyao import Divination
from liuyao.reading import language_for
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import WORKSPACE, WorkspaceEvent
from yarrow_agents.divination import guard, readings
from yarrow_agents.divination.readings import Result
from yarrow_agents.guided_cast import casting, progress, questions
from yarrow_agents.guided_cast.progress import STATE, Progress, TakenStep
from yarrow_agents.guided_cast.words import WORDS, Words

DONE: Final[Result] = ("run.completed", {})


class GuidedCastRunner:
    """Processes one command: what it changes, the reply, and the next question."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        async with aclosing(_results(context, api)) as results:
            async for type_, data in results:
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)


async def _results(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    words = WORDS[language_for(context.runtime.locale)]
    before = Progress.stored(context.state.conversation.get(STATE))
    at = before.with_answers_of(context.event.data.get("prompt"), _text(context.event.data, "questionId"))
    if context.event.event_type == "workspace.init":
        for result in _opened(context, at, words):
            yield result
        return
    taken = _taken(context, at)
    if taken.typed is not None and (declined := _declined(context, taken, at, words)):
        for result in declined:
            yield result
        return
    if taken.asks is not None:
        async with aclosing(_further(context, api, taken, words)) as results:
            async for result in results:
                yield result
        return
    if taken.progress.waits_for is None and not taken.progress.is_done:
        async with aclosing(_cast(context, api, taken.progress)) as results:
            async for result in results:
                yield result
        return
    for result in _next(context, before, taken, words):
        yield result


def _opened(context: AgentRunContext, at: Progress, words: Words) -> Iterator[Result]:
    """Open a session; if only its page's language changed, repeat the prompt alone."""
    if context.event.data.get("reason") != "language_changed":
        yield casting.subtasks(0)
        yield "workspace.message", questions.asking(at, words, words.greeting)
    yield from _prompt(context, at, words)
    yield DONE


def _taken(context: AgentRunContext, at: Progress) -> TakenStep:
    data, text = context.event.data, context.input.text or ""
    match context.event.event_type:
        case "workspace.option":
            label = _text(data, "optionLabel") or text
            return progress.choose(at, _text(data, "questionId"), _text(data, "optionId"), label)
        case "workspace.answer":
            return progress.write(at, _text(data, "questionId"), _text(data, "answer") or text)
        case "workspace.attachment":
            return TakenStep(at, reply="no_files")
        case "workspace.control":
            is_retry = data.get("action") == "retry"
            return TakenStep(Progress(), reply="restarted") if is_retry else TakenStep(at, reply="resumed")
    return progress.write(at, "", text)


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _next(context: AgentRunContext, before: Progress, taken: TakenStep, words: Words) -> Iterator[Result]:
    """Reply to a recorded or rejected answer and ask the next question."""
    at = taken.progress
    if taken.reply == "restarted":
        yield casting.subtasks(0)
    yield "workspace.message", questions.asking(at, words, questions.reply(taken, words))
    yield from _kept(before, at)
    yield from _prompt(context, at, words)
    yield DONE


def _declined(context: AgentRunContext, taken: TakenStep, before: Progress, words: Words) -> list[Result]:
    """Return the answer to words that get no reading (CARE-01 … CARE-03), whatever the question; none for others.

    They are not taken as the question of a cast.
    """
    decision = guard.of_cast(context, taken.typed or "", words.matters.get(before.matter or "", ""))
    if decision.declined is None:
        return []
    *results, (_, report) = readings.of_declined(context, decision)
    return [*results, *_prompt(context, before, words), ("run.completed", report)]


async def _cast(context: AgentRunContext, api: AgentRunAPIProxy, at: Progress) -> AsyncGenerator[Result]:
    """Make and read the cast; a declined one leaves its question open."""
    language = language_for(context.runtime.locale)
    words = WORDS[language]
    after, report = at, {}
    async with aclosing(casting.cast(context, api, at, language)) as results:
        async for type_, data in results:
            if type_ == "run.completed":
                report = data
            else:
                yield type_, data
    after = replace(at, question=None, lines=()) if "declined" in report else replace(at, is_done=True)
    if after.is_done:
        yield "workspace.message", questions.asking(after, words)
    yield "state.updated", {"scope": "conversation", "key": STATE, "value": after.document()}
    for result in _prompt(context, after, words):
        yield result
    yield "run.completed", report


async def _further(
    context: AgentRunContext, api: AgentRunAPIProxy, taken: TakenStep, words: Words
) -> AsyncGenerator[Result]:
    kept = context.state.conversation.get(readings.DERIVATION)
    divination = None if kept is None else Divination.model_validate(kept)
    follow_up = context.model_copy(update={"input": context.input.model_copy(update={"text": taken.asks})})
    report: dict[str, Any] = {}
    async with aclosing(readings.of_follow_up(follow_up, api, None, divination)) as results:
        async for type_, data in results:
            if type_ == "run.completed":
                report = data
            else:
                yield type_, data
    for result in _prompt(context, taken.progress, words):
        yield result
    yield "run.completed", report


def _kept(before: Progress, after: Progress) -> Iterator[Result]:
    if after != before:
        yield "state.updated", {"scope": "conversation", "key": STATE, "value": after.document()}


def _prompt(context: AgentRunContext, at: Progress, words: Words) -> Iterator[Result]:
    """Yield the prompt, unless the page has it: a repeated prompt closes what the user has open."""
    prompt = questions.prompt(at, words)
    if context.event.data.get("prompt") != prompt:
        yield "workspace.prompt", prompt


RUNNER = InstalledRunner(
    manifest=AgentRunnerManifest(
        id="plugin:yarrow/guided-cast/default",
        name="default",
        label={"en_US": "Guided cast", "zh_Hans": "引导起卦", "zh_Hant": "引導起卦"},
        description={
            "en_US": "Asks for method, matter and question, casts, reads the cast and answers further questions.",
            "zh_Hans": "逐步询问起卦方式、事类与问题，起卦、断卦并回答追问。",
            "zh_Hant": "逐步詢問起卦方式、事類與問題，起卦、斷卦並回答追問。",
        },
        capabilities=AgentRunnerCapabilities(streaming=True, knowledge_retrieval=True, stateful_session=True),
        permissions=AgentRunnerPermissions(
            models=("invoke", "stream"), knowledge_bases=("retrieve",), history=("page",)
        ),
        metadata={WORKSPACE: {"events": list(get_args(WorkspaceEvent))}},
    ),
    create=GuidedCastRunner,
    events=readings.EVENTS,
)
