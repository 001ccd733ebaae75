"""A runner in the place of the divination agent's own: what that may do and is given, and another one's results."""

from collections.abc import Callable

import pytest

from yarrow.protocol.runner.models import AgentRunner, InstalledRunner
from yarrow.runners.divination import runner as divination
from yarrow.worker.invocation.registry import registry


def stand_in(create: Callable[[], AgentRunner]) -> InstalledRunner:
    """The runner under the divination agent's manifest."""
    return InstalledRunner(divination.RUNNER.manifest, create)


def install(monkeypatch: pytest.MonkeyPatch, create: Callable[[], AgentRunner]) -> None:
    """Have every run call it."""
    monkeypatch.setattr(registry, "find", lambda _: stand_in(create))
