"""Preparing a run for its runner: which runner, what it may do, what it is given, and on what terms it is heard.

Everything the host has to look up for that is looked up here, once, before the runner is called (RNR-08, RNR-14).
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.host import bootstrap, pictures, run_services
from yarrow.host.api import state as state_api
from yarrow.host.api.run_api import RunApi
from yarrow.host.bindings import BINDINGS, Binding
from yarrow.host.context import Position, run_context
from yarrow.host.deltas import semantics_of
from yarrow.host.entry import message_received
from yarrow.host.grants import RunGrant
from yarrow.host.hearing import RunnerFailedError
from yarrow.host.models.gateway import ModelGateway
from yarrow.host.permissions import RunScope, grant
from yarrow.host.received import event_of
from yarrow.host.registry import RunnerNotFoundError, registry
from yarrow.host.system_agents import RuntimeConfig, check_tools
from yarrow.host.terms import KeepArtifact, Terms
from yarrow.host.tools.builtin import TOOLS
from yarrow.host.tools.context import TimeZones
from yarrow.protocol.run_input import RunInput
from yarrow.protocol.runner import AgentRunContext, AgentRunner, InstalledRunner
from yarrow.protocol.runner_api import ArtifactMetadata
from yarrow.settings import settings
from yarrow.store import artifacts, grants, persistent_state, runs, transcript

# Known when the function starts, rather than by its first run.
check_tools({agent: binding.policy for agent, binding in BINDINGS.items()}, TOOLS.detail)

RUNNER_SECONDS = 300
"""How long a runner may take."""

_BOOTSTRAP_BYTES: Final = 256 * 1024
"""How much of the transcript is read at most for a runner that wants some of it inlined."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that can begin: its runner, what that is given, and the API it may call, to be closed after the run."""

    runner: AgentRunner
    context: AgentRunContext
    grant: RunGrant
    terms: Terms
    api: RunApi
    models: ModelGateway


def prepare(run: runs.Run, run_input: RunInput, binding: Binding) -> Prepared:
    """Prepare a run that was claimed; what it may do is stored with it.

    Raises RunnerFailedError `not_found` when the binding's runner is not there (RNR-13).
    """
    try:
        installed = registry.find(binding.policy.runner)
    except RunnerNotFoundError as error:
        raise RunnerFailedError("not_found", "the agent's runner is not installed") from error
    manifest = installed.manifest
    config = binding.policy.runtime_config(run_input.runtime_mode)
    attached = pictures.references(run_input)
    granted = _grant(run, installed, binding, config, [each.artifact_id for each in attached])
    client_time = run_input.client_time
    time_zones = TimeZones(None if client_time is None else client_time.device_timezone, run.zoneinfo)
    api, models = run_services.api_of(granted, manifest.id, time_zones)
    stands = transcript.position(run.thread_id)
    wanted = bootstrap.items_wanted(manifest.context, config.context)
    context = run_context(
        message_received(run, run_input, binding.rules.data(run_input), attached),
        granted,
        manifest,
        binding.policy,
        config,
        Position(latest_cursor=stands.latest_cursor, transcript_seq=stands.transcript_seq),
        _past(run, run_input.user_message.id, stands.transcript_seq, wanted),
        {scope: persistent_state.read_all(state_api.space(granted, scope)) for scope in granted.state_scopes},
    )
    terms = Terms(
        delta_semantics=semantics_of(manifest.metadata),
        streaming=manifest.capabilities.streaming,
        state_scopes=frozenset(granted.state_scopes),
        shows_state=binding.policy.delivery.shows_state,
        actions=frozenset(granted.permissions.platform_api),
        keep_artifact=_keeper(granted),
    )
    return Prepared(installed.create(), context, granted, terms, api, models)


def _grant(
    run: runs.Run, installed: InstalledRunner, binding: Binding, config: RuntimeConfig, attached: Sequence[str]
) -> RunGrant:
    """What the run may do: as it was frozen by its first worker, with a deadline of this one's own (RNR-08)."""
    deadline_at = time.time() + RUNNER_SECONDS
    stored = grants.read(run.key) if run.attempt > 1 else None
    if stored is not None:
        granted = RunGrant.model_validate_json(stored).model_copy(update={"deadline_at": deadline_at})
    else:
        scope = RunScope(
            run_id=run.key,
            user_id=run.user_id,
            thread_id=run.thread_id,
            event_id=event_of(run).event_id,
            deadline_at=deadline_at,
            enabled_tools=frozenset(config.enabled_tools),
            artifacts=tuple(attached),
        )
        policy = binding.policy.served_by(settings.models)
        granted = grant(installed.manifest, binding.agent, policy, scope, TOOLS.detail)
    grants.keep(run.key, granted.model_dump_json())
    return granted


def _past(run: runs.Run, message_id: str, count: int | None, wanted: int) -> bootstrap.Past:
    """The conversation without the run's own message, which is the latest of the user."""
    tail = transcript.tail(run.thread_id, wanted + 1, _BOOTSTRAP_BYTES) if wanted else []
    own = max((index for index, item in enumerate(tail) if item.item_id == message_id), default=None)
    items = [item for index, item in enumerate(tail) if index != own][-wanted:] if wanted else []
    return bootstrap.Past(items, max(0, (count or 1) - 1), run.created_at)


def _keeper(granted: RunGrant) -> KeepArtifact:
    async def keep(
        *,
        artifact_id: str,
        artifact_type: str,
        mime_type: str,
        name: str | None,
        content: bytes,
        metadata: Mapping[str, Any],
    ) -> ArtifactMetadata:
        return await asyncio.to_thread(
            artifacts.create,
            artifact_id,
            thread_id=granted.thread_id,
            user_id=granted.user_id,
            run_key=granted.run_id,
            runner_id=granted.runner_id,
            artifact_type=artifact_type,
            mime_type=mime_type,
            name=name,
            data=content,
            metadata=dict(metadata),
        )

    return keep
