"""Turns the results of one runner into the events of one journal.

Source: `agent-runner.md` §6, §9, with the binding's stages as AG-UI's steps (C32). The outcome, answer and state,
is returned and stored when the run ends. A runner is foreign code; the rules:

- results that are unknown, malformed, repeated or not allowed are skipped with a warning, and the run continues
  (RNR-32, RNR-33, RNR-36 … RNR-38, RNR-41);
- `run.failed`, an exception, an object that is no result, a result for another run, an exceeded limit and a passed
  deadline fail the run with a public message (RNR-40, RNR-42, RNR-70, RNR-71);
- `run.completed` or the end of the results completes it; later results are ignored (RNR-39);
- the first stage begins with the run, others when the runner starts them, which ends the one before (C32);
- the messages that were emitted are stored, whichever worker emitted them, each with its output (HIS-08, HIS-19);
  the last is the agent's answer.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from yarrow.observability import redaction
from yarrow.protocol.events import events
from yarrow.protocol.events.state import state_after
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.turn import Turn
from yarrow.protocol.runner.vocabulary import INTERACTION_REQUESTED, MAX_ADDED
from yarrow.protocol.ui_schema.hints import MEMBER as UI_HINTS
from yarrow.runs.earlier_output import NOTHING_EARLIER, EarlierOutput, without_snapshots
from yarrow.runs.tool_history import ToolHistory
from yarrow.services.steps.asking import RunQuestions, WaitingQuestion
from yarrow.store.runs import Run, RunOutcome
from yarrow.worker import outcomes
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.results import artifact_sink, content_parts, parsing, payloads
from yarrow.worker.results.deltas import Deltas
from yarrow.worker.results.emitter import Emitter
from yarrow.worker.results.result_reader import ResultReader
from yarrow.worker.results.shared_state import SharedState
from yarrow.worker.results.state_updates import StateUpdates
from yarrow.worker.results.text_messages import CompletedMessage, TextMessages
from yarrow.worker.results.tool_calls import ToolCalls, content_of
from yarrow.worker.run_options import DEFAULTS, RunOptions
from yarrow.worker.runner_loop import RunnerFailedError, TurnEndedError, read_results

if TYPE_CHECKING:
    from yarrow.worker.results.activities import Activities
    from yarrow.worker.results.interactions import Interaction
    from yarrow.worker.results.reasoning import Reasoning
    from yarrow.worker.results.subagents import Subagents
    from yarrow.worker.results.taken_messages import TakenMessages


class Orchestrator:
    """Drives the runner of a claimed run with its `options`.

    The order of `writer` has caught up with the journal, whose events so far are `journalled`.
    """

    def __init__(
        self,
        run: Run,
        stages: tuple[str, ...],
        writer: JournalWriter,
        options: RunOptions = DEFAULTS,
        journalled: Iterable[events.Event] = (),
        earlier: EarlierOutput = NOTHING_EARLIER,
    ) -> None:
        self._ids = run.ids
        self._run_key = run.key
        self._log_key = run.log_key
        self._earlier = earlier
        self._locale = run.locale
        self._stages = stages
        self._results = ResultReader(run, options)
        self._writer = writer
        self._options = options
        self._texts = TextMessages(writer.order, run.ids, earlier.messages)
        self._reasoning: Reasoning | None = None
        self._activities: Activities | None = None
        self._subagents: Subagents | None = None
        self._calls = ToolCalls(writer.order, run.ids)
        self._deltas = Deltas(options.delta_semantics)
        self._state = StateUpdates(options, run.ids)
        self._shared = SharedState(run.ids, is_shared=not options.shows_state)
        self._notes = ToolHistory()
        self._artifacts = artifact_sink.ArtifactSink(run.log_key, options.keep_artifact)
        own = list(journalled)
        emitted = (*earlier.emitted, *without_snapshots(own, continues=bool(run.earlier)))
        most = outcomes.MAX_MESSAGES - MAX_ADDED if options.steering else outcomes.MAX_MESSAGES
        self._emitter = Emitter(writer, run.ids, emitted, most)
        self._taken = self._taken_messages(run, own) if options.steering else None
        self._continues_at_start = bool(run.earlier) and len(own) <= 1
        self._before_turn: CompletedMessage | None = None
        """The last message before the last tool result: a call belongs to a later message."""
        self._may_stream = options.streaming
        self._declined: str | None = None
        self.interaction: Interaction | None = None
        """What the runner asks its user when its run has ended; one at a time."""
        self.reported_usage: tuple[dict[str, Any], ...] = ()
        """What models have used that the runner called itself."""

    def _taken_messages(self, run: Run, own: Iterable[events.Event]) -> "TakenMessages":
        from yarrow.worker.results.taken_messages import TakenMessages  # here: few agents take any

        return TakenMessages(self._writer.order, run.ids, own, self._earlier.emitted, self._end_speech, self._emitter)

    def pending_calls(self, of_client: Collection[str]) -> list[str]:
        """Return the calls without a result, in order: the client makes them (EVT-32).

        Of runs that this one goes on from, these are the calls of the client's tools, whose names are `of_client`: what
        such a run leaves its client while it asks is not in its outcome.
        """
        order = self._writer.order
        before = {event.tool_call_id for event in self._earlier.emitted if isinstance(event, events.ToolCallStart)}
        return [
            call
            for call in order.calls.text
            if call not in order.results and (call not in before or order.tools[call] in of_client)
        ]

    async def run(
        self,
        runner: AgentRunner,
        context: AgentRunContext,
        api: AgentRunAPIProxy,
        turn: Turn | None = None,
        asking: RunQuestions | None = None,
    ) -> RunOutcome:
        """Run to the end, or to where the runner waits for answers; close what is open and return the outcome.

        Raises RunnerFailedError for failures of the runner, TurnEndedError if the turn ends otherwise, and what the
        writer and the artifact store raise. Cancelled, it closes the runner.
        """
        if self._continues_at_start and (state := state_after(self._earlier.emitted)) is not None:
            await self._emitter.write(
                [state]
            )  # the changes to come are of this state, which their readers may not have
        await self._begin_stages(self._stages[:1])
        await self._emitter.announce(self._state.begin(context.state))
        sent = None if context.adapter is None else context.adapter.extra.get("state")
        await self._emitter.announce(self._shared.begin(sent))
        self._notes = ToolHistory(context.event.data.get("tool_results", ()))
        self._texts.max_length = context.delivery.max_message_size
        waits = False
        progress = self._options.progress
        if progress is not None:
            progress.begin(self._writer, self._ids, self._log_key)
        try:
            await read_results(runner, context, api, self._take, turn)
        except TurnEndedError as ended:
            if asking is None or not ended.hand_over.asks:
                raise
            waits = asking.is_waiting = True
        finally:
            if progress is not None:
                await progress.close()
        await self._end_reasoning()
        await self._emitter.write(self._texts.end())
        await self._emitter.write(self._calls.close_unrepeated())
        if self._subagents is not None:
            await self._emitter.write(self._subagents.end_all(waits=waits))
        self._texts.owner = None
        questions = asking.asked if asking is not None and waits else []
        # One that an earlier worker began to show goes on under its id, by which the history knows it.
        await self._ask(one for one in questions if one.call.key in self._writer.order.texts.open)
        await self._emitter.write(self._writer.order.closing(self._ids))
        await self._ask(questions)
        outcome = outcomes.outcome(
            self._writer.order,
            self._texts.outputs,
            {} if waits else self._state.by_scope,
            self._notes.tool_use(without=self._earlier.calls, only_answered=waits),
            self._declined,
            self._shared.document,
            self._earlier.messages,
        )
        return outcome if self._taken is None else replace(outcome, messages=self._taken.placed(outcome.messages))

    async def _ask(self, questions: Iterable[WaitingQuestion]) -> None:
        """Show each question as a message, whose id is that of its step, once over all workers."""
        for one in questions:
            await self._emitter.write(
                self._texts.whole(one.call.key, one.question.fallback_text or one.question.message)
            )

    async def _begin_stages(self, stages: Iterable[str]) -> None:
        """Begin stages that have not begun yet; each ends the one before."""
        steps = self._writer.order.steps
        for stage in stages:
            if stage in self._stages and stage not in steps.text:
                await self._emitter.write(self._texts.end())
                await self._emitter.write(events.StepFinished(**self._ids, step_name=name) for name in list(steps.open))
                await self._emitter.write([events.StepStarted(**self._ids, step_name=stage)])

    async def show_taken(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Show messages that the user has added and the runner has taken, as it gets them (RNR-87)."""
        if self._taken is not None:
            await self._taken.show(messages)

    async def _end_speech(self) -> None:
        """End what the agent is saying: what it says next is another message."""
        await self._speak_as(None)
        await self._end_reasoning()
        await self._emitter.write(self._texts.end())
        self._deltas.end_segment()

    async def _take(self, yielded: object) -> bool:
        """Apply what the runner yielded. True if it is the last."""
        result = self._results.accept(yielded)
        if result is None or self._taken is None:
            return result is not None and await self._apply(result)
        async with self._taken.lock:
            return await self._apply(result)

    async def _apply(self, result: AgentRunResult) -> bool:
        """Apply a result. True if it is the last."""
        if result.type == "message.delta" and (plain := parsing.plain_delta(result.data)) is not None:
            await self._speak_as(None)
            await self._append_text(plain.content, is_final=plain.is_final, size=plain.size)
            return False
        payload = self._results.payload(result)
        if isinstance(payload, payloads.Attributed):
            await self._speak_as(payload.subagent_run_id)
        match payload:
            case payloads.MessageDelta(chunk=chunk):
                await self._append_text(chunk.text, is_final=chunk.is_final, size=parsing.size_of_delta(chunk.text))
                await self._keep_files(chunk)
            case payloads.ReasoningDelta() | payloads.ReasoningCompleted():
                await self._show_reasoning(payload)
            case payloads.MessageCompleted(message=message, output=output):
                await self._end_reasoning()
                await self._emitter.write(self._texts.complete(message.text, self._with_hints(output)))
                self._deltas.end_segment(message.text or None)
                await self._keep_files(message)
            case payloads.ToolCallStarted():
                await self._end_reasoning()
                await self._emitter.write(self._texts.end())
                self._deltas.end_segment()
                await self._emitter.write(self._calls.start(payload, self._message_of_step(), self._texts.owner))
                self._record_call(payload)
            case payloads.ToolCallCompleted():
                if self._calls.is_expected(payload):
                    parts = await self._artifacts.parts_of(payload)
                    await self._emitter.write(self._calls.complete(payload, await self._artifacts.show(payload), parts))
                call_id = self._calls.emitted_id(payload.tool_call_id)
                if call_id and call_id not in self._writer.order.owners:
                    self._notes.answer(call_id, content_of(payload))
                self._before_turn = self._texts.last
                self._calls.end_round()
            case payloads.Shown():
                await self._show(payload)
            case payloads.StageStarted(stage=stage):
                await self._begin_stages([stage])
            case payloads.RunFailed():
                self.reported_usage = payload.usage
                public = redaction.without_secrets(payload.public_message)
                raise RunnerFailedError(payload.code, public, retryable=payload.retryable)
            case payloads.RunCompleted():
                self._declined, self.reported_usage = payload.declined, payload.usage
                return True
            case _:
                if payload is not None and not await self._apply_other(payload):
                    self._results.warn("the run may not do this", result.type)
        return False

    async def _apply_other(self, payload: payloads.Payload | events.Event) -> bool:
        """Apply a result that is not part of the conversation. False if it is not allowed."""
        match payload:
            case payloads.StateUpdated():
                if not self._state.keep(payload):
                    return False
                await self._emitter.announce(self._state.show(payload))
            case payloads.StateChanged() | payloads.ActivityShown():
                if (changes := self._changes(payload)) is None:
                    return False
                await self._emitter.announce(changes)
            case payloads.SubagentBegan() | payloads.SubagentEnded() | payloads.SubagentFailed():
                return await self._nest(payload)
            case payloads.ArtifactCreated():
                return await self._create_artifact(payload)
            case payloads.ActionRequested(action=action) if action == INTERACTION_REQUESTED:
                await self._request_interaction(payload.payload)
            case payloads.ActionRequested(action=action):
                if action not in self._options.actions:
                    return False
                await self._emitter.announce(
                    [self._emitter.custom("action.requested", payload.model_dump(mode="json"))]
                )
            case payloads.CustomSent(name=name, value=value):
                if name not in self._options.custom_events:
                    return False
                await self._emitter.announce([self._emitter.custom(name, value)])
            case events.Custom():
                await self._emitter.announce([payload])
            case events.DeclaredEvent():
                if not self._writer.order.is_repeated(payload):
                    await self._emitter.write([payload])
        return True

    async def _request_interaction(self, requested: dict[str, Any]) -> None:
        """Note what the run's user is asked when it has ended; what cannot be asked is shown as text."""
        from yarrow.worker.results import interactions  # here: few runners request any

        try:
            interaction = interactions.read(requested, may_ask=self._options.interactions and self.interaction is None)
        except ValueError as error:
            self._results.warn(str(error), "action.requested")
            return
        if interaction.asked is not None:
            self.interaction = interaction
        await self._speak_as(None)
        await self._end_reasoning()
        await self._emitter.write(self._texts.end())
        self._deltas.end_segment()
        message_id = interaction.message_id(self._log_key)
        await self._emitter.write(self._texts.whole(message_id, interaction.request.fallback_text))

    async def _create_artifact(self, payload: payloads.ArtifactCreated) -> bool:
        """Store an artifact and announce it. False if it is not allowed."""
        if payload.run_id not in (None, self._run_key):
            return False
        if len(payload.content) > payloads.MAX_INLINE_BYTES:
            self._results.warn(content_parts.too_large(payloads.MAX_INLINE_BYTES), "artifact.created")
            return True
        kept = await self._artifacts.keep(
            payload.artifact_type, payload.mime_type, payload.content, payload.name, payload.metadata
        )
        if kept is None:
            return False
        await self._emitter.announce([self._emitter.custom("artifact.created", artifact_sink.reference(kept))])
        return True

    def _changes(self, payload: payloads.StateChanged | payloads.ActivityShown) -> list[events.Event] | None:
        """Return the events of a change to the shared state or an activity; None if it is not allowed or invalid."""
        if not isinstance(payload, payloads.ActivityShown | payloads.ActivityChanged):
            return self._shared.change(payload.operations)
        if self._activities is None:
            from yarrow.worker.results.activities import Activities  # here: few agents show any

            self._activities = Activities(self._ids, self._log_key)
        if isinstance(payload, payloads.ActivityChanged):
            return self._activities.change(payload.activity_id, payload.operations)
        return self._activities.show(
            payload.activity_id,
            payload.activity_type,
            payload.content,
            replace=payload.replace,
            owner=self._texts.owner,
        )

    async def _nest(self, payload: payloads.SubagentBegan | payloads.SubagentEnded | payloads.SubagentFailed) -> bool:
        """Begin or end a nested agent. False if it is one too many."""
        if self._subagents is None:
            from yarrow.worker.results.subagents import Subagents  # here: few agents call others

            self._subagents = Subagents(self._writer.order, self._ids, self._log_key)
        if isinstance(payload, payloads.SubagentBegan):
            call = self._calls.emitted_id(payload.parent_tool_call_id or "")
            started = self._subagents.start(payload, call)
            await self._emitter.write(started or ())
            return started is not None
        if self._texts.owner is not None and self._texts.owner == self._subagents.id_of(payload.subagent_run_id):
            await self._speak_as(None)
        if isinstance(payload, payloads.SubagentEnded):
            await self._emitter.write(self._subagents.finish(payload))
        else:
            await self._emitter.write(self._subagents.fail(payload, redaction.without_secrets(payload.message)))
        return True

    async def _speak_as(self, subagent: str | None) -> None:
        """Attribute what follows to a nested agent, None for the run's own; what another one said ends."""
        owner = None if subagent is None or self._subagents is None else self._subagents.id_of(subagent)
        if owner == self._texts.owner:
            return
        await self._end_reasoning()
        await self._emitter.write(self._texts.end())
        self._deltas.end_segment()
        self._texts.owner = owner
        if self._reasoning is not None:
            self._reasoning.owner = owner

    def _with_hints(self, output: dict[str, Any] | None) -> dict[str, Any] | None:
        """Return the output without malformed hints for clients."""
        if output is None or UI_HINTS not in output:
            return output
        from yarrow.worker.results import ui_hints  # here: few messages have any

        output, valid = ui_hints.checked(output, self._locale)
        if not valid:
            self._results.warn("malformed hints for clients", "message.completed")
        return output

    async def _show(self, result: payloads.Shown) -> None:
        """Emit a result for a workspace, and its message."""
        if result.content:
            await self._emitter.write(self._texts.end())
            self._deltas.end_segment()
            message_id = self._texts.id_of(result.message_id, result.content)
            await self._emitter.announce([self._emitter.custom(result.name, {**result.value, "messageId": message_id})])
            await self._emitter.write(self._texts.whole(message_id, result.content))
        else:
            await self._emitter.announce([self._emitter.custom(result.name, result.value)])

    async def _keep_files(self, words: payloads.MessageContent) -> None:
        """Store the files of a message as artifacts, each once."""
        for file in words.files:
            try:
                mime_type, content = file.decoded(payloads.MAX_INLINE_BYTES)
            except ValueError as refused:
                self._results.warn(str(refused), "message")
                continue
            name = None if file.name is None else payloads.base_name(file.name)
            if self._artifacts.has(content):
                continue
            self._results.charge(len(content))
            kept = await self._artifacts.keep(file.artifact_type, mime_type, content, name, {})
            if kept is None:
                self._results.warn("the run may not do this", "message")
            else:
                await self._emitter.announce([self._emitter.custom("artifact.created", artifact_sink.reference(kept))])

    async def _show_reasoning(self, shown: payloads.ReasoningDelta | payloads.ReasoningCompleted) -> None:
        if self._reasoning is None:
            from yarrow.worker.results.reasoning import Reasoning  # here: few agents show any

            self._reasoning = Reasoning(self._writer.order, self._ids)
            self._reasoning.owner = self._texts.owner
        if isinstance(shown, payloads.ReasoningDelta):
            await self._emitter.write(self._reasoning.append(shown.content))
        else:
            await self._emitter.write(self._reasoning.complete(shown.content, shown.encrypted_value))

    async def _end_reasoning(self) -> None:
        if self._reasoning is not None:
            await self._emitter.write(self._reasoning.end())

    async def _append_text(self, content: str, *, is_final: bool, size: int) -> None:
        """Emit and charge what a piece adds to the answer."""
        if self._reasoning is not None:
            await self._end_reasoning()
        if not self._may_stream:
            self._may_stream = True
            self._results.warn("deltas of a runner that declares none", "message.delta")  # but accepted (RNR-06)
        text, starts_message = self._deltas.add(content)
        self._results.charge(size if text is content else parsing.size_of_delta(text))
        if starts_message:
            await self._emitter.write(self._texts.end())
        await self._emitter.write(self._texts.append(text, is_final=is_final))
        if is_final:
            self._deltas.end_segment()

    def _message_of_step(self) -> str | None:
        last = self._texts.last
        if last is None or last is self._before_turn:
            return None
        return last.message_id if self._writer.order.owners.get(last.message_id) == self._texts.owner else None

    def _record_call(self, call: payloads.ToolCallStarted) -> None:
        last, call_id = self._texts.last, self._calls.emitted_id(call.tool_call_id)
        if call_id is not None and call_id not in self._writer.order.owners:
            self._notes.call(call_id, call.tool_name, call.parameters, None if last is None else last.message_id)
