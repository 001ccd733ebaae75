"""The manifest of AG-UI agents, and their runners."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from contextlib import aclosing
from functools import lru_cache
from typing import Any, Final

from yarrow.adapters.agui.agent import AguiAgent
from yarrow.adapters.agui.sources import HttpSource, in_process
from yarrow.protocol.runner.manifest import (
    AgentRunnerCapabilities,
    AgentRunnerContextPolicy,
    AgentRunnerManifest,
    AgentRunnerPermissions,
    DynamicFormItem,
)
from yarrow.protocol.runner.models import AgentEvent, AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import MESSAGE_MEMBERS, TOOL_MESSAGES


def runner(
    run: Callable[[Any], AsyncIterable[Any]],
    *,
    id: str,  # noqa: A002 (the manifest's name of it)
    label: str,
    events: Mapping[str, AgentEvent] | None = None,
    capabilities: Mapping[str, Any] | None = None,
) -> InstalledRunner:
    """Return the runner of a function that takes a RunAgentInput and yields AG-UI events.

    `id` is `plugin:author/name/runner`. `events` declares the custom events that are passed on, by their names;
    `capabilities` are members of AG-UI's AgentCapabilities.
    """
    declared = events or {}
    source = in_process(run)
    return InstalledRunner(
        manifest(id, {"en_US": label}),
        create=lambda: AguiAgent(source, declared.keys()),
        events=declared,
        capabilities=lambda _: capabilities or {},
    )


@lru_cache(maxsize=32)
def _server(url: str, headers: tuple[tuple[str, str], ...], private: bool) -> HttpSource:
    """Return the source of a server; one a process, so that its connections are reused."""
    return HttpSource(url, dict(headers), private=private)


class ConfiguredAgent:
    """The AG-UI server that an agent's `config` names by `url`, `headers` and `private`."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the results of the server's agent. A `config` without a URL fails the run."""
        url, headers = context.config.get("url"), context.config.get("headers") or {}
        if not isinstance(url, str) or not isinstance(headers, dict):
            failed = {"code": "agui.not_configured", "message": "the agent's configuration has no url"}
            yield AgentRunResult(run_id=context.run_id, type="run.failed", data=failed)
            return
        named = tuple(sorted((str(name), str(value)) for name, value in headers.items()))
        agent = AguiAgent(_server(url, named, context.config.get("private") is True))
        async with aclosing(agent.run(context, api)) as results:
            async for result in results:
                yield result


def manifest(runner_id: str, label: Mapping[str, str], *, models: bool = False) -> AgentRunnerManifest:
    """Return the manifest of an AG-UI agent; one whose code may ask the deployment's `models` is granted those that
    its block lists.
    """
    return AgentRunnerManifest(
        id=runner_id,
        name="default",
        label=label,
        capabilities=AgentRunnerCapabilities(
            streaming=True, tool_calling=True, multimodal_input=True, self_managed_context=False
        ),
        permissions=AgentRunnerPermissions(
            models=("invoke", "stream") if models else (),
            tools=("detail", "call"),
            artifacts=("metadata", "read"),
        ),
        context=AgentRunnerContextPolicy(
            ownership="host_bootstrap",
            bootstrap="recent_tail",
            max_inline_events=200,
            max_inline_bytes=256 * 1024,
            supports_history_pull=False,
            supports_artifact_pull=False,
            wants_static_context_refs=False,
        ),
        config_schema=_FORM,
        metadata={TOOL_MESSAGES: True, MESSAGE_MEMBERS: True},
    )


_FORM: Final = (
    DynamicFormItem(name="url", type="string", required=True, description={"en_US": "The AG-UI server's address"}),
    DynamicFormItem(name="headers", type="object", description={"en_US": "Headers of its requests"}),
    DynamicFormItem(
        name="private", type="boolean", description={"en_US": "Whether the server may be in a private network"}
    ),
)

RUNNER: Final = InstalledRunner(
    manifest(
        "plugin:yarrow/agui/default", {"en_US": "AG-UI agent", "zh_Hans": "AG-UI 智能体", "zh_Hant": "AG-UI 代理"}
    ),
    create=ConfiguredAgent,
)
