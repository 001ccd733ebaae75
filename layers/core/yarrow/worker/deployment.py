"""Checks a deployment's models, agents and parameters when the worker's function starts."""

from collections.abc import Set

from yarrow.agents import deployment_checks, descriptors
from yarrow.agents.bindings import Binding, deployed
from yarrow.observability.logs import logger
from yarrow.protocol.runner.manifest import surface_of
from yarrow.protocol.runner.vocabulary import WorkspaceEvent
from yarrow.services.models import parameter as models_parameter
from yarrow.services.tools.builtin import TOOLS
from yarrow.settings import settings
from yarrow.worker.invocation.registry import RunnerNotFoundError, registry


def check_deployment() -> None:
    """Log and raise ModelsError, SystemAgentsError or what an agent says of its parameters at the function's start."""
    models_parameter.check()
    policies = {agent: binding.policy for agent, binding in deployed().items()}
    with descriptors.at_start():
        deployment_checks.check_tools(policies, TOOLS.detail)
        deployment_checks.check_models(policies, settings.models)
        if settings.system_agents:  # tests cover the bundled agents; this check imports runners
            deployment_checks.check_surfaces(policies, _surface_events)
    for member, text in settings.agent_config.items():
        for binding in deployed().values():
            _check_parameter(binding, member, text)


def _check_parameter(binding: Binding, member: str, text: str) -> None:
    check = binding.rules.deployment_config.get(member)
    if check is None:
        return
    try:
        check(text)
    except ValueError as error:
        logger.critical("the %s cannot be used", member.replace("_", " "), extra={"reason": str(error)})
        raise


def _surface_events(runner_id: str) -> Set[WorkspaceEvent] | None:
    try:
        surface = surface_of(registry.find(runner_id).manifest.metadata)
    except RunnerNotFoundError:
        return None
    return None if surface is None else surface.events
