"""A run's trigger as the event of its context.

Source: `agent-runner.md` §4.3 to §4.6 and §11 (RNR-15 … RNR-19, RNR-85). Each kind of trigger has an adapter here that
makes an `Entry`; `run_context` makes the context from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from yarrow.protocol.run_input.body import RunInput, RuntimeMode
from yarrow.protocol.run_input.messages import TextBlock, Tool
from yarrow.protocol.runner.models import (
    ActorContext,
    AgentEventContext,
    AgentInput,
    AgentTrigger,
    ArtifactRef,
    ConversationContext,
    RawEventRef,
    SubjectContext,
)
from yarrow.runs.run_event import event_of
from yarrow.services.tools.context import TimeZones
from yarrow.store.runs import Run

DEFAULT_LOCALE = "zh-CN"
"""Used if the user's credential names no locale (C37)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event, its actor and subject, and its main input.

    `tools` are the front end's; `extra` is specific to the trigger, for `adapter` (RNR-26).
    """

    trigger: AgentTrigger
    event: AgentEventContext
    conversation: ConversationContext
    actor: ActorContext
    subject: SubjectContext
    input: AgentInput
    runtime_mode: RuntimeMode
    locale: str = DEFAULT_LOCALE
    time_zone: str = "UTC"
    tools: Sequence[Tool] = ()
    extra: dict[str, Any] = field(default_factory=dict)


def message_received(
    run: Run,
    run_input: RunInput,
    data: Mapping[str, Any],
    attachments: Sequence[ArtifactRef] = (),
    source: Literal["api", "webui"] = "api",
) -> Entry:
    """The entry of a RunAgentInput: a user's message (C20).

    `data` are the facts from the agent's rules, `attachments` the artifacts of its pictures in order. Of its other
    messages only tool results are used: history comes from the host (C22). The client's state stays apart from the
    host's.
    """
    logged = event_of(run)
    facts = {"runtime_mode": run_input.runtime_mode, **data}
    if run_input.client_time is not None:
        facts["client_time"] = asdict(run_input.client_time)
    extra = {
        "context": [each.model_dump() for each in run_input.context],
        "state": run_input.state,
        "forwardedProps": run_input.passed_on.get("forwardedProps"),
    }
    return Entry(
        trigger=AgentTrigger(type="message.received", source=source, timestamp=logged.event_time),
        event=AgentEventContext(
            event_id=logged.event_id,
            event_type=logged.event_type,
            event_time=logged.event_time,
            source=source,
            source_event_type=logged.source_event_type,
            raw_ref=RawEventRef(ref_id=run.key),
            data=facts,
        ),
        conversation=ConversationContext(conversation_id=run.thread_id, thread_id=run.thread_id),
        actor=ActorContext(actor_type="user", actor_id=run.user_id),
        subject=_subject(run, run_input),
        input=AgentInput(
            text=run_input.text,
            contents=_contents(run_input, attachments),
            attachments=tuple(attachments),
        ),
        runtime_mode=run_input.runtime_mode,
        locale=run.locale or DEFAULT_LOCALE,
        time_zone=_time_zone(run, run_input),
        tools=run_input.tools,
        extra={name: value for name, value in extra.items() if value},
    )


def _subject(run: Run, run_input: RunInput) -> SubjectContext:
    """The subject: the user's message, or the conversation if an agent is to start without one (C45)."""
    if run_input.user_message is None:
        return SubjectContext(subject_type="conversation", subject_id=run.thread_id)
    return SubjectContext(subject_type="message", subject_id=run_input.user_message.id)


def _contents(run_input: RunInput, attachments: Sequence[ArtifactRef]) -> tuple[dict[str, Any], ...]:
    """Text and pictures in order, pictures by reference (RNR-19)."""
    if run_input.user_message is None:
        return ()
    content = run_input.user_message.content
    if isinstance(content, str):
        return ({"type": "text", "text": content},)
    if len(attachments) != len(run_input.pictures):
        raise ValueError("every picture needs its artifact")
    pictures = iter(attachments)
    return tuple(
        {"type": "text", "text": block.text}
        if isinstance(block, TextBlock)
        else {"type": "artifact", "artifact_id": next(pictures).artifact_id}
        for block in content
    )


def _time_zone(run: Run, run_input: RunInput) -> str:
    """The device's time zone, else the profile's, else UTC (FWD-07, FWD-08)."""
    client_time = run_input.client_time
    return TimeZones(None if client_time is None else client_time.device_timezone, run.zoneinfo).resolve()
