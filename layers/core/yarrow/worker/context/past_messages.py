"""Reads the messages before a run: of its own conversation, or for a job, of its user's latest chat."""

from dataclasses import replace
from typing import Final

from yarrow.agents.policies import RuntimeConfig
from yarrow.agents.system_agents import SystemAgent
from yarrow.media import message_pictures
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.messages import UserMessage
from yarrow.protocol.runner.api import ModelReasoning
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.vocabulary import MESSAGE_MEMBERS, TOOL_MESSAGES
from yarrow.store import runs, sessions, tool_use, transcript
from yarrow.store.branches import Path
from yarrow.store.tool_use import PlacedToolUse
from yarrow.worker.context import bootstrap
from yarrow.worker.context.model_history import NOTHING, Extras

_BOOTSTRAP_BYTES: Final = 256 * 1024
"""Bytes of messages, and of tool calls, read for inlining."""


def conversation(
    run: runs.Run,
    run_input: RunInput,
    path: Path,
    manifest: AgentRunnerManifest,
    policy: SystemAgent,
    config: RuntimeConfig,
    brought: tool_use.ToolUse | None,
) -> bootstrap.BootstrapHistory:
    """Return the conversation that the run continues, with what the client's list adds to it."""
    past = _past(run, path, _id_of(run_input.user_message), manifest, policy, config, brought)
    if manifest.metadata.get(MESSAGE_MEMBERS) is not True:
        return past
    return replace(past, extras=past.extras._replace(shows_members=True, reasoning=_reasoning_of(run_input)))


def _past(
    run: runs.Run,
    path: Path,
    message_id: str | None,
    manifest: AgentRunnerManifest,
    policy: SystemAgent,
    config: RuntimeConfig,
    brought: tool_use.ToolUse | None = None,
) -> bootstrap.BootstrapHistory:
    """Return the past without the run's own message, with the tool use `brought` by its input."""
    wanted = bootstrap.items_wanted(manifest.context, config.context)
    tail = transcript.tail(run.thread_id, wanted + 1, _BOOTSTRAP_BYTES, path) if wanted else []
    own = max((item.seq for item in tail if item.item_id == message_id), default=None)
    items = [item for item in tail if item.seq != own][-wanted:] if wanted else []
    extras = NOTHING
    if tail and manifest.metadata.get(TOOL_MESSAGES) is True:
        first, last = tail[0].seq, tail[-1].seq
        latest = [] if brought is None else [PlacedToolUse(last, brought)]
        extras = Extras([*tool_use.since(run.thread_id, first, _BOOTSTRAP_BYTES, path), *latest], input_seq=own)
    sees = manifest.capabilities.multimodal_input and "read" in manifest.permissions.artifacts
    if sees and "read" in policy.resources.artifacts:
        extras = extras._replace(pictures=message_pictures.earlier_pictures(items, run.thread_id))
    return bootstrap.BootstrapHistory(
        items, max(0, path.count - (message_id is not None)), run.created_at, extras=extras
    )


def latest_chat(
    run: runs.Run, thread_id: str | None, manifest: AgentRunnerManifest, config: RuntimeConfig
) -> bootstrap.BootstrapHistory:
    """Return the text of the user's latest chat: the job's own session is never inlined."""
    wanted = bootstrap.items_wanted(manifest.context, config.context)
    chat = sessions.read(thread_id) if wanted and thread_id is not None else None
    if chat is None or chat.deleted_at is not None or chat.user_id != run.user_id:
        return bootstrap.BootstrapHistory((), 0, run.created_at)
    items = transcript.tail(chat.thread_id, wanted, _BOOTSTRAP_BYTES, chat.path)
    return bootstrap.BootstrapHistory(items, chat.path.count, run.created_at)


def _reasoning_of(run_input: RunInput) -> dict[str, tuple[ModelReasoning, ...]]:
    """Return the reasoning in the client's list, by the ids of messages and calls (MSG-06)."""
    found: dict[str, tuple[ModelReasoning, ...]] = {}
    for item in run_input.passed_on.get("reasoning", ()):
        one = ModelReasoning(content=item["content"], encrypted_value=item.get("encryptedValue"))
        found |= {name: (*found.get(name, ()), one) for name in item["of"]}
    return found


def _id_of(message: UserMessage | None) -> str | None:
    return None if message is None else message.id
