"""Flows of all routes except the two of `watching`: one request, one response."""

import json
import mimetypes
import uuid
from collections.abc import Mapping
from typing import Any, Final, cast

from yarrow_client.effects import Answer, Flow, Request, Send
from yarrow_client.errors import Dropped
from yarrow_client.watching import RUNS, path, send
from yarrow_client.wire import (
    Accepted,
    AddedMessage,
    Agents,
    Attachment,
    Capabilities,
    History,
    Interrupts,
    Job,
    JobRuns,
    Outcome,
    SessionOutcome,
    Upload,
    Usage,
)

HISTORY: Final = "/api/v1/agent/history"
SESSIONS: Final = "/api/v1/agent/sessions"
AGENTS: Final = "/api/v1/agents"
USAGE: Final = "/api/v1/usage"
CAPABILITIES: Final = "/send-message/capabilities"
INTERRUPTS: Final = "/api/v1/agent/interrupts"
UPLOADS: Final = "/api/v1/agent/attachments/uploads"
JOBS: Final = "/api/v1/automation/jobs"


def _json(request: Request) -> Flow[Any]:
    answer = yield from send(request)
    return _document(answer)


def _document(answer: Answer) -> Any:
    try:
        return json.loads(answer.content)
    except ValueError as error:
        raise Dropped("the answer was cut off") from error


def cancel(thread_id: str, run_id: str) -> Flow[bool]:
    answer = yield from _json(Request("POST", path(RUNS, thread_id, "cancel"), {"runId": run_id}))
    return bool(answer.get("accepted", True))


def add_message(thread_id: str, run_id: str, content: str, message_id: str | None) -> Flow[AddedMessage]:
    body = {"id": message_id or str(uuid.uuid4()), "content": content}
    request = Request("POST", path(RUNS, thread_id, "messages"), {"runId": run_id}, json=body)
    return cast(AddedMessage, (yield from _json(request)))


def history(thread_id: str) -> Flow[History]:
    return cast(History, (yield from _json(Request("GET", HISTORY, {"threadId": thread_id}))))


def sessions(limit: int | None, after: str | None) -> Flow[History]:
    params = {"session_limit": str(limit)} if limit else {}
    if after:
        params["after_thread"] = after
    return cast(History, (yield from _json(Request("GET", HISTORY, params))))


def delete_session(thread_id: str) -> Flow[None]:
    yield from send(Request("DELETE", path(SESSIONS, thread_id)))


def record_outcome(thread_id: str, outcome: Outcome, note: str | None, run_id: str | None) -> Flow[SessionOutcome]:
    members = {"outcome": outcome, "note": note, "runId": run_id}
    body = {name: value for name, value in members.items() if value is not None}
    answer = yield from _json(Request("POST", path(SESSIONS, thread_id, "outcome"), json=body))
    return cast(SessionOutcome, answer)


def agents(locale: str | None) -> Flow[Agents]:
    params = {"locale": locale} if locale else {}
    return cast(Agents, (yield from _json(Request("GET", AGENTS, params))))


def usage(since: str | None, until: str | None, by: str | None, after: str | None) -> Flow[Usage]:
    given = {"from": since, "to": until, "by": by, "after": after}
    params = {name: value for name, value in given.items() if value is not None}
    return cast(Usage, (yield from _json(Request("GET", USAGE, params))))


def capabilities(agent: str | None) -> Flow[Capabilities]:
    params = {"agent": agent} if agent else {}
    return cast(Capabilities, (yield from _json(Request("GET", CAPABILITIES, params))))


def interrupts(limit: int | None, after: str | None) -> Flow[Interrupts]:
    params = {} if limit is None else {"limit": str(limit)}
    if after:
        params["after"] = after
    return cast(Interrupts, (yield from _json(Request("GET", INTERRUPTS, params))))


def answer(interrupt_id: str, payload: Any, *, cancel: bool) -> Flow[Accepted]:
    body = {"status": "cancelled"} if cancel else {"status": "resolved", "payload": payload}
    return cast(Accepted, (yield from _json(Request("POST", path(INTERRUPTS, interrupt_id), json=body))))


def begin_upload(thread_id: str, mime_type: str, filename: str | None) -> Flow[Upload]:
    body = {"threadId": thread_id, "mimeType": mime_type, "filename": filename}
    return cast(Upload, (yield from _json(Request("POST", UPLOADS, json=body))))


def finish_upload(upload_id: str) -> Flow[Attachment]:
    answer = yield from _json(Request("GET", path(UPLOADS, upload_id)))
    return cast(Attachment, answer["attachment"])


def upload(thread_id: str, content: bytes, filename: str, mime_type: str | None) -> Flow[Attachment]:
    """Begin an upload, send the form to the bucket, and finish the upload."""
    guessed = mime_type or mimetypes.guess_type(filename)[0] or "application/octet-stream"
    begun = yield from begin_upload(thread_id, guessed, filename)
    file = (filename, content, guessed)
    answer: Answer = yield Send(Request("POST", begun["url"], form=begun["fields"], file=file), None)
    if not answer.is_success:
        raise answer.refusal()
    return (yield from finish_upload(begun["uploadId"]))


def list_jobs() -> Flow[list[Job]]:
    answer = yield from _json(Request("GET", JOBS))
    return cast(list[Job], answer["jobs"])


def get_job(job_id: str) -> Flow[Job]:
    return (yield from _job(Request("GET", path(JOBS, job_id))))


def create_job(fields: Mapping[str, Any]) -> Flow[Job]:
    return (yield from _job(Request("POST", JOBS, json=fields)))


def change_job(job_id: str, fields: Mapping[str, Any], etag: str | None) -> Flow[Job]:
    return (yield from _job(Request("PATCH", path(JOBS, job_id), headers=_match(etag), json=fields)))


def delete_job(job_id: str, etag: str | None) -> Flow[None]:
    yield from send(Request("DELETE", path(JOBS, job_id), headers=_match(etag)))


def _job(request: Request) -> Flow[Job]:
    answer = yield from send(request)
    return cast(Job, _document(answer) | ({"etag": etag} if (etag := answer.headers.get("etag")) else {}))


def _match(etag: str | None) -> dict[str, str]:
    return {"If-Match": etag} if etag else {}


def run_job(job_id: str, run_id: str | None) -> Flow[Accepted]:
    body = {"runId": run_id or f"job-{job_id}-now-{uuid.uuid4()}"}
    return cast(Accepted, (yield from _json(Request("POST", path(JOBS, job_id, "run"), json=body))))


def job_runs(job_id: str, limit: int | None, cursor: str | None) -> Flow[JobRuns]:
    params = {"limit": str(limit)} if limit else {}
    if cursor:
        params["cursor"] = cursor
    return cast(JobRuns, (yield from _json(Request("GET", path(JOBS, job_id, "runs"), params))))
