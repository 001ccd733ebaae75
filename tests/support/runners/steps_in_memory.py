"""Steps of runs in memory, as `yarrow.store.runner.steps` stores them."""

from yarrow.store.runner.steps import Step
from yarrow.store.table import ConditionFailedError


class StepsInMemory:
    """`attempts` are the current workers by run; without one, every worker has the run."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, str], Step] = {}
        self.attempts: dict[str, int] = {}

    def of(self, run_key: str) -> list[Step]:
        """Return the steps by id."""
        return [step for (key, _), step in sorted(self.stored.items()) if key == run_key]

    def read(self, run_key: str, step_id: str, /) -> Step | None:
        return self.stored.get((run_key, step_id))

    def loaded(self, _run_key: str, step: Step, /) -> Step:
        return step

    def begin(self, log_key: str, step: Step, run_key: str, /) -> None:
        is_held = self.attempts.get(run_key, step.attempt) == step.attempt
        is_new = (log_key, step.id) not in self.stored
        if not (is_held and is_new):
            raise ConditionFailedError([not is_held, not is_new])
        self.stored[log_key, step.id] = step

    def end(self, run_key: str, step: Step, /) -> Step:
        first = self.stored.get((run_key, step.id))
        if first is None or not first.has_ended:
            first = self.stored[run_key, step.id] = step
        return first

    def forget(self, log_key: str, step: Step, /) -> None:
        if self.stored.get((log_key, step.id)) == step:
            del self.stored[log_key, step.id]
