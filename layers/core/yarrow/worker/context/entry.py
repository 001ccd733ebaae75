"""The event part of a run's context, from a user's message or a trigger (`agent-runner.md` §4.3 to §4.6, §11; RNR-15 …
RNR-19, RNR-85).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from msgspec import structs

from yarrow.formats.pictures import SHOWN_TYPES
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
from yarrow.protocol.runner.tools import TimeZones
from yarrow.protocol.runner.vocabulary import INTERACTION_SUBMITTED
from yarrow.runs.run_event import event_of
from yarrow.settings import settings
from yarrow.store.runs import Run


@dataclass(frozen=True, slots=True)
class Entry:
    """`tools` are the front end's; `extra` goes to `adapter` (RNR-26). A client that `can_answer` shows questions."""

    trigger: AgentTrigger
    event: AgentEventContext
    conversation: ConversationContext
    actor: ActorContext
    subject: SubjectContext
    input: AgentInput
    runtime_mode: RuntimeMode
    locale: str
    time_zone: str = "UTC"
    tools: Sequence[Tool] = ()
    extra: dict[str, Any] = field(default_factory=dict)
    can_answer: bool = False


def entry_of(
    run: Run,
    run_input: RunInput,
    data: Mapping[str, Any],
    attachments: Sequence[ArtifactRef] = (),
) -> Entry:
    """Build the entry from a user's message (C20) or a trigger, whose files follow the pictures. `data` comes from the
    agent's rules; `attachments` are the pictures' artifacts, in order. The client's message history is not used (C22).
    """
    logged = event_of(run)
    of_trigger = {} if run_input.trigger is None else run_input.trigger.data
    facts = {**of_trigger, "runtime_mode": run_input.runtime_mode, **data}
    files = files_of(run_input)
    if run_input.client_time is not None:
        facts["client_time"] = asdict(run_input.client_time)
    extra = {
        "context": [structs.asdict(item) for item in run_input.context],
        "state": run_input.state,
        "forwardedProps": run_input.passed_on.get("forwardedProps"),
    }
    return Entry(
        trigger=AgentTrigger(type=run.event_type, source=run.event_source, timestamp=logged.event_time),
        event=AgentEventContext(
            event_id=logged.event_id,
            event_type=logged.event_type,
            event_time=logged.event_time,
            source=logged.source,
            source_event_type=logged.source_event_type,
            raw_ref=RawEventRef(ref_id=run.key),
            data=facts,
        ),
        conversation=ConversationContext(conversation_id=run.thread_id, thread_id=run.thread_id),
        actor=ActorContext(actor_type="user", actor_id=run.user_id),
        subject=_subject(run, run_input),
        input=AgentInput(
            text=run_input.text,
            contents=(*_contents(run_input, attachments), *map(_by_reference, filter(_is_picture, files))),
            attachments=(*attachments, *files),
            interaction=facts.pop("interaction", None) if run.event_type == INTERACTION_SUBMITTED else None,
        ),
        runtime_mode=run_input.runtime_mode,
        locale=run.locale or settings.default_locale,
        time_zone=_time_zone(run, run_input),
        tools=run_input.tools,
        extra={name: value for name, value in extra.items() if value or (name == "state" and run_input.keeps_state)},
        can_answer=run_input.can_answer,
    )


def files_of(run_input: RunInput) -> tuple[ArtifactRef, ...]:
    if run_input.trigger is None:
        return ()
    return tuple(
        ArtifactRef(
            artifact_id=file["artifactId"],
            artifact_type="image" if str(file.get("mimeType")).startswith("image/") else "file",
            mime_type=file.get("mimeType"),
            name=file.get("name"),
            size_bytes=file.get("size"),
        )
        for file in run_input.trigger.files
    )


def _is_picture(file: ArtifactRef) -> bool:
    return file.mime_type in SHOWN_TYPES


def _by_reference(file: ArtifactRef) -> dict[str, Any]:
    return {"type": "artifact", "artifact_id": file.artifact_id}


def _subject(run: Run, run_input: RunInput) -> SubjectContext:
    """Return the user's message as subject, or the conversation without one (C45)."""
    if run_input.user_message is None:
        return SubjectContext(subject_type="conversation", subject_id=run.thread_id)
    return SubjectContext(subject_type="message", subject_id=run_input.user_message.id)


def _contents(run_input: RunInput, attachments: Sequence[ArtifactRef]) -> tuple[dict[str, Any], ...]:
    """Return text and picture references in order (RNR-19)."""
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
    """Return the time zone of the device, else of the profile, else UTC (FWD-07, FWD-08)."""
    client_time = run_input.client_time
    return TimeZones(None if client_time is None else client_time.device_timezone, run.zoneinfo).resolve()
