"""Derives domain events from items of the table as transactions have left them (EVB-01).

The record of the stream is the outbox: it exists if and only if the transaction that wrote the item did. An event's id
and content depend on the item and on what is stored with it for good, so that a record which comes again makes the same
event again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from yarrow.formats import json_text
from yarrow.protocol.domain_events import (
    AskedQuestion,
    DisabledWebhook,
    DomainEvent,
    EndedRun,
    InterruptExpired,
    InterruptOpened,
    JobPaused,
    PausedJob,
    RunCanceled,
    RunCompleted,
    RunFailed,
    WebhookDisabled,
)
from yarrow.protocol.usage import TokenCounts
from yarrow.store import journal, questions, runs, table
from yarrow.store.runs import Run

_ENDED: Final = 1
_OPENED: Final = 2
_EXPIRED: Final = 3
"""The order of a run's events."""


def subject_of(item: Mapping[str, Any]) -> str:
    """Return the partition whose events, with those of the item, are in order: of a question, that of its run."""
    return table.run_key_of(item["run_key"])["pk"] if "run_key" in item else str(item["pk"])


def events_of(item: Mapping[str, Any]) -> list[DomainEvent]:
    """Return the events of a changed item, in order; none if the change is no event.

    The filters of the event source mapping let through little else, but need not be exact.
    """
    match item["pk"].partition("#")[0], item["sk"]:
        case "RUN", "RUN":
            run = runs.stored(dict(item))
            return _run_events(run) if run.ended else []
        case "QUESTIONS", _:
            return _question_events(item)
        case "JOB", "JOB":
            return _job_events(item)
        case "WEBHOOKS" | "DEPLOYMENT_WEBHOOKS", _:
            return _webhook_events(item)
        case _:
            return []


def _run_events(run: Run) -> list[DomainEvent]:
    """Read how the run ended from its last event, which was stored in the same transaction."""
    last = _last_event(run.key)
    interrupts = _interrupts(last)
    # A run that goes on with one of several answers asks for the others again: they are open since the run before.
    known = {one["id"] for one in _interrupts(_last_event(run.earlier[-1]))} if interrupts and run.earlier else set()
    return [_end(run, last), *(_opened(run, one) for one in interrupts if one["id"] not in known)]


def _last_event(run_key: str) -> dict[str, Any]:
    event: dict[str, Any] = json_text.loads(journal.last_batch(run_key).lines[-1].encode())
    return event


def _interrupts(last: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = last.get("outcome", {}).get("interrupts", ())
    return found


def _end(run: Run, last: Mapping[str, Any]) -> DomainEvent:
    event_id, at = f"{run.key}-ended", str(run.ended_at)
    data = EndedRun(
        user_id=run.user_id,
        thread_id=run.thread_id,
        run_id=run.run_id,
        run_key=run.key,
        agent=run.agent,
        sequence=_ENDED,
        created_at=run.created_at,
        ended_at=at,
        job_id=run.job,
        api_key=run.api_key,
        outcome=last.get("outcome", {}).get("type", "success") if run.phase == "finished" else None,
        code=last.get("code"),
        usage=tuple(msgspec.convert(entry, TokenCounts) for entry in last.get("usage", ())) or None,
    )
    match run.phase:
        case "finished":
            return RunCompleted(id=event_id, type="run.completed", timestamp=at, data=data)
        case "canceled":
            return RunCanceled(id=event_id, type="run.canceled", timestamp=at, data=data)
        case _:
            return RunFailed(id=event_id, type="run.failed", timestamp=at, data=data)


def _opened(run: Run, interrupt: Mapping[str, Any]) -> InterruptOpened:
    data = AskedQuestion(
        user_id=run.user_id,
        thread_id=run.thread_id,
        run_id=run.run_id,
        run_key=run.key,
        agent=run.agent,
        sequence=_OPENED,
        interrupt_id=interrupt["id"],
        expires_at=interrupt["expiresAt"],
    )
    return InterruptOpened(
        id=f"{interrupt['id']}-opened", type="interrupt.opened", timestamp=str(run.ended_at), data=data
    )


def _question_events(item: Mapping[str, Any]) -> list[DomainEvent]:
    question = questions.stored(dict(item))
    if question.ended != "expired" and not question.lapsed:
        return []
    user_id, run_id = questions.user_of(item["pk"]), question.opened_by or question.run_id
    data = AskedQuestion(
        user_id=user_id,
        thread_id=question.thread_id,
        run_id=run_id,
        run_key=runs.key_of(user_id, question.thread_id, run_id),
        agent=question.agent,
        sequence=_EXPIRED,
        interrupt_id=question.id,
        expires_at=question.closes_at,
    )
    return [
        # Its timer finds it open, and whoever closes it makes the same event again.
        InterruptExpired(id=f"{question.id}-expired", type="interrupt.expired", timestamp=question.closes_at, data=data)
    ]


def _job_events(item: Mapping[str, Any]) -> list[DomainEvent]:
    from yarrow.store.automation import jobs  # few jobs are paused, and its models are pydantic's

    job = jobs.stored(dict(item))
    if job.paused_reason is None or job.version != job.paused_version or job.deleted_at is not None:
        return []  # a change of a job that was paused before
    data = PausedJob(user_id=job.user_id, thread_id=job.thread_id, job_id=job.id, reason=job.paused_reason)
    event_id = f"{job.id}-paused-{job.version}"
    return [JobPaused(id=event_id, type="job.paused", timestamp=job.updated_at, data=data)]


def _webhook_events(item: Mapping[str, Any]) -> list[DomainEvent]:
    from yarrow.store.webhooks import webhooks  # few webhooks are disabled

    webhook = webhooks.stored(dict(item))
    if webhook.disabled_reason is None or webhook.version != webhook.disabled_version:
        return []  # a change of a webhook that was disabled before
    data = DisabledWebhook(user_id=webhook.user_id, webhook_id=webhook.id, reason=webhook.disabled_reason)
    event_id = f"{webhook.id}-disabled-{webhook.version}"
    return [WebhookDisabled(id=event_id, type="webhook.disabled", timestamp=webhook.updated_at, data=data)]
