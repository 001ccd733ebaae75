"""Fits an AG-UI request into a run's smaller limit (RUN-03).

Drops reasoning, results of the service's own tools, then client tool results before the latest assistant message. The
same request gives the same run.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import MAX_MESSAGES, MAX_PAYLOAD_BYTES
from yarrow.protocol.run_input.tool_results import client_results

_BODY_BYTES: Final = MAX_PAYLOAD_BYTES - 64
"""Leaves room for the thread id, added later."""


def fit_to_limit(body: dict[str, Any]) -> dict[str, Any]:
    """Raises Problem 413 that names the largest member."""
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
    """The user's message, and the latest results of these tools with their calls."""
    counted = {each["tool_call_id"] for each in client_results(messages, tools)}
    kept: list[dict[str, Any]] = []
    for each in messages:
        calls = [call for call in each.get("toolCalls") or () if call["id"] in counted]
        if each["role"] == "user" or (each["role"] == "tool" and each["toolCallId"] in counted):
            kept.append(each)
        elif calls:
            kept.append({"id": each["id"], "role": "assistant", "toolCalls": calls})
    return kept


def _size(value: Any) -> int:
    return len(json_text.dumps(value).encode())
