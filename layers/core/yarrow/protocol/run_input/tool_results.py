"""Client tool results in a run input.

Source: `agui-http-agent.md` (EVT-21). Clients also send back results of the service's own tools.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from yarrow.protocol.run_input.member_names import member


def client_results(messages: Iterable[Mapping[str, Any]], tools: Collection[Any]) -> list[dict[str, Any]]:
    """`tool_call_id`, `content` and, if the tool failed, `error`.

    Results of the client's `tools` count anywhere, others only after the last assistant message.
    """
    results: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for message in messages:
        if message["role"] == "assistant":
            results = [each for each in results if names.get(each["tool_call_id"]) in tools]
            names |= {call["id"]: call["function"]["name"] for call in member(message, "toolCalls") or ()}
        elif message["role"] == "tool":
            error = {} if message.get("error") is None else {"error": message["error"]}
            results.append({"tool_call_id": member(message, "toolCallId"), "content": message["content"], **error})
    return results


def client_results_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    passed_on = body.get("passedOn")
    before = passed_on.get("toolResults") if isinstance(passed_on, dict) else None
    tools = {tool["name"] for tool in body.get("tools") or ()}
    return client_results([*(before or ()), *body["messages"]], tools)
