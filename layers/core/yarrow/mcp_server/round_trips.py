"""Calls whose agent asks the user: the client shows the question and sends the call again with the answer.

The state that it sends back names the run that asked, which is only of use to its user.
Source: MCP 2026-07-28, `basic/patterns/mrtr`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from yarrow.agents.bindings import Binding
from yarrow.mcp_server import elicitation
from yarrow.mcp_server.agent_tools import AgentCall
from yarrow.mcp_server.json_rpc import Document, RpcCode, RpcError
from yarrow.mcp_server.requests import McpRequest
from yarrow.mcp_server.run_answers import RunAnswer, read_answer
from yarrow.protocol.caller import Caller
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.run_ids import is_uuid
from yarrow.store import questions, runs

STATE: Final = "requestState"


def is_continued(request: McpRequest) -> bool:
    return request.is_latest and (STATE in request.params or "inputResponses" in request.params)


def result_of(request: McpRequest, run: runs.Run, answer: RunAnswer) -> Document:
    """Return the result of a call whose run has ended: what the run asks, if the client shows forms, or its answer."""
    asked = None
    if request.is_latest and elicitation.is_offered(request.capabilities):
        asked = elicitation.input_requests(answer.questions)
    return answer.result() if asked is None else _input_required(run, asked)


def go_on(binding: Binding, request: McpRequest, caller: Caller) -> Document | AgentCall:
    """Take the answers of a call that is sent again; the result asks once more for those that are missing.

    Raises RpcError for a state that is none of the caller's. Submitting raises Problem as `answer_questions`.
    """
    state = request.params.get(STATE)
    run = runs.read(state) if isinstance(state, str) and is_uuid(state) else None
    if run is None or run.user_id != caller.user_id or run.agent != binding.agent:
        raise RpcError(RpcCode.INVALID_PARAMS, f"unknown {STATE}")
    answer, _ = read_answer(run)
    answers = elicitation.entries(request.params.get("inputResponses", {}), answer.questions)
    given = {entry.interrupt_id for entry in answers}
    missing = [question for question in open_questions(run, answer) if question["id"] not in given]
    asked = elicitation.input_requests(missing)
    if asked is not None:
        return _input_required(run, asked)
    if not answers:
        return answer.result()
    return _call(run, answers, caller)


def open_questions(run: runs.Run, answer: RunAnswer) -> Sequence[Mapping[str, Any]]:
    """Return the questions with which a run ended that can still be answered."""
    found = questions.read(run.user_id, [question["id"] for question in answer.questions])
    return [
        question
        for question, stored in zip(answer.questions, found, strict=True)
        if stored is not None and stored.ended is None and not stored.is_over
    ]


def _call(asking: runs.Run, answers: Sequence[ResumeEntry], caller: Caller) -> AgentCall:
    from yarrow.runs.answer_questions import answer_questions, run_id_of  # few requests answer questions

    thread_id = asking.thread_id
    run_id = run_id_of(caller.user_id, thread_id, None, answers)

    def submit() -> runs.Run:
        return answer_questions(caller, thread_id, run_id, answers).run

    return AgentCall(caller.user_id, runs.key_of(caller.user_id, thread_id, run_id), submit)


def _input_required(run: runs.Run, asked: Document) -> Document:
    return {"resultType": "input_required", "inputRequests": asked, STATE: run.key}
