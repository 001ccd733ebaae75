"""What of an AG-UI client's request goes into a run, which may have less than the request (RUN-03).

A client sends back whatever it was told, so that what the service's own tools answered comes again with every result of
its tools. The same request always gives the same run.
"""

from collections.abc import Sequence
from typing import Any, Final

from yarrow.protocol import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input import MAX_MESSAGES, MAX_PAYLOAD_BYTES

_BODY_BYTES: Final = MAX_PAYLOAD_BYTES - 64
"""Of a run without its thread, which comes to it later."""


def fitting(body: dict[str, Any]) -> dict[str, Any]:
    """A run that fits into what one may have: at need without the calls and results of the service itself, which it
    knows. Raises Problem 413, with the name of the member that is the largest.
    """
    if len(body["messages"]) > MAX_MESSAGES or _size(body) > _BODY_BYTES:
        body = {**body, "messages": _answers_alone(body["messages"])}
    if _size(body) <= _BODY_BYTES:
        return body
    passed_on = body["passedOn"]
    sizes = {
        "messages": _size([body["messages"], passed_on["toolResults"]]),
        "forwardedProps": _size([body["forwardedProps"], passed_on["forwardedProps"]]),
        **{name: _size(body[name]) for name in ("state", "tools", "context")},
    }
    raise Problem(
        Code.AGENT_RUN_INPUT_INVALID,
        f"RunAgentInput payload exceeds size limit, most of it by RunAgentInput.{max(sizes, key=sizes.__getitem__)}",
        status=413,
        params={"limitBytes": MAX_PAYLOAD_BYTES},
    )


def _answers_alone(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of a user's message and what follows it, the results that a run brings, and the calls that they answer."""
    latest = max((index for index, each in enumerate(messages) if each["role"] == "assistant"), default=0)
    results = [each for each in messages[latest + 1 :] if each["role"] == "tool"]
    answered = {each["toolCallId"] for each in results}
    kept = [messages[0]]
    for each in messages[1 : latest + 1]:
        calls = [call for call in each.get("toolCalls") or () if call["id"] in answered]
        if calls:
            kept.append({"id": each["id"], "role": "assistant", "toolCalls": calls})
    return [*kept, *results]


def _size(value: Any) -> int:
    return len(json_text.dumps(value).encode())
