"""Makes an installable runner from an SDK runner's class and manifest.

The class is created, bound to a handler and invoked as the SDK's runtime does, once per run.
"""

import contextlib
import importlib
import logging
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, Final

from yarrow.protocol.runner.context_text import user_texts
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners.langbot import earlier_names, pictures, plugin_imports
from yarrow.runners.langbot import manifest as manifests
from yarrow.runners.langbot.context import to_sdk_context
from yarrow.runners.langbot.deltas import DeltaReader, DeltaSemantics
from yarrow.runners.langbot.host_handler import HostHandler
from yarrow.runners.langbot.results import ResultReader
from yarrow.runners.langbot.usage import Usage

logger = logging.getLogger(__name__)

FAILED: Final = {"code": "runner.error", "message": "the agent failed", "error": "the agent failed", "retryable": False}
"""The result of a runner that raised (RNR-40)."""


def langbot_runner(
    cls: type[Any] | str,
    *,
    manifest: Mapping[str, Any] | Path,
    plugin: str,
    folder: Path | None = None,
    plugin_config: Mapping[str, Any] | None = None,
    delta_semantics: DeltaSemantics = "auto",
) -> InstalledRunner:
    """Make a runner from a class that extends the SDK's `Runner` (CMP-02).

    `cls` is the class or `"module:Class"`, imported when a run begins; with the plugin's `folder`, relative to it and
    isolated. `manifest` is the component's YAML file or document, `plugin` is `author/name`. Set `delta_semantics` for
    streams that `auto` misreads. Raises ValueError if the manifest is not an agent's.
    """
    document = manifests.load(manifest) if isinstance(manifest, Path) else manifest
    class_schema = [] if isinstance(cls, str) else cls.get_config_schema()
    translated = manifests.translate(document, plugin, delta_semantics, class_schema)

    def create() -> AgentRunner:
        return LangBotRunner(cls, translated, plugin, plugin_config or {}, folder)

    return InstalledRunner(translated, create)


class LangBotRunner:
    def __init__(
        self,
        cls: type[Any] | str,
        manifest: AgentRunnerManifest,
        plugin: str,
        plugin_config: Mapping[str, Any],
        folder: Path | None,
    ) -> None:
        self._cls = cls
        self._runner_id = manifest.id
        self._delta_semantics = manifest.metadata["delta_semantics"]
        self._plugin = plugin
        self._plugin_config = dict(plugin_config)
        self._folder = folder

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Run it; the last result is terminal, `run.failed` if the runner raises.

        Closing or cancelling this cancels the runner (RNR-71).
        """
        usage = Usage()
        results = ResultReader(context.run_id, DeltaReader(self._delta_semantics), usage)
        try:
            data_urls = await pictures.data_urls(context.input, api.artifacts)
            handler = HostHandler(context, api, usage, data_urls, runner_id=self._runner_id)
            async with contextlib.aclosing(self._invoke(context, handler, data_urls)) as sdk_results:
                async for result in sdk_results:
                    for translated in results.read(result):
                        yield translated
        except Exception:
            logger.exception("the agent raised", extra={"run_id": context.run_id, "heard": user_texts(context)})
            yield AgentRunResult(run_id=context.run_id, type="run.failed", data=dict(FAILED))

    async def _invoke(
        self, context: AgentRunContext, handler: HostHandler, data_urls: Mapping[str, str]
    ) -> AsyncGenerator[Any]:
        """Invoke the runner as the SDK's runtime does."""
        runner = self._class()()
        runner.bind_runtime(
            plugin_runtime_handler=handler, plugin_config=self._plugin_config, plugin_identity=self._plugin
        )
        runner.plugin = self._plugin_instance(handler)
        await runner.initialize()
        sdk = importlib.import_module("langbot_plugin.api.entities.builtin.runner.context")
        invoked = runner.invoke(sdk.RunnerContext.model_validate(to_sdk_context(context, data_urls)))
        async with contextlib.aclosing(invoked) as results:
            async for result in results:
                yield result

    def _class(self) -> Any:
        if not isinstance(self._cls, str):
            return self._cls
        module, _, name = self._cls.partition(":")
        earlier_names.install()
        load = (
            importlib.import_module if self._folder is None else plugin_imports.imports_of(self._folder).import_module
        )
        return getattr(load(module), name)

    def _plugin_instance(self, handler: HostHandler) -> Any:
        """Make a stub plugin with the configuration and the host's API."""
        plugin = importlib.import_module("langbot_plugin.api.definition.plugin").NonePlugin()
        plugin.config = self._plugin_config
        plugin.plugin_runtime_handler = handler
        return plugin
