"""What tools of the client answered, as a run brings it: the tool messages that no message of the assistant follows.

Source: `agui-http-agent.md` (EVT-21). Which of them answer a call is not asked here.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from yarrow.protocol.member_names import member


def brought(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The results among the messages of a run, which have the shape of a run input's: `tool_call_id`, `content` and, if
    the tool failed, `error`.
    """
    results: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "assistant":
            results.clear()
        elif message["role"] == "tool":
            error = {} if message.get("error") is None else {"error": message["error"]}
            results.append({"tool_call_id": member(message, "toolCallId"), "content": message["content"], **error})
    return results


def brought_in(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The same, by the body of a run that was accepted."""
    passed_on = body.get("passedOn")
    before = passed_on.get("toolResults") if isinstance(passed_on, dict) else None
    return brought([*(before or ()), *body["messages"]])
