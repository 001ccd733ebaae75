"""The assistant's manifest and runner.

It depends on the runner protocol only, and not on the mode (FWD-11, FWD-12).
"""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from yarrow.protocol.runner.manifest import (
    AgentRunnerCapabilities,
    AgentRunnerContextPolicy,
    AgentRunnerManifest,
    AgentRunnerPermissions,
)
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import DECLINED, MESSAGE_MEMBERS, TOOL_MESSAGES, WORKSPACE
from yarrow_agents.assistant import continuation
from yarrow_agents.assistant.care import answered as declined_results
from yarrow_agents.assistant.configuration import FORM, capabilities, configuration, model_of
from yarrow_agents.assistant.failure import AssistantFailedError
from yarrow_agents.assistant.files import with_files
from yarrow_agents.assistant.knowledge import KnowledgeSearch
from yarrow_agents.assistant.prompt import prompts_for, system_prompt
from yarrow_agents.assistant.router import route
from yarrow_agents.assistant.shared_state import SharedState, shared_in
from yarrow_agents.assistant.toolbox import Toolbox
from yarrow_agents.assistant.user_time import zone_of
from yarrow_agents.assistant.worker import Limits, Result, Worker, added

logger = logging.getLogger(f"yarrow.{__name__}")


class AssistantRunner:
    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield stages, text, tool calls, state and the end.

        `run.completed` carries the models' tokens, which are not for the client (EVT-26).
        """
        async with aclosing(_results(context, api)) as results:
            try:
                async for type_, data in results:
                    yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            except AssistantFailedError as gave_up:
                logger.warning("the assistant gives up", extra={"run_id": context.run_id, "code": gave_up.data["code"]})
                yield AgentRunResult(run_id=context.run_id, type="run.failed", data=gave_up.data)


async def _results(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    for result in declined_results(context):
        yield result
        if result[0] == "run.completed":
            return
    yield "stage.started", {"stage": "router"}
    prompts = prompts_for(context.runtime.locale)
    if context.input.attachments:
        context = await with_files(context, api, prompts)
    config = configuration(context.config)
    model = model_of(config.model, context.resources)
    sent = shared_in(context)
    shared = SharedState(sent) if isinstance(sent, dict) else None
    knowledge = KnowledgeSearch(api, context.resources.knowledge_bases)
    assignment = await route(context, api, config, prompts, shared, knowledge)
    conversation = assignment.conversation

    yield "stage.started", {"stage": "worker"}
    toolbox = Toolbox(
        api, assignment.tools, zone_of(context).key, shared, seed=context.event.event_id, knowledge=knowledge
    )
    prompt = system_prompt(context, config.instructions)
    limits = Limits(config.room, config.max_steps)
    worker = Worker(api, model, prompt, conversation, toolbox, prompts, limits)
    worker.options, worker.shows_reasoning = config.model_options, config.show_reasoning
    worker.cards += continuation.kept_cards(context)
    async with aclosing(worker.work()) as results:
        async for result in results:
            yield result

    if worker.waiting or continuation.is_kept(context):
        waiting = worker.waiting
        kept = continuation.to_keep(context, conversation, waiting, prompts, worker.cards) if waiting else None
        yield "state.updated", {"scope": "conversation", "key": continuation.KEY, "value": kept}
    usage = added(assignment.usage, worker.usage)
    declined = {} if worker.declined is None else {DECLINED: worker.declined}
    yield "run.completed", {"usage": usage.model_dump(), **declined}


RUNNER = InstalledRunner(
    manifest=AgentRunnerManifest(
        id="plugin:yarrow/assistant/default",
        name="default",
        label={"en_US": "Assistant", "zh_Hans": "助手", "zh_Hant": "助理"},
        description={
            "en_US": "Answers with a language model and the tools of its agent and of the client.",
            "zh_Hans": "用语言模型回答，可使用服务端与客户端的工具。",
            "zh_Hant": "用語言模型回答，可使用伺服器端與用戶端的工具。",
        },
        capabilities=AgentRunnerCapabilities(
            streaming=True, tool_calling=True, multimodal_input=True, stateful_session=True, self_managed_context=False
        ),
        permissions=AgentRunnerPermissions(
            models=("invoke", "stream"),
            tools=("detail", "call"),
            knowledge_bases=("retrieve",),
            artifacts=("metadata", "read"),
        ),
        context=AgentRunnerContextPolicy(
            ownership="host_bootstrap",
            bootstrap="recent_tail",
            max_inline_events=100,
            max_inline_bytes=128 * 1024,
            supports_history_pull=False,
            supports_artifact_pull=False,
            wants_static_context_refs=False,
        ),
        config_schema=FORM,
        metadata={
            TOOL_MESSAGES: True,
            MESSAGE_MEMBERS: True,
            WORKSPACE: {"events": ["workspace.input", "workspace.attachment"]},
        },
    ),
    create=AssistantRunner,
    capabilities=capabilities,
)
