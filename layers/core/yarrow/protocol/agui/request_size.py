"""Fits an AG-UI request into a run's smaller limit (RUN-03).

It drops reasoning, results of the service's own tools, then client tool results before the latest assistant message.
The same request makes the same run.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import MAX_MESSAGES, MAX_PAYLOAD_BYTES
from yarrow.protocol.run_input.tool_results import client_results

_BODY_BYTES: Final = MAX_PAYLOAD_BYTES - 64
"""The limit of a body, with room for the thread id that is added later."""


def fit_to_limit(body: dict[str, Any]) -> dict[str, Any]:
    """Drop what a run can do without. Raises Problem 413 that names the largest member."""
    if "reasoning" in body["passedOn"] and not _fits(body):
        passed_on = {name: value for name, value in body["passedOn"].items() if name != "reasoning"}
        body = {**body, "passedOn": passed_on}
    names = {tool.get("name") for tool in body["tools"] if isinstance(tool, dict)}
    for tools in (names, frozenset[str]()):
        if _fits(body):
            return body
        body = {**body, "messages": _results_only(body["messages"], tools)}
    if _fits(body):
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


def _fits(body: dict[str, Any]) -> bool:
    return len(body["messages"]) <= MAX_MESSAGES and _size(body) <= _BODY_BYTES


def _results_only(messages: Sequence[dict[str, Any]], tools: Collection[Any]) -> list[dict[str, Any]]:
    """Return the user's message, and the latest results of these tools with their calls."""
    counted = {result["tool_call_id"] for result in client_results(messages, tools)}
    kept: list[dict[str, Any]] = []
    for message in messages:
        calls = [call for call in message.get("toolCalls") or () if call["id"] in counted]
        if message["role"] == "user" or (message["role"] == "tool" and message["toolCallId"] in counted):
            kept.append(message)
        elif calls:
            kept.append({"id": message["id"], "role": "assistant", "toolCalls": calls})
    return kept


def _size(value: Any) -> int:
    return len(json_text.dumps(value).encode())
