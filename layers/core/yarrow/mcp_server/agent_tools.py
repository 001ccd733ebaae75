"""Agents as tools: the agents whose block has `mcp_tool`, and the runs that calls of them start."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from yarrow.agents import bindings
from yarrow.agents.bindings import Binding
from yarrow.formats import json_text
from yarrow.mcp_server import elicitation
from yarrow.mcp_server.json_rpc import Document
from yarrow.mcp_server.requests import McpRequest
from yarrow.mcp_server.run_answers import SCHEMA
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import is_uuid
from yarrow.protocol.run_input.body import MAX_USER_TEXT_LENGTH, RunBody, parse_run_input
from yarrow.runs import stream_events
from yarrow.runs.submission.door import OF_HOST
from yarrow.runs.submission.reading import submission_of
from yarrow.runs.submit_run import submit
from yarrow.store import runs, sessions

PREFIX: Final = "ask_"

IDEMPOTENCY_KEY: Final = "yarrow/idempotencyKey"
"""The member of a call's `_meta` that makes it the same call if it is sent again."""

_NAMESPACE: Final = uuid.UUID("0b6e1c52-4a9f-5d0c-8f3e-79617272776f")
_MAX_KEY_LENGTH: Final = 256
_CAN_ANSWER: Final = "1.0"
"""The AG-UI version from which clients answer questions; agents ask fewer of others."""

_INPUT: Final[Document] = {
    "type": "object",
    "properties": {
        "message": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_USER_TEXT_LENGTH,
            "description": "What the user says, in their language.",
        },
        "threadId": {
            "type": "string",
            "format": "uuid",
            "description": "The threadId of an earlier answer, to go on with that conversation; a new one without it.",
        },
    },
    "required": ["message"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class AgentCall:
    """A call of an agent whose run is not submitted yet; `submit` does so, and raises Problem."""

    user_id: str
    run_key: str
    submit: Callable[[], runs.Run]

    def subscribe(self) -> tuple[stream_events.Subscription, runs.Run]:
        """Submit the run and take a stream slot, which the caller releases. Raises Problem, also 429."""
        with stream_events.reserved_slot(
            self.user_id, self.run_key
        ) as slot:  # first: no run without somebody who waits
            run = self.submit()
            return stream_events.subscribe_from_start(run, slot), run


def describe() -> Iterator[Document]:
    """Yield the tools, in the order of the agents' file."""
    for binding in _served():
        yield {
            "name": f"{PREFIX}{binding.agent}",
            "title": f"Ask {binding.agent}",
            "description": _description(binding),
            "inputSchema": _INPUT,
            "outputSchema": SCHEMA,
            "annotations": {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": True},
        }


def find(tool: str) -> Binding | None:
    return next((binding for binding in _served() if f"{PREFIX}{binding.agent}" == tool), None)


def prepare(binding: Binding, request: McpRequest, arguments: Mapping[str, Any], caller: Caller) -> AgentCall:
    """Read a call. Raises Problem: 422 for bad arguments, 403 and 404 for a conversation that is not the caller's."""
    message, thread_id = _read(arguments)
    if thread_id is not None:
        session = sessions.read_owned(thread_id, caller.user_id)
        if session.agent != binding.agent:
            raise Problem(Code.AGENT_RUN_INPUT_INVALID, "threadId is that of a conversation with another agent")
    key = request.meta.get(IDEMPOTENCY_KEY)
    if key is not None and not (isinstance(key, str) and 0 < len(key) <= _MAX_KEY_LENGTH):
        detail = f"_meta: {IDEMPOTENCY_KEY} must be a string of 1 to {_MAX_KEY_LENGTH} characters"
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, detail)
    name = [caller.user_id, binding.agent, thread_id, key]
    thread_id = thread_id or _id(["thread", *name], key)
    run_id = f"mcp-{_id(['run', *name], key)}"
    body = {
        "threadId": thread_id,
        "runId": run_id,
        "state": {},
        "messages": [{"id": f"msg_{run_id}_user_0", "role": "user", "content": message}],
        "tools": [],
        "context": [],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    if elicitation.is_offered(request.capabilities):
        body["protocolVersion"] = _CAN_ANSWER
    submission = submission_of(RunBody.of(body), parse_run_input(body), caller, binding.agent, OF_HOST)
    return AgentCall(caller.user_id, submission.run_key, lambda: submit(submission).run)


def _served() -> Iterator[Binding]:
    return (binding for binding in bindings.deployed().values() if binding.descriptor.mcp_tool)


def _description(binding: Binding) -> str:
    described = binding.descriptor.mcp_tool
    if isinstance(described, str):
        return described
    return f"Sends a message of the user to the agent {binding.agent} and returns its answer."


def _read(arguments: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return message and thread id. Raises Problem 422."""
    if unknown := sorted(arguments.keys() - _INPUT["properties"].keys()):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, f"unknown argument {unknown[0][:100]}")
    message, thread_id = arguments.get("message"), arguments.get("threadId")
    if not isinstance(message, str) or not 0 < len(message.strip()) <= len(message) <= MAX_USER_TEXT_LENGTH:
        detail = f"message must be a string of 1 to {MAX_USER_TEXT_LENGTH} characters"
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, detail)
    if thread_id is not None and not is_uuid(thread_id):
        raise Problem(Code.AGENT_SESSION_ID_INVALID, "threadId must be the threadId of an earlier answer")
    return message, thread_id


def _id(name: list[str | None], key: str | None) -> str:
    """Return an id: of the name for a call that has an idempotency key, else a new one."""
    return str(uuid.uuid4() if key is None else uuid.uuid5(_NAMESPACE, json_text.dumps(name)))
