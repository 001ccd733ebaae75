"""Runs as tasks: a client that declares the extension gets a task for the call of an agent, and asks for its result.

A task is a run, by its key, and then the runs that go on with answers to its questions. Nothing else is stored of it.
Source: the extension `io.modelcontextprotocol/tasks`, `specification/draft/tasks`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from yarrow.mcp_server import elicitation
from yarrow.mcp_server.json_rpc import Document, RpcCode, RpcError
from yarrow.mcp_server.requests import McpRequest
from yarrow.mcp_server.round_trips import open_questions
from yarrow.mcp_server.run_answers import RunAnswer, read_answer
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.runs import cancel_run
from yarrow.runs.lost_runs import end_if_overdue
from yarrow.runs.stream_events import check_kept
from yarrow.store import journal, questions, runs, sessions

EXTENSION: Final = "io.modelcontextprotocol/tasks"

POLL_MS: Final = 2_000
KEPT_MS: Final = journal.EVENT_DAYS * 86_400_000
_MOST_RUNS: Final = 100
"""Runs of one task that are followed: each ended with a question."""

_SERVER_ERROR: Final = 500


@dataclass(frozen=True, slots=True)
class Task:
    """The first and the latest run of a task, the latest one's answer if it has ended, and its open questions."""

    first: runs.Run
    latest: runs.Run
    answer: RunAnswer | None
    open_questions: Sequence[Mapping[str, Any]] = ()


def created(run: runs.Run) -> Document:
    """Return the result of the call that started a run."""
    return {"resultType": "task", **_described(run, run, "working")}


def get(request: McpRequest, caller: Caller) -> Document:
    """Return a task as it is. Raises RpcError for one that is not the caller's."""
    task = _find(request, caller)
    if task.latest.phase == "canceled":
        return _described(task.first, task.latest, "cancelled")
    if task.answer is None:
        return _described(task.first, task.latest, "working")
    asked = elicitation.input_requests(task.open_questions) if elicitation.is_offered(request.capabilities) else None
    if asked is not None:
        return {**_described(task.first, task.latest, "input_required"), "inputRequests": asked}
    return {**_described(task.first, task.latest, "completed"), "result": task.answer.result()}


def update(request: McpRequest, caller: Caller) -> Document:
    """Answer open questions of a task. Raises RpcError for an answer that does not match."""
    from yarrow.runs.answer_questions import answer_questions  # few requests answer questions

    task = _find(request, caller)
    answers = elicitation.entries(request.params.get("inputResponses"), task.open_questions)
    if answers:
        try:
            answer_questions(caller, task.latest.thread_id, None, answers, covers_all=False)
        except Problem as problem:
            if problem.status >= _SERVER_ERROR:
                raise
            raise RpcError(RpcCode.INVALID_PARAMS, problem.detail, {"code": problem.code.name}) from problem
    return {}


def cancel(request: McpRequest, caller: Caller) -> Document:
    """Cancel the run of a task, if it is active."""
    task = _find(request, caller)
    if not task.latest.ended:
        cancel_run.stop(task.latest.key)
    return {}


def _find(request: McpRequest, caller: Caller) -> Task:
    if not request.has_extension(EXTENSION):
        required: Document = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
        raise RpcError(RpcCode.MISSING_CAPABILITY, "the request must declare the extension", required)
    task_id = request.params.get("taskId")
    run = runs.read(task_id) if is_uuid(task_id) and isinstance(task_id, str) else None
    if run is None or run.user_id != caller.user_id:
        raise RpcError(RpcCode.INVALID_PARAMS, "unknown task")
    session = sessions.read(run.thread_id)
    if session is None or session.deleted_at is not None:
        raise RpcError(RpcCode.INVALID_PARAMS, "unknown task")
    try:
        check_kept(run)
    except Problem as problem:
        raise RpcError(RpcCode.INVALID_PARAMS, "the task has expired") from problem
    return _followed(run)


def _followed(first: runs.Run) -> Task:
    """Follow the answers to a task's questions to its latest run."""
    latest = first
    for _ in range(_MOST_RUNS):
        if not latest.ended and end_if_overdue(latest):
            latest = runs.must_read(latest.key)
        if not latest.ended:
            return Task(first, latest, None)
        answer, _ = read_answer(latest)
        answered_in = _next_run(latest, answer)
        if answered_in is None:
            return Task(first, latest, answer, open_questions(latest, answer))
        latest = runs.must_read(answered_in)
    return Task(first, latest, None)


def _next_run(run: runs.Run, answer: RunAnswer) -> str | None:
    """Return the key of the run that goes on with answers to this one's questions."""
    found = questions.read(run.user_id, [question["id"] for question in answer.questions])
    return next((stored.answered_in for stored in found if stored is not None and stored.answered_in), None)


def _described(first: runs.Run, latest: runs.Run, status: str) -> Document:
    return {
        "taskId": first.key,
        "status": status,
        "createdAt": first.created_at,
        "lastUpdatedAt": latest.ended_at or latest.created_at,
        "ttlMs": KEPT_MS,
        "pollIntervalMs": POLL_MS,
    }
