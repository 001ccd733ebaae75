"""The catalogue of events, made of their models: those of a run's stream, and those of a deployment's bus.

`tools/docs_site.py` adds the page to the site, beside the HTTP API's. Sources: `yarrow.protocol.events` and
`yarrow.protocol.domain_events`; what a member means is said here, and a test finds a member without a word.
"""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from tools.docs_reference import cell, type_of
from tools.response_schemas import schemas
from yarrow.protocol import domain_events
from yarrow.protocol.events import events, subagents

EVENTS: Final = "docs/reference/events.md"

_ABOUT: Final = """\
Two kinds of things are called events. *Events of a run* are its stream, with all that it says
([concept](../concepts/event.md), [how a client reads them](../clients.md#stream-rules)). *Events of a deployment*
tell other systems that something has happened, without its content ([how to get them](../events.md),
[webhooks](../webhooks.md)). This page is made of their models."""
_ABOUT_RUN: Final = """\
The frames of `GET /api/v1/agent/runs/{threadId}/events`: `id` is the event's number in the run, from 1, `event`
its type, `data` one line of JSON. Every event has `type`, `threadId`, `runId` and, with `times=true`, `timestamp`
(milliseconds since 1970). Agents of packages declare types of their own. `POST /send-message` sends what AG-UI
clients of each version read ([what differs](../agui-protocol.md)); own types are CUSTOM there."""
_ABOUT_DEPLOYMENT: Final = """\
Each is a document with `id` (the same when it is sent again), `type`, `timestamp` (RFC 3339, UTC) and `data`. On the
bus it is the `detail`, and its type the `detail-type`; a webhook sends it as its body."""

_FRAMING: Final = frozenset({"type", "threadId", "runId", "timestamp"})
_IDS: Final = {"threadId": "550e8400-e29b-41d4-a716-446655440000", "runId": "run-1"}
_REQUIREMENT: Final = re.compile(r" \((?:[A-Z]+-?\d+(?:, | … )?)+\)")

MEANINGS: Final = {
    "parentRunId": "the run that this one goes on from",
    "result": "what the agent returns beside its messages",
    "outcome": '`{"type": "interrupt", "interrupts": […]}` if the run asks its user; absent for plain success',
    "usage": "tokens by model, as AG-UI counts them; a count that nobody reported is absent",
    "message": "for users to read",
    "code": "a [registered code](../errors.md)",
    "stepName": "the stage of the agent",
    "messageId": "the message; its pieces have the same id",
    "role": "who speaks",
    "delta": "the next piece of text, to append; never empty",
    "output": "structured output, as further members of the event",
    "subagentRunId": "the nested agent that speaks",
    "toolCallId": "the call; its pieces and its result have the same id",
    "toolCallName": "the tool, by its name for models",
    "parentMessageId": "the message that calls, or the first call of a round without text",
    "metadata": 'more about it, for clients to keep; `{"yarrow.interrupted": true}` of arguments that are truncated',
    "content": "the result as text, often JSON",
    "parts": "text and media of a result that has media",
    "subtype": "what the value belongs to",
    "entityId": "the message that the value belongs to",
    "encryptedValue": "opaque; send it back as it is",
    "snapshot": "the whole state, in place of the one before",
    "activityType": "how to draw it",
    "patch": "changes, in order, as JSON Patch (RFC 6902)",
    "messages": "the conversation so far",
    "name": "whose it is and what, such as `acme.forecast`",
    "value": "any JSON",
    "description": "what the nested agent is for",
    "parentSubagentRunId": "the nested agent that called it",
    "parentToolCallId": "the tool call that called it",
    "userId": "the user, by the `sub` of their token",
    "threadId": "the session",
    "runId": "the run, unique in its session",
    "runKey": "the run, unique among those of all users",
    "agent": "the agent's name",
    "sequence": "its place among the events of its run: an end is 1, a question 2, its expiry 3",
    "createdAt": "when it was submitted; RFC 3339, UTC",
    "endedAt": "when it ended; RFC 3339, UTC",
    "jobId": "the automation job",
    "apiKey": "the id of the API key that submitted it",
    "interruptId": "the question",
    "expiresAt": "until when it can be answered; RFC 3339, UTC",
    "reason": "why",
    "webhookId": "the webhook",
}
"""What a member is, by its name on the wire."""

