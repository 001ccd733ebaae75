"""Finding the runners there are: those that come with Yarrow, and those that other packages install.

Source: `agent-runner.md` §3.1. Discovery loads, checks and tells what it could not use; who logs that, keeps what was
found and looks runners up for a run is `yarrow.worker.invocation.registry`.
"""

import importlib
import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import InstalledRunner

BUILT_IN: Final[Mapping[str, str]] = {
    "plugin:yarrow/assistant/default": "yarrow.runners.assistant.runner:RUNNER",
    "plugin:yarrow/divination/default": "yarrow.runners.divination:RUNNER",
}
"""Where the runner of each id is. Named here, for the Lambda layer has no package metadata to find them by."""

ENTRY_POINTS: Final = "yarrow.runners"
"""The group of entry points in which another package names its InstalledRunner objects."""


class Candidate(NamedTuple):
    """Something that may be a runner: how its source calls it, and how to load it."""

    name: str
    load: Callable[[], object]


Source = Callable[[], Iterable[Candidate]]
"""Where candidates come from, e.g. a configuration that lists them; the order is that of precedence.

It raises nothing: what cannot be had is a candidate that does not load.
"""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that is not listed, and why."""

    name: str
    reason: str


def built_in() -> Iterator[Candidate]:
    """The runners that come with Yarrow."""
    for runner_id, place in BUILT_IN.items():
        yield Candidate(runner_id, partial(load, place))


def load(place: str) -> object:
    """The object at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def entry_points() -> Iterator[Candidate]:
    """What installed packages offer, in the order of the names, so that it is the same everywhere."""
    found = importlib.metadata.entry_points(group=ENTRY_POINTS)
    for each in sorted(found, key=lambda point: (point.name, point.value)):
        yield Candidate(f"{each.name} = {each.value}", each.load)


def discover(sources: Iterable[Source]) -> Iterator[InstalledRunner | Rejected]:
    """Every runner of the sources, in their order, and every candidate that is none (RNR-01, RNR-03).

    One that does not load or is not declared well does not keep the others off the list. Of several with one id the
    first is the runner and the others are rejected: no package can take the place of another one's runner, or of one
    that comes with Yarrow.
    """
    taken: dict[str, str] = {}
    for source in sources:
        for candidate in source():
            try:
                runner = checked(candidate.load())
            except Exception as error:  # noqa: BLE001 (loading runs foreign code; what it raised is told)
                yield Rejected(candidate.name, f"{type(error).__name__}: {error}")
                continue
            runner_id = runner.manifest.id
            if runner_id in taken:
                yield Rejected(candidate.name, f"{runner_id} is the id of {taken[runner_id]} already")
                continue
            taken[runner_id] = candidate.name
            yield runner


def checked(loaded: object) -> InstalledRunner:
    """What was loaded, if it is a runner whose manifest keeps every rule and is JSON. Raises TypeError, ValueError."""
    if not isinstance(loaded, InstalledRunner):
        raise TypeError("not an InstalledRunner")
    if not isinstance(loaded.manifest, AgentRunnerManifest):
        raise TypeError("its manifest is not an AgentRunnerManifest")
    # Read back from JSON, for a model may have been made without being checked.
    manifest = AgentRunnerManifest.model_validate_json(loaded.manifest.model_dump_json(warnings=False))
    return InstalledRunner(manifest=manifest, create=loaded.create)
