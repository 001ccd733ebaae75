"""The fixed order of the rules of a run input: of two that are broken at once, the earlier is reported (RUN-15)."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.run_bodies import CLIENT_TIME, PICTURE, admitted, body, props, refusal, user
from yarrow.protocol.problems import Code

INPUT, MESSAGES, MODE = (
    Code.AGENT_RUN_INPUT_INVALID,
    Code.AGENT_RUN_MESSAGES_INVALID,
    Code.AGENT_RUNTIME_MODE_INVALID,
)

SYSTEM = {"id": "s", "role": "system", "content": "…"}
PROPS = "invalid RunAgentInput.forwardedProps"


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change of one member, by its dotted path."""

    def apply(sent: dict[str, Any]) -> None:
        *parents, last = path.split(".")
        target: Any = sent
        for parent in parents:
            target = target[int(parent)] if parent.isdecimal() else target[parent]
        target[last] = value

    return apply


def messages(*, before: int = 0, after: int = 0, users: int = 0) -> Callable[[dict[str, Any]], None]:
    """Return more messages around the user's."""

    def apply(sent: dict[str, Any]) -> None:
        sent["messages"] = [SYSTEM] * before + sent["messages"] + [SYSTEM] * after + [user("又问")] * users

    return apply


def more_pictures(sent: dict[str, Any]) -> None:
    sent["messages"][0]["content"] += [PICTURE] * 3


# In the order of RUN-15.
ORDER: list[tuple[Code, str, Callable[[dict[str, Any]], None]]] = [
    (INPUT, "RunAgentInput payload exceeds size limit", change("padding", "x" * 262_144)),
    (Code.REQUEST_INVALID, "the request body is not valid JSON: it has NaN", change("number", float("nan"))),
    (INPUT, "threadId must be a valid UUID", change("threadId", "thread_001")),
    (INPUT, "runId exceeds length limit", change("runId", "r" * 129)),
    (MESSAGES, "RunAgentInput.messages exceeds limit", messages(after=200)),
    (MESSAGES, "RunAgentInput.messages must contain exactly one user message", messages(users=1)),
    (MESSAGES, "RunAgentInput.messages[0].role must be user", messages(before=1)),
    (MESSAGES, "RunAgentInput user message text exceeds limit", change("messages.0.content.0.text", "字" * 10_001)),
    (MESSAGES, "binary content requires image mimeType", change("messages.0.content.1.mimeType", "text/plain")),
    (MESSAGES, "binary content data is not allowed", change("messages.0.content.1.data", "aGk=")),
    (MESSAGES, "binary content requires url", change("messages.0.content.1.url", "")),
    (MESSAGES, "Too many attachments", more_pictures),
    (MESSAGES, "invalid RunAgentInput.messages[0].id", change("messages.0.id", None)),
    (INPUT, "parentRunId must be a string of at most 128 characters", change("parentRunId", 1)),
    (INPUT, "protocolVersion must be a string", change("protocolVersion", 1)),
    (INPUT, "invalid RunAgentInput.tools[0].parameters", change("tools.0.parameters", "{}")),
    (INPUT, "invalid RunAgentInput.context[0].value", change("context.0.value", 1)),
    (MODE, PROPS, change("forwardedProps.runtime_mode", "")),
    (INPUT, "invalid client_time.device_timezone", change("forwardedProps.client_time.device_timezone", "Mars")),
    (INPUT, "invalid client_time.client_now_iso", change("forwardedProps.client_time.client_now_iso", "now")),
    (INPUT, "invalid client_time.client_epoch_ms", change("forwardedProps.client_time.client_epoch_ms", 1.5)),
    (INPUT, PROPS, change("forwardedProps.extra", 1)),
    (INPUT, "RunAgentInput.state is required", change("state", None)),
    (INPUT, "invalid divinationPayload.question", change("forwardedProps.divinationPayload.question", "")),
]


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(range(len(ORDER)), 2)))
def test_of_two_rules_broken_at_once_the_earlier_is_reported(first: int, second: int) -> None:
    """RUN-15: The order is size, JSON, threadId, runId, messages, roles, user content, shapes, forwardedProps,
    binding."""
    sent = body(
        messages=[user([{"type": "text", "text": "问"}, dict(PICTURE)])],
        tools=[{"name": "t", "description": "", "parameters": {}}],
        context=[{"description": "", "value": ""}],
        forwardedProps=props(client_time=dict(CLIENT_TIME)),
    )
    admitted(sent)
    code, detail, break_first = ORDER[first]
    ORDER[second][2](sent)
    break_first(sent)  # last, for it may move the message that the other changes
    problem = refusal(sent)
    assert (problem.code, problem.detail) == (code, detail)
