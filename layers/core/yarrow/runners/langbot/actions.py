"""Translates the SDK's actions to ours.

Source: the SDK's `proxies.runner` and `protocol.runner.api` (C18). Embeddings, the run ledger, boxes and the
chat platform are unsupported; the runner's context says so, and the SDK mostly refuses such a call itself.
"""

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.vocabulary import MAX_ADDED
from yarrow.runners.langbot import tokens
from yarrow.runners.langbot.context import STATE_SCOPES, to_sdk_attachment, to_sdk_context
from yarrow.runners.langbot.messages import from_sdk_message, to_sdk_message

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LangBotAction:
    """One of our actions, with translations of the SDK's request (without run id) and of our answer.

    `answer` gets our answer and the request. Both may raise AgentAPIException.
    """

    name: str
    arguments: Callable[[Document], dict[str, Any]]
    answer: Callable[[Document, Document], dict[str, Any]]
    in_pages: bool = False
    """Our answer is one page of `keys`; the SDK expects all."""


def _same(*names: str) -> Callable[[Document], dict[str, Any]]:
    """Copy members with the same name and meaning in both."""
    return lambda data: {name: data[name] for name in names}


# ---- Models ----------------------------------------------------------------------------------------------------------
def _model_request(data: Document) -> dict[str, Any]:
    tools = [{name: tool[name] for name in ("name", "description", "parameters")} for tool in data.get("funcs") or ()]
    return {
        "model_id": data["llm_model_uuid"],
        "messages": [from_sdk_message(message) for message in data["messages"]],
        "tools": tools or None,
        "extra_args": data.get("extra_args") or None,
    }


def _usage(reply: Document) -> dict[str, int]:
    usage = reply.get("usage") or {}
    prompt, completion = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _model_reply(answer: Document, _data: Document) -> dict[str, Any]:
    return {"message": to_sdk_message(answer["message"]), "usage": _usage(answer)}


def stream_items(chunk: Document) -> Iterator[dict[str, Any]]:
    """Translate a model's chunk; the last has the tool calls, and a token count after it."""
    reply = chunk.get("reply")
    if reply is None and not chunk.get("content"):
        return  # the SDK has no place for reasoning
    message = {"role": "assistant", "content": chunk.get("content") or "", "is_final": reply is not None}
    if reply is not None:
        message["tool_calls"] = to_sdk_message(reply["message"])["tool_calls"]
    yield {"chunk": message}
    if reply is not None:
        yield {"usage": _usage(reply)}


def _rerank(data: Document) -> dict[str, Any]:
    return {"model_id": data["rerank_model_uuid"], **_same("query", "documents", "top_k")(data)}


# ---- Tools and knowledge ---------------------------------------------------------------------------------------------
def _tool_detail(answer: Document, _data: Document) -> dict[str, Any]:
    named = {"name": answer["tool_name"], "human_desc": answer["description"]}
    return {"tool": {**named, "description": answer["description"], "parameters": answer["parameters"]}}


def _tool_result(answer: Document, _data: Document) -> dict[str, Any]:
    """Translate a result: the SDK accepts only objects."""
    result = answer["result"]
    return {"result": result if isinstance(result, dict) else {"result": result}}


def _retrieved(answer: Document, _data: Document) -> dict[str, Any]:
    return {
        "results": [
            {
                "id": passage["document_id"],
                "content": [{"type": "text", "text": passage["content"]}],
                "metadata": dict(passage.get("metadata") or {}),
                "score": passage["score"],
                "distance": 1.0 - passage["score"],
            }
            for passage in answer["results"]
        ]
    }


# ---- The conversation ------------------------------------------------------------------------------------------------
def _transcript_item(item: Document) -> dict[str, Any]:
    return {
        "transcript_id": item["item_id"],
        "event_id": item.get("event_id") or item["item_id"],
        **_same("role", "content", "seq", "cursor")(item),
        "attachment_refs": [to_sdk_attachment(artifact) for artifact in item.get("artifacts") or ()],
        "created_at": int(datetime.datetime.fromisoformat(item["created_at"]).timestamp()),
    }


def _history_page(answer: Document, _data: Document) -> dict[str, Any]:
    return {**answer, "items": [_transcript_item(item) for item in answer["items"]]}


def _history_request(data: Document) -> dict[str, Any]:
    same = _same("conversation_id", "before_cursor", "after_cursor", "limit", "direction")(data)
    return {**same, "include_artifacts": data["include_attachments"]}


def _event(answer: Document, _data: Document) -> dict[str, Any]:
    summary, ref = answer.get("summary"), answer.get("raw_ref") or {}
    return {**answer, "input_summary": summary, "raw_ref": ref.get("ref_id")}


def _event_page(answer: Document, data: Document) -> dict[str, Any]:
    """Filter a page by type, as our API does not; the cursors stay valid."""
    types = data.get("event_types")
    return {
        **answer,
        "items": [_event(event, data) for event in answer["items"] if not types or event["event_type"] in types],
    }


# ---- State and storage -----------------------------------------------------------------------------------------------
def _scoped(*names: str) -> Callable[[Document], dict[str, Any]]:
    def arguments(data: Document) -> dict[str, Any]:
        if data["scope"] not in STATE_SCOPES:
            raise AgentAPIException("unauthorized", "this runner may not use the scope")
        return {"scope": data["scope"], **{name: data[name] for name in names}}

    return arguments


def _state_list(data: Document) -> dict[str, Any]:
    return {**_scoped("limit")(data), "prefix": data.get("prefix") or ""}


