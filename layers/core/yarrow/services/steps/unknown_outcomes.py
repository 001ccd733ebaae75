"""Steps that must not be repeated and whose outcome is unknown: the user says what becomes of them (STP-03).

The runner is run again, up to such a step or any other that must not be repeated. There the user is asked, and the run
ends. The one that goes on begins with the answer: the step is forgotten, ended, or the run is. The question is about
this beginning of the step: if it is repeated and cut off again, the user is asked again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NoReturn

from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.protocol.runner.questions import OPEN, Answer, Option, Question
from yarrow.protocol.runner.turn import Turn
from yarrow.protocol.ui_schema.words import CardWords
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import SETTLE, OutcomeUnknownError, StepLog, StepStore, settling_id
from yarrow.store.runner import steps as stored_steps
from yarrow.store.runner.steps import Step

_WORDS: Final = CardWords(
    {
        "en": {
            "message": (
                "{name} was cut off and may or may not have been carried out. Repeat it, treat it as done, or stop?"
            ),
            "repeat": "Repeat it",
            "done": "Treat it as done",
            "stop": "Stop",
        },
        "zh-Hans": {
            "message": "{name} 被中断，可能已执行，也可能没有。要重新执行、视为已完成，还是停止？",
            "repeat": "重新执行",
            "done": "视为已完成",
            "stop": "停止",
        },
        "zh-Hant": {
            "message": "{name} 被中斷，可能已執行，也可能沒有。要重新執行、視為已完成，還是停止？",
            "repeat": "重新執行",
            "done": "視為已完成",
            "stop": "停止",
        },
    }
)

_CHOICES: Final = ("repeat", "done", "stop")

_DONE: Final[Mapping[str, Mapping[str, Any]]] = {
    "tools.call": {"result": {"message": "The user says that this call was made. What it returned is not known."}},
    "steps.begin": {"value": None},
}
"""What the runner gets of a step that the user says is done, by action."""


def settled(log_key: str, recorded: Iterable[Step], store: StepStore = stored_steps) -> list[Step]:
    """Carry out what the user has said of steps whose outcome is unknown; return the steps as they are then.

    A step that ended after all keeps its result. Raises OutcomeUnknownError for a step after which the user stops, or
    about which they gave no answer.
    """
    found = list(recorded)
    answers = {step.id: step for step in found if step.action == SETTLE}
    kept = []
    for step in found:
        answer = answers.get(settling_id(step)) if step.retry == "never" else None
        verdict = None if answer is None else Answer.model_validate_json(answer.result or "{}").value
        if answer is not None and verdict not in ("repeat", "done"):
            raise OutcomeUnknownError(step)
        if step.is_in_doubt and verdict == "repeat":
            store.forget(log_key, step)
        elif step.is_in_doubt and verdict == "done":
            result = json_text.dumps(_DONE[step.action])
            kept.append(store.end(log_key, replace(step, ms=0, outcome="settled", result=result)))
        elif step.action != SETTLE:
            kept.append(step)
    return kept


class UnknownOutcomes:
    """Asks a run's user about its steps whose outcome is unknown; `locale` is the user's."""

    def __init__(self, steps: StepLog, asking: RunQuestions, locale: str | None = None) -> None:
        self._steps = steps
        self._asking = asking
        self._words = _WORDS.in_language_of(locale or "")
        self._has_asked = False

    async def wait(self, turn: Turn) -> NoReturn:
        """Ask about all of them, once, and wait for the user, in a call of the turn."""
        if not self._has_asked:
            self._has_asked = True
            for step in self._steps.in_doubt:
                await self._ask(step)
        await turn.until_answered()

    async def _ask(self, step: Step) -> None:
        logger.warning("the outcome of a step is unknown", extra={"step": step.name or step.action})
        message = self._words["message"].format(name=step.name or step.action)
        options = tuple(Option(value=choice, label=self._words[choice]) for choice in _CHOICES)
        details = {"step": {"name": step.name, "action": step.action, "startedAt": step.started_at}}
        question = Question(message=message, kind="choice", options=options)
        document = await self._asking.ask(self._steps.settling(step), question, details=details, in_turn=True)
        if OPEN not in document:  # the question has expired
            raise OutcomeUnknownError(step)
