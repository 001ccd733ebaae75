"""Lists the agents of the deployment, for clients that let their user choose one."""

from yarrow.agents import bindings
from yarrow.agents.bindings import Binding
from yarrow.agents.capabilities import runner_of
from yarrow.protocol.agent_list import AgentItem, AgentList, Surface
from yarrow.protocol.runner.manifest import text_in
from yarrow.settings import settings


def list_agents(locale: str | None) -> AgentList:
    """Return every agent of the deployment: its users may use all of them."""
    language = locale or settings.default_locale
    return AgentList(agents=tuple(_item(binding, language) for binding in bindings.deployed().values()))


def _item(binding: Binding, locale: str) -> AgentItem:
    descriptor, runner = binding.descriptor, runner_of(binding.policy)
    label = None if runner is None else text_in(runner.manifest.label, locale)
    return AgentItem(
        name=binding.agent,
        label=label or binding.agent,
        modes=descriptor.modes,
        surfaces=_surfaces(binding),
        input=descriptor.input if binding.rules.members else None,
        task_name=binding.task_name,
        is_default=binding.agent == settings.default_agent,
        is_steerable=runner is not None and runner.manifest.capabilities.steering,
    )


def _surfaces(binding: Binding) -> tuple[Surface, ...]:
    modes = set(binding.descriptor.modes)
    found: dict[Surface, bool] = {
        "agui": bool(modes - {"automation"}),
        "workspace": binding.task_name is not None,
        "automation": "automation" in modes,
    }
    return tuple(surface for surface, is_met in found.items() if is_met)
