"""What a run that goes on after a question takes over from the runs that it continues (ASK-01).

The runner is run again from its start, as by a worker that takes over: it gets the first run's context again, its
finished steps give their results, and what earlier runs have emitted and stored is neither emitted nor stored again.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.protocol import interrupts
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.events.state import state_after
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.vocabulary import INTERACTION_REQUESTED
from yarrow.services.steps.asking import RunQuestions, WaitingQuestion
from yarrow.services.steps.step_log import key_of
from yarrow.store import journal, runs, sessions
from yarrow.store.runs import Run
from yarrow.worker import turns

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.store.questions import Question
    from yarrow.worker.results.interactions import Interaction

MAX_SNAPSHOT_BYTES: Final = 256 * 1024
"""JSON bytes of a conversation; a longer one is not restated."""


def posed(
    run: Run,
    asking: RunQuestions,
    context: AgentRunContext,
    order: EventOrder,
    interaction: "Interaction | None" = None,
) -> tuple[list["Question"], dict[str, Any] | None]:
    """Return the questions that a run ends with, as they are stored, and its `outcome`; stores its context.

    A question that an earlier run asked keeps its id and its expiry. `order` has the calls that the run announced. An
    `interaction` is asked once the runner waits for nothing else.
    """
    if not asking.is_waiting:
        if interaction is None:
            return [], None
        question = _requested(run, interaction)
        return [question], interrupts.outcome([question.interrupt()])
    turns.keep_context(run, context)
    calls = UnansweredCalls(order)
    asked = [_posed(run, one, calls.of(one)) for one in asking.asked]
    return asked, interrupts.outcome([question.interrupt() for question in asked])


def with_questions(run: Run, outcome: runs.RunOutcome, asked: Sequence["Question"]) -> runs.RunOutcome:
    """Return the outcome with the questions that a run ends with; the messages that ask them say so."""
    if not asked:
        return outcome
    marks = {key_of(run.log_key, one.step_id): {"id": one.id, "kind": one.kind} for one in asked}
    messages = tuple(replace(one, interrupt=marks.get(one.message_id, {})) for one in outcome.messages)
    return replace(outcome, messages=messages, questions=tuple(question.line for question in asked))


def asked_items(run: Run, session: sessions.Session, asked: Sequence["Question"]) -> list["WriteItem"]:
    """Return the items that store a run's questions, and close those that earlier runs of its log left open."""
    again = {question.id for question in asked}
    left = [line.id for line in session.open_questions if line.id not in again] if run.earlier else []
    if not asked and not left:
        return []
    from yarrow.store import questions

    if any(line.id in again for line in session.open_questions):
        asked = questions.as_opened(run.user_id, asked)
    return [*(questions.ask(run.user_id, question) for question in asked), *questions.abandon(run.user_id, left)]


def snapshots(run: Run) -> list[events.Event]:
    """Return the state and the conversation as a run's questions leave them, which AG-UI demands before its end.

    For runs of AG-UI clients, unless an earlier worker stored them (ASK-02). All events so far must be stored.
    """
    first = run if run.log_key == run.key else runs.must_read(run.log_key)
    if not first.from_agui:
        return []
    from yarrow.protocol.agui import snapshot
    from yarrow.runs.agui.join_snapshot import earlier_messages

    lines = [line for batch in journal.read(run.key, journal.Position()) for line in batch.lines]
    own = [event for line in lines if (event := events.read(line)) is not None]
    if isinstance(own[-1], events.MessagesSnapshot):
        return []
    state = state_after(own)
    messages = (*earlier_messages(run), *snapshot.messages_of(lines))
    if len(json_text.dumps(messages).encode()) > MAX_SNAPSHOT_BYTES:
        return []
    return [*([] if state is None else [state]), events.MessagesSnapshot(**run.ids, messages=messages)]


def _requested(run: Run, interaction: "Interaction") -> "Question":
    """Return an interaction as the question that is stored: its answer starts a run of its own."""
    from yarrow.store import questions

    asked = interaction.asked
    if asked is None:
        raise ValueError("the interaction cannot be answered")
    options = [{"value": value, "label": label} for value, label in asked.labels.items()]
    question_id = questions.new_id()
    created_at = questions.created_at(question_id)
    return questions.Question(
        id=question_id,
        thread_id=run.thread_id,
        run_key=run.key,
        run_id=run.run_id,
        agent=run.agent,
        step_id=interaction.step_id,
        action=INTERACTION_REQUESTED,
        step_number=0,
        asked_at=created_at,
        kind=asked.kind,
        message=interaction.message,
        schema=asked.schema,
        closes_at=questions.closing_time(interaction.expires_in, created_at),
        created_at=created_at,
        job=run.job,
        labels=asked.labels,
        details={
            **({"options": options} if options else {}),
            "interaction": interaction.request.model_dump(mode="json", exclude_none=True),
        },
    )


class UnansweredCalls:
    """The announced calls without a result: what a question about a call means by it, for clients."""

    def __init__(self, order: EventOrder) -> None:
        self._names = {call: name for call, name in order.tools.items() if call not in order.results}
        self._arguments = {call: str(order.calls.text[call]) for call in self._names}

    def of(self, asked: WaitingQuestion) -> str | None:
        """Return the id of the call that a question is about, each once; None without one."""
        if (named := asked.question.tool_call_id) is not None:
            return named if named in self._names else None
        if asked.call.action != interrupts.APPROVE:
            return None
        arguments = json_text.canonical(asked.details["arguments"])
        for call, name in self._names.items():
            if name == asked.call.name and _canonical(self._arguments[call]) == arguments:
                del self._names[call]
                return call
        return None


def _canonical(arguments: str) -> str | None:
    """Return a call's arguments in the form in which equal ones are equal; None if they are not JSON."""
    try:
        return json_text.canonical(json_text.loads(arguments.encode()))
    except ValueError:
        return None


def _posed(run: Run, asked: WaitingQuestion, tool_call_id: str | None) -> "Question":
    from yarrow.store import questions

    line = asked.earlier
    if line is None:
        closes_at = questions.closing_time(asked.question.expires_in, run.log_began_at or run.created_at)
        line = sessions.OpenQuestion(questions.new_id(), asked.call.id, closes_at)
    options = [option.model_dump(mode="json", exclude_none=True) for option in asked.question.options]
    return questions.Question(
        id=line.id,
        thread_id=run.thread_id,
        run_key=run.key,
        run_id=run.run_id,
        agent=run.agent,
        step_id=asked.call.id,
        action=asked.call.action,
        step_number=asked.call.number,
        asked_at=asked.began_at,
        kind=asked.question.kind,
        message=asked.question.message,
        schema=asked.schema,
        closes_at=line.closes_at,
        created_at=questions.created_at(line.id),
        labels={option.value: option.label for option in asked.question.options if option.label is not None},
        details={**({"options": options} if options else {}), **asked.details},
        tool_call_id=tool_call_id,
        step_name=asked.call.name,
        on_expiry=asked.question.on_expiry,
        job=run.job,
    )
