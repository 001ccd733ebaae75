"""Discovers bundled and installed runners.

Source: `agent-runner.md` §3.1. `yarrow.worker.invocation.registry` logs rejected candidates and caches the result.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import BaseModel

from yarrow.packages import declared
from yarrow.protocol.events.event_types import EventType
from yarrow.protocol.runner.manifest import AgentRunnerManifest, surface_of
from yarrow.protocol.runner.models import AgentEvent, InstalledRunner
from yarrow.protocol.runner.vocabulary import RESULT_TYPES

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS: Final = "yarrow.runners"
"""Entry point group of InstalledRunner objects."""

BUILT_IN: Final[Mapping[str, str]] = declared.bundled(ENTRY_POINTS)
"""The places of bundled runners by id."""


class Candidate(NamedTuple):
    """A runner to load, named as in its source. `key` is known before: an entry point's name or a runner id."""

    name: str
    load: Callable[[], object]
    key: str = ""

    def may_be(self, runner_id: str) -> bool:
        """Return whether its key names this runner: by its id, or its plugin's name."""
        return self.key in (runner_id, *runner_id.split("/")[1:2])


Source = Callable[[], Iterable[Candidate]]
"""A source of candidates. It must not raise: a failure is a candidate that does not load."""


@dataclass(frozen=True, slots=True)
class RejectedRunner:
    name: str
    reason: str


def built_in() -> Iterator[Candidate]:
    for runner_id, place in BUILT_IN.items():
        yield Candidate(runner_id, partial(resolve_name, place), runner_id)


def entry_points() -> Iterator[Candidate]:
    """Find installed runners, sorted by name for a stable order."""
    for point in declared.installed(ENTRY_POINTS):
        yield Candidate(f"{point.name} = {point.value}", partial(_loaded, point), point.name)


def _loaded(point: "EntryPoint") -> object:
    """Import a runner, and note the distribution that it is from."""
    loaded, distribution = point.load(), point.dist
    if distribution is None or not isinstance(loaded, InstalledRunner):
        return loaded
    return replace(loaded, version=f"{distribution.name} {distribution.version}")


def discover(sources: Iterable[Source]) -> Iterator[InstalledRunner | RejectedRunner]:
    """Load the runners of all sources in order, and report rejected candidates (RNR-01, RNR-03).

    The first of several with one id wins, so no package can replace another's runner or a bundled one.
    """
    taken: dict[str, str] = {}
    for source in sources:
        for candidate in source():
            runner = load(candidate)
            if isinstance(runner, RejectedRunner):
                yield runner
                continue
            runner_id = runner.manifest.id
            if runner_id in taken:
                yield RejectedRunner(candidate.name, f"{runner_id} is already the id of {taken[runner_id]}")
                continue
            taken[runner_id] = candidate.name
            yield runner


def find(runner_id: str) -> InstalledRunner | None:
    """Load a bundled or installed runner, without others unless none is named so; None if there is no such one.

    It is not isolated, so it is not to be run.
    """
    place = BUILT_IN.get(runner_id)
    if place is not None:
        return checked(resolve_name(place))
    for candidate in sorted(entry_points(), key=lambda candidate: not candidate.may_be(runner_id)):
        runner = load(candidate)
        if isinstance(runner, InstalledRunner) and runner.manifest.id == runner_id:
            return runner
    return None


def load(candidate: Candidate) -> InstalledRunner | RejectedRunner:
    try:
        return checked(candidate.load())
    except Exception as error:  # noqa: BLE001 (loading runs foreign code; the error is reported)
        return RejectedRunner(candidate.name, f"{type(error).__name__}: {error}")


def checked(loaded: object) -> InstalledRunner:
    """Validate manifest, surface and events.

    Raises TypeError, ValueError.
    """
    if not isinstance(loaded, InstalledRunner):
        raise TypeError("not an InstalledRunner")
    if not isinstance(loaded.manifest, AgentRunnerManifest):
        raise TypeError("its manifest is not an AgentRunnerManifest")
    # Via JSON: a model may be constructed without validation.
    manifest = AgentRunnerManifest.model_validate_json(loaded.manifest.model_dump_json(warnings=False))
    surface_of(manifest.metadata)
    for type_, event in loaded.events.items():
        _check_event(manifest, type_, event)
    return replace(loaded, manifest=manifest)


def _check_event(manifest: AgentRunnerManifest, type_: str, event: AgentEvent) -> None:
    if not isinstance(event, AgentEvent) or not issubclass(event.data, BaseModel):
        raise TypeError(f"events[{type_!r}] is not an AgentEvent with a pydantic model")
    if type_ in RESULT_TYPES:
        raise ValueError(f"events declares {type_}, which is a result type of the protocol")
    author = manifest.id.removeprefix("plugin:").partition("/")[0]
    if not event.name.startswith(f"{author}."):
        raise ValueError(f"the name of event {event.name} does not begin with {author}.")
    if event.type is not None and (not isinstance(event.type, EventType) or event.type.name != event.name):
        raise ValueError(f"the type of event {event.name} is not an EventType with its name")