_OF_TYPE: Final = {
    ("STATE_DELTA", "delta"): "changes, in order, as JSON Patch (RFC 6902)",
    ("TOOL_CALL_ARGS", "delta"): "the next piece of the arguments' JSON text, to append",
    ("ACTIVITY_SNAPSHOT", "content"): "what to draw, by `activityType`",
    ("SUBAGENT_STARTED", "name"): "of the nested agent, for users",
    ("SUBAGENT_FINISHED", "outcome"): '`{"type": "suspended"}` if it goes on in the run that answers a question',
    ("SUBAGENT_STARTED", "subagentRunId"): "this invocation of the nested agent",
    ("SUBAGENT_FINISHED", "subagentRunId"): "this invocation of the nested agent",
    ("SUBAGENT_ERROR", "subagentRunId"): "this invocation of the nested agent",
}

_TOKENS: Final = {"model": "chat", "inputTokens": 812, "outputTokens": 240}
_CHANGE: Final = {"op": "replace", "path": "/city", "value": "Bergen"}
_VALUES: Final[dict[str, Any]] = {
    "usage": [_TOKENS],
    "message": "The run was cancelled.",
    "code": "RUN_CANCELED",
    "stepName": "reading",
    "messageId": "message-1",
    "delta": "Six lines",
    "toolCallId": "call-1",
    "toolCallName": "get_current_time",
    "content": '{"time": "20:30"}',
    "role": "assistant",
    "subtype": "message",
    "entityId": "message-1",
    "encryptedValue": "gAAAAB…",
    "snapshot": {"city": "Oslo"},
    "activityType": events.TOOL_PROGRESS,
    "patch": [_CHANGE],
    "messages": [{"id": "message-1", "role": "user", "content": "What time is it?"}],
    "name": "acme.forecast",
    "value": {"celsius": 21},
    "subagentRunId": "subagent-1",
    "userId": "alice",
    "runKey": "4f020b1b-92be-5061-8810-9166bffe3966",
    "agent": "assistant",
    "sequence": 1,
    "createdAt": "2026-11-27T19:15:32.108+00:00",
    "endedAt": "2026-11-27T19:15:48.543+00:00",
    "interruptId": "3b9d2a60-6f0e-4c55-9a0c-2f4f5f5b6b10",
    "expiresAt": "2026-12-04T19:15:48.543+00:00",
    "jobId": "8a4e3c1e-1a0f-4b60-b0f1-0c8e0f1d2c3b",
    "reason": "failures",
    "webhookId": "9f0c8a52-6a83-4f6c-8c1e-7d1a2b3c4d5e",
    "outcome": "success",
}
_VALUES_OF_TYPE: Final[dict[tuple[str, str], Any]] = {
    ("STATE_DELTA", "delta"): [_CHANGE],
    ("REASONING_MESSAGE_START", "role"): "reasoning",
    ("TOOL_CALL_ARGS", "delta"): '{"time_zone":',
    ("ACTIVITY_SNAPSHOT", "content"): {"server": "weather", "tool": "forecast", "status": "running"},
    ("SUBAGENT_STARTED", "name"): "researcher",
    ("interrupt.opened", "sequence"): 2,
    ("interrupt.expired", "sequence"): 3,
    ("run.completed", "usage"): [_TOKENS],
}
_SHOWN: Final = {"RUN_FINISHED": ("usage",), "RUN_ERROR": ("code",), "run.failed": ("code",), "run.canceled": ("code",)}
"""Members of examples besides those that are never absent."""


def pages() -> dict[str, str]:
    """Return the page by its path in the repository's layout, as Markdown."""
    return {EVENTS: catalogue()}


