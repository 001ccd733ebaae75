"""The runners this host can call, by id.

Source: `agent-runner.md` §3.1 (RNR-01 … RNR-03). `yarrow.runners.discovery` finds and checks them; the result is cached
in the process once no candidate was rejected.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import replace
from functools import partial

from yarrow.observability.logs import logger
from yarrow.protocol.runner.manifest import ListAgentRunnersResponse
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners import discovery
from yarrow.runners.discovery import Candidate, Rejected, Source
from yarrow.worker.invocation import remote_runner
from yarrow.worker.invocation.isolation import IsolatedRunner


class RunnerNotFoundError(LookupError):
    """No runner has this id (RNR-13)."""

    def __init__(self, runner_id: str) -> None:
        super().__init__(f"there is no runner {runner_id}")
        self.runner_id = runner_id


class Registry:
    """The bundled runners, then those of other sources, in the order given."""

    def __init__(self, *others: Source) -> None:
        self._others = others
        self._found: tuple[InstalledRunner, ...] | None = None
        self._reported: set[Rejected] = set()

    def find(self, runner_id: str) -> InstalledRunner:
        """The runner with an id. Raises RunnerNotFoundError.

        For a bundled runner only that one is imported and other sources are not searched, which keeps cold starts
        short.
        """
        place = discovery.BUILT_IN.get(runner_id)
        if place is not None:
            return discovery.checked(discovery.load(place))
        for runner in self._installed:
            if runner.manifest.id == runner_id:
                return runner
        raise RunnerNotFoundError(runner_id)

    def list_agent_runners(self) -> ListAgentRunnersResponse:
        """The answer to LIST_AGENT_RUNNERS, which has no payload (RNR-01)."""
        return ListAgentRunnersResponse(runners=tuple(runner.manifest for runner in self._installed))

    @property
    def _installed(self) -> tuple[InstalledRunner, ...]:
        """All usable runners. Rejected candidates are tried again on the next call."""
        if self._found is None:
            found = list(discovery.discover([discovery.built_in, *self._others]))
            rejected = [each for each in found if isinstance(each, Rejected)]
            for each in rejected:
                if each not in self._reported:
                    logger.warning("a runner is not used", extra={"runner": each.name, "reason": each.reason})
            self._reported.update(rejected)
            usable = tuple(each for each in found if isinstance(each, InstalledRunner))
            if rejected:
                return usable
            self._found = usable
        return self._found


def _isolated_entry_points() -> Iterator[Candidate]:
    """Packages' entry points are foreign code and run isolated (RNR-72)."""
    return (candidate._replace(load=partial(_isolated, candidate.load)) for candidate in discovery.entry_points())


def _isolated(load: Callable[[], object]) -> InstalledRunner:
    runner = discovery.checked(load())
    return replace(runner, create=lambda: IsolatedRunner(_CreatedInThread(runner.create), runner.manifest.id))


class _CreatedInThread:
    """Creates the runner inside its thread: `create` is foreign code too and may block or raise."""

    def __init__(self, create: Callable[[], AgentRunner]) -> None:
        self._create = create

    def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        return self._create().run(context, api)


registry = Registry(_isolated_entry_points, remote_runner.installed)
"""The registry of this process."""
