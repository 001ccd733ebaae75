"""Prepares a run, with all lookups before the runner is called (RNR-08, RNR-14)."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from yarrow.agents import secrets
from yarrow.agents.bindings import Binding
from yarrow.agents.grants import RunGrant
from yarrow.agents.permissions import RunScope, grant
from yarrow.agents.policies import ContextWindow, RuntimeConfig
from yarrow.formats import json_text
from yarrow.media import message_pictures
from yarrow.observability.logs import USER_TEXT, logger
from yarrow.protocol.automation.trigger import JobTrigger
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.runner.api import ArtifactMetadata
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunner, ArtifactRef, InstalledRunner
from yarrow.protocol.runner.tools import TimeZones
from yarrow.protocol.runner.turn import Turn
from yarrow.protocol.runner.vocabulary import WORKSPACE
from yarrow.protocol.trace_context import passed_on
from yarrow.runs.run_event import event_of
from yarrow.runs.tool_history import ToolHistory
from yarrow.services import run_services
from yarrow.services.api import state as state_api
from yarrow.services.api.run_api import RunApi
from yarrow.services.api.services import ShowTaken
from yarrow.services.models.budget import TokenBudget
from yarrow.services.models.gateway import ModelGateway
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import StepLog
from yarrow.services.tools.builtin import TOOLS
from yarrow.settings import settings
from yarrow.store import artifacts, runs, sessions, transcript
from yarrow.store.runner import grants, persistent_state
from yarrow.store.runner.grants import StoredGrant
from yarrow.store.runs import ModelUse, ReplacedError
from yarrow.worker import client_state, mcp, turns
from yarrow.worker.context import past_messages
from yarrow.worker.context.entry import entry_of, files_of
from yarrow.worker.context.run_context import run_context
from yarrow.worker.invocation.registry import RunnerNotFoundError, registry
from yarrow.worker.invocation.remote_runner import RemoteRunner
from yarrow.worker.results.deltas import semantics_of
from yarrow.worker.run_options import KeepArtifact, RunOptions
from yarrow.worker.run_steps import begun_by, step_log_of, unknown_outcomes
from yarrow.worker.runner_loop import RunnerFailedError, failure_message

if TYPE_CHECKING:
    from yarrow.services.mcp.wire import Server

MINUTE: Final = 60.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prepared run; close `api` after it.

    If it `keeps_state`, what it shares with the client is stored at its end.
    """

    runner: AgentRunner
    context: AgentRunContext
    session: sessions.Session
    grant: RunGrant
    options: RunOptions
    api: RunApi
    models: ModelGateway
    steps: StepLog
    budget: TokenBudget
    turn: Turn
    asking: RunQuestions
    taken: "Shown"
    keeps_state: bool = False


@dataclass(slots=True)
class Shown:
    """Shows messages that the runner takes, from when the run's events have a writer: `shows` is set then."""

    shows: ShowTaken | None = None

    async def show(self, messages: Iterable[Mapping[str, Any]]) -> None:
        if self.shows is not None:
            await self.shows(messages)


