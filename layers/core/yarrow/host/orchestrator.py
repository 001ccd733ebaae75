"""Running one runner against one journal: its results become the run's events.

Source: `agent-runner.md` §6, with the stages of the binding as steps (C32). What the results mean for later runs, the
answer and the state to keep, is returned, to be published when the run is ended. A runner is foreign code; the rules:

- a result of a type the host does not act on, a malformed one, one heard before and what it may not do are passed over
  with a warning, and the run goes on (RNR-32, RNR-33, RNR-36, RNR-41);
- `run.failed`, results for another run and results without measure fail the run with a public message (RNR-40, RNR-42);
- `run.completed` or the end of the results completes it; what comes after is not heard (RNR-39);
- the answer is the last message the agent ended, or left open at the end.
"""

from collections.abc import AsyncGenerator, Iterable
from typing import Any

from aws_lambda_powertools import Logger

from yarrow.host import results
from yarrow.host.journal_writer import JournalWriter
from yarrow.host.speech import Message, Speech
from yarrow.host.tool_calls import ToolCalls
from yarrow.protocol import events, json_text
from yarrow.protocol.runner import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.protocol.runner_proxy import AgentRunAPIProxy
from yarrow.store.runs import Outcome, Run

logger = Logger()

MAX_ITEM_BYTES = 320 * 1024
"""The JSON of one event, and of the outcome: each goes into one item of the table, which holds 400 KB."""

MAX_STATE_KEYS = 50
"""How many values of the state one run may keep: they are all written in the transaction that ends it."""


class RunnerFailedError(Exception):
    """The run cannot go on because of its runner: a public code and message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Orchestrator:
    """Drives the runner of a claimed run. The order of `writer` has caught up with the journal."""

    def __init__(self, run: Run, stages: tuple[str, ...], writer: JournalWriter) -> None:
        self._ids = run.ids
        self._stages = stages
        self._writer = writer
        self._speech = Speech(writer.order, run.ids)
        self._calls = ToolCalls(writer.order, run.ids)
        self._state: dict[str, Any] = {}
        self._before_turn: Message | None = None
        """What was last said before the last result of a tool: a call belongs to what was said since."""
        self._sequence: int | None = None
        self._bytes = 0

    async def run(self, runner: AgentRunner, context: AgentRunContext, api: AgentRunAPIProxy) -> Outcome:
        """Run to the end, close what is open and return what it came to.

        Raises RunnerFailedError, or whatever the runner raised.
        """
        begun = self._writer.order.steps.text
        await self._write(events.StepStarted(**self._ids, step_name=each) for each in self._stages if each not in begun)
        heard = runner.run(context, api)
        try:
            async for result in heard:
                if result.run_id != context.run_id:
                    raise RunnerFailedError("runner.error", "the agent answered for another run")
                if self._is_new(result) and await self._take(result):
                    break
        finally:
            await _close(heard)
        await self._write(self._speech.end())
        await self._write(self._calls.give_up_unheard())
        await self._write(self._writer.order.closing(self._ids))
        return self._outcome()

    def _is_new(self, result: AgentRunResult) -> bool:
        """Whether a result was not heard before, by the runner's own numbers if it has any (RNR-41)."""
        if result.sequence is None:
            return True
        last, self._sequence = self._sequence, result.sequence
        if last is None or result.sequence == last + 1:
            return True
        if result.sequence > last:
            self._warn("results are missing", result)
            return True
        self._sequence = last
        self._warn("a result came twice", result)
        return False

    async def _take(self, result: AgentRunResult) -> bool:
        """Act on a result. True when it is the last."""
        payload = self._payload(result)
        match payload:
            case results.MessageDelta(chunk=chunk):
                await self._write(self._speech.say(chunk.content or "", is_final=chunk.is_final))
            case results.MessageCompleted(message=message, output=output):
                await self._write(self._speech.complete(message.content or "", output))
            case results.ToolCallStarted():
                await self._write(self._speech.end())
                await self._write(self._calls.start(payload, self._said_this_turn()))
            case results.ToolCallCompleted():
                await self._write(self._calls.complete(payload))
                self._before_turn = self._speech.last
            case results.StateUpdated(scope=scope, key=key, value=value):
                if scope != "conversation" or (key not in self._state and len(self._state) == MAX_STATE_KEYS):
                    self._warn("state that may not be kept", result)
                else:
                    self._state[key] = value
            case results.DivinationDerived(divination=divination):
                if not self._writer.order.derived:
                    await self._write([events.DivinationDerived(**self._ids, divination=divination)])
            case results.RunFailed():
                raise RunnerFailedError(payload.code, payload.public_message)
            case results.RunCompleted():
                return True
        return False

    def _said_this_turn(self) -> str | None:
        last = self._speech.last
        return None if last is None or last is self._before_turn else last.message_id

    def _payload(self, result: AgentRunResult) -> results.Payload | None:
        """What a result says; None when the host does not act on it."""
        if not results.is_known(result.type):
            self._warn("unknown result type", result)
            return None
        try:
            text = results.to_json(result.data)
            self._measure(text)
            return results.read(result.type, text)
        except ValueError:
            self._warn("malformed result", result)
            return results.TERMINAL.get(result.type)

    def _measure(self, text: str) -> None:
        size = len(text.encode())
        self._bytes += size
        if size > results.MAX_RESULT_BYTES or self._bytes > results.MAX_RUN_BYTES:
            raise RunnerFailedError("payload_too_large", "the agent's results are too large")

    def _outcome(self) -> Outcome:
        last, state = self._speech.last, self._state or None
        outcome = Outcome(state=state) if last is None else Outcome(last.message_id, last.content, last.output, state)
        _require_item(json_text.dumps([outcome.content, outcome.output, state]))
        return outcome

    async def _write(self, written: Iterable[events.Event]) -> None:
        for event in written:
            if not isinstance(event, events.TextMessageContent | events.ToolCallArgs):  # MAX_DELTA_LENGTH bounds these
                _require_item(events.encode(event))
            await self._writer.write(event)

    def _warn(self, what: str, result: AgentRunResult) -> None:
        logger.warning(what, extra={"result_type": ascii(result.type), **self._ids})


def _require_item(text: str) -> None:
    if len(text.encode()) > MAX_ITEM_BYTES:
        raise RunnerFailedError("payload_too_large", "the agent's answer is too large")


async def _close(heard: AsyncGenerator[AgentRunResult]) -> None:
    """Close the results. How the runner takes that changes nothing any more."""
    try:
        await heard.aclose()
    except Exception:
        logger.exception("the agent did not close well")