def catalogue() -> str:
    """Describe each type: when it comes, its members, a line of it."""
    run, deployment = [*_run_events()], [*_deployment_events()]
    lines = ["# Event catalogue", "", _ABOUT, "", "## Events of a run", "", _ABOUT_RUN, ""]
    lines += [line for event in run for line in event]
    lines += ["## Events of a deployment", "", _ABOUT_DEPLOYMENT, ""]
    lines += [line for event in deployment for line in event]
    return "\n".join(lines).rstrip() + "\n"


def _run_events() -> Iterator[list[str]]:
    types = {str(type_.__struct_config__.tag): type_ for type_ in (*events.EVENTS, *subagents.EVENTS)}
    roots, parts = msgspec.json.schema_components(types.values(), ref_template="#/components/schemas/{name}")
    document = {"components": {"schemas": parts}}
    for (name, type_), root in zip(types.items(), roots, strict=True):
        schema = parts[root["$ref"].rsplit("/", 1)[-1]] if "$ref" in root else root
        when = _REQUIREMENT.sub("", inspect.getdoc(type_) or "")
        when = re.sub(r"`([a-z]+(?:_[a-z]+)+)`", lambda found: f"`{_camel(found[1])}`", when)
        members = {member: one for member, one in schema["properties"].items() if member not in _FRAMING}
        needed = {*schema.get("required", ()), *_always_written(type_)}
        example = {"type": name, **_IDS, **_example(name, members, needed)}
        line = json.dumps(example, ensure_ascii=False, separators=(",", ":"))
        yield [*_section(document, name, when, members, needed), *_fenced(line)]


def _always_written(type_: type[msgspec.Struct]) -> Iterator[str]:
    """Members whose default is made by a function of the model, so that it is not left out."""
    for member in msgspec.structs.fields(type_):
        if member.default_factory not in (msgspec.NODEFAULT, dict):
            yield member.encode_name


def _deployment_events() -> Iterator[list[str]]:
    parts = schemas(domain_events.EVENTS.values())
    document = {"components": {"schemas": parts}}
    for name, type_ in domain_events.EVENTS.items():
        schema = parts[parts[type_.__name__]["properties"]["data"]["$ref"].rsplit("/", 1)[-1]]
        members, needed = schema["properties"], schema["required"]
        example = {
            "id": f"{_VALUES['runKey']}-ended" if name.startswith("run.") else "0d3c6a1e-…",
            "type": name,
            "timestamp": _VALUES["endedAt"],
            "data": {**{one: _IDS[one] for one in _IDS if one in members}, **_example(name, members, needed)},
        }
        yield [
            *_section(document, name, inspect.getdoc(type_) or "", members, needed),
            *_fenced(json.dumps(example, ensure_ascii=False)),
        ]


def _section(
    document: Mapping[str, Any], name: str, when: str, members: Mapping[str, Any], needed: Any
) -> Iterator[str]:
    yield from (f"### {name} {{ #{name.lower().replace('.', '-')} }}", "", when, "")
    if members:
        yield from ("| member | type | what it is |", "|---|---|---|")
    for member, schema in members.items():
        absent = "" if member in needed else " (may be absent)"
        meaning = _OF_TYPE.get((name, member)) or MEANINGS[member]
        yield f"| `{member}`{absent} | {cell(type_of(document, schema)).removesuffix(' or null')} | {cell(meaning)} |"
    yield ""


def _example(name: str, members: Mapping[str, Any], needed: Any) -> dict[str, Any]:
    optional = _SHOWN.get(name, ())
    own = {type_member for type_, type_member in _VALUES_OF_TYPE if type_ == name}
    wanted = [one for one in members if one in needed or one in optional or one in own]
    return {one: _VALUES_OF_TYPE.get((name, one), _VALUES.get(one)) for one in wanted if one not in _IDS}


def _fenced(line: str) -> Iterator[str]:
    yield from ("```json", line, "```", "")


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