def prepare(run: runs.Run, run_input: RunInput, binding: Binding) -> Prepared:
    """Prepare a claimed run and store its grant.

    Raises RunnerFailedError: `not_found` (no such runner, RNR-13), `runner.error` (it cannot be created),
    `runner.secret_missing`, `runner.outcome_unknown` (of an earlier worker's step, STP-03); ReplacedError if a later
    worker has prepared the run.
    """
    installed = _installed(binding)
    manifest = installed.manifest
    steps = step_log_of(run, installed)
    job = JobTrigger.of(run_input.trigger)
    config = binding.policy.runtime_config(run_input.runtime_mode, _job_config(job))
    attached = message_pictures.references(run_input)
    session = sessions.must_read(run.thread_id)
    position = transcript.position(session)
    data = _data(run_input, binding, manifest)
    run_input = client_state.restored(run, run_input)
    if job is None:
        # Client tool results belong to the earlier runs that made the calls, waiting or not.
        brought = ToolHistory(data.get("tool_results", ())).tool_use()
        past = past_messages.conversation(run, run_input, session.path, manifest, binding.policy, config, brought)
    else:
        past = past_messages.latest_chat(run, job.context_thread, manifest, config)
    own = _own_artifacts(run_input, attached)
    servers = mcp.servers(binding.policy, run.user_id)
    granted = _grant(run, session, installed, binding, config, own, past.extras.pictures, servers)
    client_time = run_input.client_time
    time_zones = TimeZones(None if client_time is None else client_time.device_timezone, run.zoneinfo)
    is_active = partial(runs.is_active, run)
    budget, turn = TokenBudget(), turns.begin(granted.deadline_at)
    budget.count(steps.usage)
    budget.count_at_least(ModelUse(run.model_calls, run.model_tokens))
    progress = mcp.progress(granted)
    asking = RunQuestions(steps, lambda: session.open_questions if run.earlier else ())
    taken = Shown()
    api, models = run_services.api_of(
        granted,
        manifest.id,
        time_zones,
        budget,
        steps,
        is_active,
        turn,
        asking,
        remembered=lambda: session.approved_tools,
        locale=run.locale,
        unknown=unknown_outcomes(steps, asking, run.locale),
        mcp_servers=servers,
        keep_picture=mcp.keeper(granted, is_active),
        tell_progress=None if progress is None else progress.tell,
        find_tool=mcp.finder(binding.policy, servers),
        show_taken=taken.show if granted.steering else None,
    )
    context = run_context(
        entry_of(run, run_input, data, attached),
        granted,
        manifest,
        binding.policy,
        config,
        position,
        past,
        {scope: persistent_state.read_all(state_api.space(granted, scope)) for scope in granted.state_scopes},
    )
    context = turns.restored(run, context)
    context = context.model_copy(update={"config": _whole_config(context.config, binding)})
    options = replace(_options(installed, binding, granted, _keeper(granted, is_active)), progress=progress)
    return Prepared(
        _traced(run, _created(installed)),
        context,
        session,
        granted,
        options,
        api,
        models,
        steps,
        budget,
        turn,
        asking,
        taken,
        keeps_state=run_input.keeps_state,
    )


def _traced(run: runs.Run, runner: AgentRunner) -> AgentRunner:
    """Give a remote runner its place in the trace: the worker's span if traces are exported, else the client's."""
    if isinstance(runner, RemoteRunner):
        exports = settings.exports_traces
        runner.trace_parent = passed_on(run.key, run.attempt, run.trace_parent) if exports else run.trace_parent
    return runner


def _installed(binding: Binding) -> InstalledRunner:
    try:
        return registry.find(binding.policy.runner)
    except RunnerNotFoundError as error:
        raise RunnerFailedError("not_found", "the agent's runner is not installed") from error


def _data(run_input: RunInput, binding: Binding, manifest: AgentRunnerManifest) -> dict[str, Any]:
    """Return the event's data; tool results have their pictures for a runner with `multimodal_input` (MSG-05)."""
    data = binding.rules.data(run_input)
    if "tool_results" not in data or not manifest.capabilities.multimodal_input:
        return data
    return {**data, "tool_results": message_pictures.with_result_pictures(run_input, data["tool_results"])}


def _own_artifacts(run_input: RunInput, attached: Iterable[ArtifactRef]) -> tuple[str, ...]:
    """Return the ids of the artifacts in the run's input."""
    own = [artifact.artifact_id for artifact in (*attached, *files_of(run_input))]
    return tuple(dict.fromkeys([*own, *message_pictures.ids_in_results(run_input)]))


def _whole_config(config: Mapping[str, Any], binding: Binding) -> dict[str, Any]:
    """Return the configuration with secrets and the deployment's parameters, which it may override."""
    if secrets.names(config):
        from yarrow.worker.secrets import resolve  # rarely needed

        config = resolve(config)
    return {**_deployment_config(binding), **config}


