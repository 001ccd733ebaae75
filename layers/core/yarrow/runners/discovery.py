"""Discovery of the bundled runners and those of installed packages.

Source: `agent-runner.md` §3.1. It loads and checks candidates and reports the rejected ones;
`yarrow.worker.invocation.registry` logs them, caches the result and looks runners up.
"""

import importlib
import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from pydantic import BaseModel

from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentEvent, InstalledRunner
from yarrow.protocol.runner.vocabulary import RESULT_TYPES

BUILT_IN: Final[Mapping[str, str]] = {
    "plugin:yarrow/assistant/default": "yarrow.runners.assistant.runner:RUNNER",
    "plugin:yarrow/divination/default": "yarrow.runners.divination.runner:RUNNER",
}
"""The module of each bundled runner, listed here because the Lambda layer has no package metadata."""

ENTRY_POINTS: Final = "yarrow.runners"
"""The entry point group in which packages name their InstalledRunner objects."""


class Candidate(NamedTuple):
    """A possible runner: its name in the source, and how to load it."""

    name: str
    load: Callable[[], object]


Source = Callable[[], Iterable[Candidate]]
"""Where candidates come from, in order of precedence.

It must not raise: a failure is a candidate that does not load.
"""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected candidate and the reason."""

    name: str
    reason: str


def built_in() -> Iterator[Candidate]:
    """The bundled runners."""
    for runner_id, place in BUILT_IN.items():
        yield Candidate(runner_id, partial(load, place))


def load(place: str) -> object:
    """The object at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def entry_points() -> Iterator[Candidate]:
    """The entry points of installed packages, sorted by name, so that the order is stable."""
    found = importlib.metadata.entry_points(group=ENTRY_POINTS)
    for each in sorted(found, key=lambda point: (point.name, point.value)):
        yield Candidate(f"{each.name} = {each.value}", each.load)


def discover(sources: Iterable[Source]) -> Iterator[InstalledRunner | Rejected]:
    """The runners of all sources, in order, and the rejected candidates (RNR-01, RNR-03).

    A candidate that fails does not affect others. Of several with one id the first wins, so no package can replace
    another's runner or a bundled one.
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
    """A loaded runner whose manifest is valid and JSON, and whose events are its own. Raises TypeError, ValueError."""
    if not isinstance(loaded, InstalledRunner):
        raise TypeError("not an InstalledRunner")
    if not isinstance(loaded.manifest, AgentRunnerManifest):
        raise TypeError("its manifest is not an AgentRunnerManifest")
    # Read back from JSON, for a model may have been made without being checked.
    manifest = AgentRunnerManifest.model_validate_json(loaded.manifest.model_dump_json(warnings=False))
    for type_, event in loaded.events.items():
        _check_event(manifest, type_, event)
    return InstalledRunner(manifest=manifest, create=loaded.create, events=loaded.events)


def _check_event(manifest: AgentRunnerManifest, type_: str, event: AgentEvent) -> None:
    if not isinstance(event, AgentEvent) or not issubclass(event.data, BaseModel):
        raise TypeError(f"events[{type_!r}] is not an AgentEvent with a pydantic model")
    if type_ in RESULT_TYPES:
        raise ValueError(f"events declares {type_}, which is a result type of the protocol")
    author = manifest.id.removeprefix("plugin:").partition("/")[0]
    if not event.name.startswith(f"{author}."):
        raise ValueError(f"the name of event {event.name} does not begin with {author}.")
