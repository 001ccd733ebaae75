"""Which input rules are found, and which are not."""

import importlib.metadata
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.support.system_agents import agent
from yarrow.agents import bindings
from yarrow.agents.descriptors import SystemAgentsError
from yarrow.protocol.run_input.rules import InputRules
from yarrow.runners import input_discovery

TAROT = InputRules(members=frozenset({"tarot"}))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package whose entry points name rules, what is none, and what cannot be imported."""
    package = ModuleType("acme_rules")
    package.TAROT, package.TEA = TAROT, object()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "acme_rules", package)
    places = {"tarot": "acme_rules:TAROT", "tea": "acme_rules:TEA", "lost": "acme_nowhere:RULES"}
    places |= {"divination": "acme_rules:TAROT"}
    group = input_discovery.ENTRY_POINTS
    points = [importlib.metadata.EntryPoint(name, place, group) for name, place in places.items()]
    requests: list[str] = []

    def entry_points(*, group: str) -> list[importlib.metadata.EntryPoint]:
        requests.append(group)
        return points

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    input_discovery.find.cache_clear()
    yield
    input_discovery.find.cache_clear()
    assert set(requests) == {"yarrow.input_rules"}


@pytest.mark.usefixtures("installed")
def test_a_package_brings_rules_that_its_agent_names() -> None:
    """AUT-05, FWD-01: and with them the members that imply a run to be its own."""
    bound = bindings.bind({"tarot": agent(input="tarot", implied_by={"forwarded_props": ["tarot"]})})
    assert bound["tarot"].rules is TAROT
    assert input_discovery.names() == ("plain", "assistant", "divination", "guided_cast", "lost", "tarot", "tea")


@pytest.mark.usefixtures("installed")
def test_no_package_replaces_the_rules_of_yarrow() -> None:
    """RNR-03: The rule is that of runners."""
    assert "divinationPayload" in input_discovery.find("divination").members
    with pytest.raises(input_discovery.RulesNotFoundError):
        input_discovery.find("nothing")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("tea", "agents.oracle: input tea cannot be used: TypeError: not an InputRules"),
        ("lost", "agents.oracle: input lost cannot be used: ModuleNotFoundError: No module named 'acme_nowhere'"),
        (
            "leaves",
            "agents.oracle: input is one of plain, assistant, divination, guided_cast, lost, tarot, tea, not leaves",
        ),
    ],
)
def test_rules_that_cannot_be_used_are_told(name: str, fault: str) -> None:
    """AUT-05: when a function starts."""
    with pytest.raises(SystemAgentsError) as caught:
        bindings.bind({"oracle": agent(input=name)})
    assert str(caught.value) == fault
