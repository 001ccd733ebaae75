"""The callable runners, by id (`agent-runner.md` §3.1; RNR-01 … RNR-03). The candidates that an id names are imported
first, the others only if it is not among these. Loaded runners are kept for the process.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import replace
from functools import partial
from pkgutil import resolve_name

from yarrow.observability.logs import logger
from yarrow.protocol.runner.manifest import ListAgentRunnersResponse
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners import discovery
from yarrow.runners.discovery import Candidate, RejectedRunner, Source
from yarrow.worker.invocation import remote_runner
from yarrow.worker.invocation.isolation import IsolatedRunner


class RunnerNotFoundError(LookupError):
    """No runner has this id (RNR-13)."""

    def __init__(self, runner_id: str) -> None:
        super().__init__(f"there is no runner {runner_id}")
        self.runner_id = runner_id


class Registry:
    """The runners by id: bundled ones take precedence, then `others` in order."""

    def __init__(self, *others: Source) -> None:
        self._others = others
        self._loaded: dict[str, InstalledRunner] = {}
        self._reported: set[RejectedRunner] = set()

    def find(self, runner_id: str) -> InstalledRunner:
        """Return a runner. Raises RunnerNotFoundError. A bundled runner is imported alone, for a short cold start."""
        place = discovery.BUILT_IN.get(runner_id)
        if place is not None:
            return discovery.checked(resolve_name(place))
        for runner in self._loaded.values():
            if runner.manifest.id == runner_id:
                return runner
        for candidate in self._likely_first(runner_id):
            loaded = discovery.load(candidate)
            if isinstance(loaded, RejectedRunner):  # it is tried again with the next call
                self._report(loaded)
                continue
            self._loaded[candidate.name] = loaded
            if loaded.manifest.id == runner_id:
                return loaded
        raise RunnerNotFoundError(runner_id)

    def list_agent_runners(self) -> ListAgentRunnersResponse:
        """List all runners (RNR-01). This imports them all, since their manifests are in their code."""
        manifests = []
        for discovered in discovery.discover([discovery.built_in, *self._others]):
            if isinstance(discovered, RejectedRunner):
                self._report(discovered)
            else:
                manifests.append(discovered.manifest)
        return ListAgentRunnersResponse(runners=tuple(manifests))

    def _likely_first(self, runner_id: str) -> Iterator[Candidate]:
        others = []
        for source in self._others:
            for candidate in source():
                if candidate.name in self._loaded:
                    continue
                if candidate.may_be(runner_id):
                    yield candidate
                else:
                    others.append(candidate)
        yield from others

    def _report(self, rejected: RejectedRunner) -> None:
        if rejected not in self._reported:
            self._reported.add(rejected)
            logger.warning("a runner was ignored", extra={"runner": rejected.name, "reason": rejected.reason})


def _isolated_entry_points() -> Iterator[Candidate]:
    """Isolate the runners of entry points: they are foreign code (RNR-72)."""
    return (candidate._replace(load=partial(_isolated, candidate.load)) for candidate in discovery.entry_points())


def _isolated(load: Callable[[], object]) -> InstalledRunner:
    runner = discovery.checked(load())
    return replace(runner, create=lambda: IsolatedRunner(_CreatedInThread(runner.create), runner.manifest.id))


class _CreatedInThread:
    """Creates the runner inside its thread: `create` may block or raise too."""

    def __init__(self, create: Callable[[], AgentRunner]) -> None:
        self._create = create

    def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        return self._create().run(context, api)


registry = Registry(_isolated_entry_points, remote_runner.installed)