def _as_it_is(answer: Document, _data: Document) -> dict[str, Any]:
    return dict(answer)


def _blob(answer: Document, _data: Document) -> dict[str, Any]:
    if answer["value"] is None:
        raise AgentAPIException("not_found", "nothing is stored under this key")
    return {"value_base64": answer["value"]}


def _storage(area: str) -> dict[str, LangBotAction]:
    """Make the actions of an area: the SDK has separate names for each."""

    def key(data: Document) -> dict[str, Any]:
        return {"area": area, "key": data["key"]}

    return {
        f"get_{area}_storage": LangBotAction("storage.get", key, _blob),
        f"set_{area}_storage": LangBotAction(
            "storage.set", lambda data: {**key(data), "value": data["value_base64"]}, _as_it_is
        ),
        f"delete_{area}_storage": LangBotAction("storage.delete", key, _as_it_is),
        f"get_{area}_storage_keys": LangBotAction("storage.list", lambda _: {"area": area}, _as_it_is, in_pages=True),
    }


# ---- Messages that the user adds -------------------------------------------------------------------------------------
def _pull(data: Document) -> dict[str, Any]:
    """Translate a request: `mode` is `all`, `one` or `one-at-a-time`; the SDK has no limit of its own."""
    most = 1 if data.get("mode") in ("one", "one-at-a-time") else MAX_ADDED
    return {"limit": max(1, min(data.get("limit") or most, most))}


def steering_items(answer: Document, context: AgentRunContext, runner_id: str) -> dict[str, Any]:
    """Translate added messages: each is an event of the run's conversation, with an input of its own."""
    run = to_sdk_context(context)
    return {"items": [_steering_item(message, run, context.run_id, runner_id) for message in answer["messages"]]}


def _steering_item(message: Document, run: Document, run_id: str, runner_id: str) -> dict[str, Any]:
    sent = int(datetime.datetime.fromisoformat(message["sent_at"]).timestamp())
    subject = run["subject"] and {**run["subject"], "subject_id": message["id"]}
    return {
        "claimed_run_id": run_id,
        "runner_id": runner_id,
        "claimed_at": sent,
        "event": {
            **run["event"],
            "event_id": message["id"],
            "event_type": "message.received",  # of every message of a user
            "event_time": sent,
            "data": {},
        },
        "input": {
            "text": message["content"],
            "contents": [{"type": "text", "text": message["content"]}],
            "attachments": [],
        },
        **{name: run[name] for name in ("conversation", "actor")},
        "subject": subject,
        "metadata": {"place": message["place"]},
    }


# ---- The agent's configuration ---------------------------------------------------------------------------------------
def _prompt(configured: Any) -> list[dict[str, Any]]:
    """Return the prompt of the agent's block as messages: nothing in this host changes it before a run."""
    if isinstance(configured, str):
        return [{"role": "system", "content": configured}] if configured else []
    return [dict(one) for one in configured if isinstance(one, Mapping)] if isinstance(configured, list | tuple) else []


STEERING_PULL: Final = "steering_pull"


# ---- The tables ------------------------------------------------------------------------------------------------------
STREAMS: Final[Mapping[str, LangBotAction]] = {
    "invoke_llm_stream": LangBotAction("models.stream", _model_request, _as_it_is)
}
"""Actions answered with a stream; see `stream_items`."""

ACTIONS: Final[Mapping[str, LangBotAction]] = {
    "invoke_llm": LangBotAction("models.invoke", _model_request, _model_reply),
    "invoke_rerank": LangBotAction("models.rerank", _rerank, _as_it_is),
    "get_tool_detail": LangBotAction("tools.get_detail", _same("tool_name"), _tool_detail),
    "call_tool": LangBotAction("tools.call", _same("tool_name", "parameters"), _tool_result),
    "retrieve_knowledge_base": LangBotAction(
        "knowledge.retrieve",
        lambda data: {**_same("kb_id", "query_text", "top_k")(data), "filters": data.get("filters") or None},
        _retrieved,
    ),
    "history_page": LangBotAction("history.page", _history_request, _history_page),
    "history_search": LangBotAction(
        "history.search",
        lambda data: {**_same("query", "top_k")(data), "filters": data.get("filters") or None},
        _history_page,
    ),
    "event_get": LangBotAction("events.get", _same("event_id"), _event),
    "event_page": LangBotAction("events.page", _same("before_cursor", "limit"), _event_page),
    "state_get": LangBotAction("state.get", _scoped("key"), _as_it_is),
    "state_set": LangBotAction("state.set", _scoped("key", "value"), _as_it_is),
    "state_delete": LangBotAction("state.delete", _scoped("key"), _as_it_is),
    "state_list": LangBotAction("state.list", _state_list, _as_it_is),
    STEERING_PULL: LangBotAction("steering.pull", _pull, _as_it_is),
    **_storage("plugin"),
    **_storage("workspace"),
}

ANSWERED_HERE: Final[Mapping[str, Callable[[Document, AgentRunContext], dict[str, Any]]]] = {
    "count_tokens": lambda data, _: {"tokens": tokens.estimate(data["messages"], data.get("funcs") or ())},
    "get_prompt": lambda _, context: {"prompt": _prompt(context.config.get("prompt"))},
    # "0" is older than any version; no features beyond the protocol are claimed.
    "get_langbot_version": lambda _, context: {"version": context.runtime.langbot_version or "0", "api_features": []},
}
"""Actions answered without the host and without a grant."""
