"""Running one runner against one journal: its results become the run's events.

Source: `agent-runner.md` §6, with the stages of the binding as steps (C32). What the results mean for later runs, the
answer and the state to keep, is returned, to be published when the run is ended.
"""

from collections.abc import Iterable
from contextlib import aclosing
from dataclasses import replace

from aws_lambda_powertools import Logger

from yarrow.host.journal_writer import JournalWriter
from yarrow.host.speech import Speech
from yarrow.protocol import events
from yarrow.protocol.divination import Divination
from yarrow.protocol.runner import AgentRunContext, AgentRunner, AgentRunResult
from yarrow.store.runs import Outcome, Run

logger = Logger()


class RunnerFailedError(Exception):
    """The runner ended with `run.failed`: a public code and message."""

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
        self._outcome = Outcome()

    async def run(self, runner: AgentRunner, context: AgentRunContext) -> Outcome:
        """Run to the end, close what is open and return what it came to.

        Raises RunnerFailedError, or whatever the runner raised.
        """
        steps = [events.StepStarted(**self._ids, step_name=stage) for stage in self._stages]
        await self._write(step for step in steps if step.step_name not in self._writer.order.open_steps)
        async with aclosing(runner.run(context)) as results:
            async for result in results:
                if result.run_id != context.run_id:
                    raise RunnerFailedError("runner.error", "the agent answered for another run")
                if result.type == "run.completed":
                    break
                await self._take(result)
        await self._write(self._writer.order.closing(self._ids))
        return self._outcome

    async def _take(self, result: AgentRunResult) -> None:
        data = result.data
        match result.type:
            case "message.delta":
                await self._write(self._speech.say(data["chunk"]["content"]))
            case "message.completed":
                output = data.get("output")
                await self._write(self._speech.complete(data["message"]["content"], output or {}))
                completed = self._speech.take_completed()
                if completed is not None:
                    message_id, content = completed
                    self._outcome = replace(self._outcome, message_id=message_id, content=content, output=output)
            case "state.updated":
                kept = {**(self._outcome.state or {}), data["key"]: data["value"]}
                self._outcome = replace(self._outcome, state=kept)
            case "divination.derived":
                if not self._writer.order.derived:
                    divination = Divination.model_validate(data["divination"])
                    await self._writer.write(events.DivinationDerived(**self._ids, divination=divination))
            case "run.failed":
                raise RunnerFailedError(data["code"], data.get("message") or data["error"])
            case unknown:
                logger.warning("unknown result type", extra={"result_type": unknown, "run_id": result.run_id})

    async def _write(self, written: Iterable[events.Event]) -> None:
        for event in written:
            await self._writer.write(event)
