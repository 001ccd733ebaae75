"""What tools of the client answered, as a run brings it.

Source: `agui-http-agent.md` (EVT-21). A client sends back what the service's own tools answered as well. Which results
answer a call that waits is not asked here.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from yarrow.protocol.run_input.member_names import member


def client_results(messages: Iterable[Mapping[str, Any]], tools: Collection[Any]) -> list[dict[str, Any]]:
    """The results among the messages of a run, which have the shape of a run input's: `tool_call_id`, `content` and, if
    the tool failed, `error`.

    `tools` names those of the client: their results count wherever they stand. Others count as far as no message of the
    assistant follows them: the client may have taken the tool off its list meanwhile.
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
    """The same, by the body of a run that was accepted."""
    passed_on = body.get("passedOn")
    before = passed_on.get("toolResults") if isinstance(passed_on, dict) else None
    tools = {tool["name"] for tool in body.get("tools") or ()}
    return client_results([*(before or ()), *body["messages"]], tools)