def _options(
    installed: InstalledRunner, binding: Binding, granted: RunGrant, keep_artifact: KeepArtifact
) -> RunOptions:
    """Return how the runner's results are read."""
    manifest = installed.manifest
    return RunOptions(
        delta_semantics=semantics_of(manifest.metadata),
        streaming=manifest.capabilities.streaming,
        state_scopes=frozenset(granted.state_scopes),
        shows_state=binding.policy.delivery.shows_state,
        actions=frozenset(granted.permissions.platform_api),
        events=installed.events,
        interactions=binding.policy.delivery.interactions,
        custom_events=frozenset(binding.policy.delivery.custom_events),
        has_workspace=WORKSPACE in manifest.metadata,
        keep_artifact=keep_artifact,
        steering=granted.steering,
    )


def _deployment_config(binding: Binding) -> dict[str, Any]:
    values = settings.agent_config
    return {name: json_text.loads(values[name].encode()) for name in binding.rules.deployment_config if name in values}


def _created(installed: InstalledRunner) -> AgentRunner:
    try:
        return installed.create()
    except Exception as error:
        logger.exception("the agent could not be created", extra={"runner_id": installed.manifest.id, USER_TEXT: ()})
        raise RunnerFailedError("runner.error", failure_message(error)) from error


def _grant(
    run: runs.Run,
    session: sessions.Session,
    installed: InstalledRunner,
    binding: Binding,
    config: RuntimeConfig,
    own_pictures: tuple[str, ...],
    earlier_pictures: Iterable[str],
    servers: Mapping[str, "Server"],
) -> RunGrant:
    """Return the grant as the run's first worker stored it (RNR-08)."""
    stored = grants.read(run.key) if run.attempt > 1 else None
    version = begun_by(run, stored, binding, installed)
    if stored is not None:
        granted = RunGrant.model_validate_json(stored.grant_json)
    else:
        scope = RunScope(
            run_key=run.key,
            user_id=run.user_id,
            thread_id=run.thread_id,
            event_id=event_of(run).event_id,
            deadline_at=time.time() + run.max_minutes * MINUTE,
            enabled_tools=frozenset(config.enabled_tools),
            pictures=own_pictures,
            artifacts=tuple(earlier_pictures),
        )
        policy = binding.policy.served_by(settings.models)
        of_servers = mcp.granted(run, policy, servers, scope.enabled_tools)
        granted = grant(installed.manifest, binding.agent, policy, scope, mcp.details(TOOLS, of_servers), of_servers)
        wanted = policy.keeps_contents
        if settings.keeps_contents if wanted is None else wanted:
            granted = granted.model_copy(update={"keeps_contents": True})
        if session.branches:
            granted = granted.model_copy(update={"stretches": session.path.segments})
    stored = StoredGrant(granted.model_dump_json(), run.attempt, version, installed.is_remote)
    if not grants.keep(run.key, stored):
        raise ReplacedError
    return granted


def _job_config(job: JobTrigger | None) -> RuntimeConfig | None:
    """Return a job's configuration of its runs (AUT-01); None without a job."""
    if job is None:
        return None
    window = None if job.context is None else ContextWindow.model_validate(job.context)
    return RuntimeConfig(enabled_tools=job.enabled_tools, context=window)


def _keeper(granted: RunGrant, is_active: Callable[[], bool]) -> KeepArtifact:
    """Return a function that stores artifacts. It raises ReplacedError once the run has ended (C51)."""

    async def keep(
        *,
        artifact_id: str,
        artifact_type: str,
        mime_type: str,
        name: str | None,
        content: bytes,
        metadata: Mapping[str, Any],
    ) -> ArtifactMetadata:
        if not await asyncio.to_thread(is_active):
            raise ReplacedError
        return await asyncio.to_thread(
            artifacts.create,
            artifact_id,
            thread_id=granted.thread_id,
            user_id=granted.user_id,
            run_key=granted.run_key,
            runner_id=granted.runner_id,
            artifact_type=artifact_type,
            mime_type=mime_type,
            name=name,
            data=content,
            metadata=dict(metadata),
        )

    return keep
