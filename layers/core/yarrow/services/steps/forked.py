"""The steps of a run that was forked from another one (STP-09): those of the other answer, and stay in its log."""

from collections.abc import Sequence

from yarrow.protocol.interrupts import APPROVE
from yarrow.store import runs
from yarrow.store.runner import steps
from yarrow.store.runner.steps import Step


class ForkedSteps:
    """The log of a forked run, a `StepStore`. `own` are the steps of its earlier workers.

    `given` are the steps of the other run that answer. What the fork has made itself counts before them: a worker of
    the other run that was replaced may end a step late.

    What its user was asked about a call of a tool is asked again unless the call itself answers: an approval is of one
    execution. Raises LookupError if the steps have expired.
    """

    def __init__(self, fork: runs.Fork, own: Sequence[Step] = ()) -> None:
        self._run_key = fork.run_key
        before = steps.before(steps.read_all(fork.run_key), fork.step_id)
        if before is None:
            raise LookupError(f"the steps of run {fork.run_key} have expired")
        made = {step.id for step in own}
        self.given = [step for step in before if step.has_ended and step.action != APPROVE and step.id not in made]
        self.recorded = [*self.given, *own]
        """All steps that answer."""
        self._ids = {step.id for step in self.given}

    def read(self, log_key: str, step_id: str) -> Step | None:
        return steps.read(log_key, step_id)

    def loaded(self, log_key: str, step: Step) -> Step:
        return steps.loaded(self._run_key if step.id in self._ids else log_key, step)

    def begin(self, log_key: str, step: Step, run_key: str) -> None:
        steps.begin(log_key, step, run_key)

    def end(self, log_key: str, step: Step) -> Step:
        return steps.end(log_key, step)

    def forget(self, log_key: str, step: Step) -> None:
        steps.forget(log_key, step)
