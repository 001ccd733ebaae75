"""Generates the component schemas from the models that the service validates and serialises with.

Bodies without a model (the submit response, problems, stream frames) are declared here. Operations are described in
`functions/<name>/openapi.py`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec
from pydantic import TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from functions.openapi import ref
from tools import response_schemas
from yarrow.packages import error_codes
from yarrow.protocol import token_usage
from yarrow.protocol.agent_list import AgentList
from yarrow.protocol.agui.capabilities import AgentCapabilities
from yarrow.protocol.automation.job import JobFields, JobList
from yarrow.protocol.automation.job_runs import JobRunPage
from yarrow.protocol.devices.kinds import Kind
from yarrow.protocol.devices.requests import MAX_TOKEN_LENGTH, DeviceFields
from yarrow.protocol.devices.responses import Device, DeviceList
from yarrow.protocol.diagnostics import RunDiagnostics
from yarrow.protocol.events import events, subagents
from yarrow.protocol.files.attachments import AttachmentAnswer, SignedUrl, Upload
from yarrow.protocol.files.upload_request import UploadRequest
from yarrow.protocol.fork_request import ForkRequest
from yarrow.protocol.history import CardSnapshot, DaySnapshot, Snapshot
from yarrow.protocol.interrupts import MAX_OPEN, InterruptList
from yarrow.protocol.mcp_connections import McpConnection, McpConnectionList, McpSignIn, SignInEnd, SignInStart
from yarrow.protocol.memories import MemoryPage
from yarrow.protocol.operations import EndedRuns, UsersOfDay
from yarrow.protocol.outcome_request import OutcomeRequest
from yarrow.protocol.problems import Code
from yarrow.protocol.reading_outcome import SessionOutcome
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.schema import AgentRunInput
from yarrow.protocol.run_message import RunMessage, RunMessageAccepted
from yarrow.protocol.steps import StepList
from yarrow.protocol.ui_schema.renderer import UiSchemaRenderer
from yarrow.protocol.usage import Usage
from yarrow.protocol.webhooks.requests import SecretRotation, WebhookChange, WebhookFields
from yarrow.protocol.webhooks.responses import (
    AcceptedDelivery,
    NewWebhook,
    RotatedSecret,
    Webhook,
    WebhookList,
    WebhookWithDeliveries,
)
from yarrow.protocol.workspace.tickets import Ticket, TicketRequest
from yarrow.worker.results.patch_operations import PatchOperation
from yarrow_agents.divination.input_schema import DivinationRunInput
from yarrow_agents.divination.output import ChatOutput, DeclinedOutput, FollowUpOutput
from yarrow_agents.divination.readings import EVENTS as OF_DIVINATION

PREFIX: Final = "#/components/schemas/"

Schema = dict[str, Any]

_DECLARED: Final = {event.type.type: event.data for event in OF_DIVINATION.values() if event.type is not None}
"""The data of the event types that bundled agents declare."""

_BODIES: Final = (
    *(Snapshot, CardSnapshot, DaySnapshot, SessionOutcome, JobRunPage, MemoryPage, StepList, RunDiagnostics),
    *(InterruptList, AgentCapabilities, AgentList, Usage, EndedRuns, UsersOfDay, Device, DeviceList),
    *(McpSignIn, McpConnection, McpConnectionList),
    RunMessageAccepted,
    *(Upload, AttachmentAnswer, SignedUrl),
    *(Webhook, NewWebhook, WebhookList, WebhookWithDeliveries, RotatedSecret, AcceptedDelivery),
)
"""The responses that are structs."""

# Docstrings name requirements, `(DIV-28, C10)`, and members as Python spells them.
_REQUIREMENTS = re.compile(r"\s*\((?:[A-Z]{1,4}-?\d+\w?(?:, | … )?)+\)")
_NAME = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")


class _Wire(GenerateJsonSchema):
    """Makes serialised members required, except those omitted when empty, which are never null."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        if self.mode == "serialization":
            return "serialization_exclude_if" not in field
        return super().field_is_required(field, total)

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - members have no titles
        return False

    def model_field_schema(self, schema: core_schema.ModelField) -> Schema:
        described = super().model_field_schema(schema)
        if self.mode == "serialization":
            described.pop("default", None)
            if "serialization_exclude_if" in schema and "anyOf" in described:
                (present,) = (option for option in described.pop("anyOf") if option != {"type": "null"})
                described |= present
        return described


def schemas() -> dict[str, Schema]:
    """Return all component schemas by name."""
    event, found = _of_models()
    found["TaskAcceptedResponse"] = _accepted()
    found["Event"] = {"description": "One event of a run, an AG-UI event, discriminated by `type`.", **event}
    found["Frame"] = _frame(sorted(event["discriminator"]["mapping"]))
    found["Problem"] = _problem()
    found["JobChange"] = found["JobFields"] | {"description": "The members of an automation job to replace."}
    del found["JobChange"]["required"]
    found["DeviceFields"] = _device(found)
    id_ = {
        "type": "string",
        "format": "uuid",
        "description": "Chosen by the client, so that it can repeat the request.",
    }
    for member in found["WebhookChange"]["properties"].values():
        member.pop("default", None)
    found["JobFields"] = found["JobFields"] | {"properties": {"id": id_, **found["JobFields"]["properties"]}}
    found["RunAgentInput"] = {
        "description": "The input of a run, at most 256 KiB. Names may also be in snake_case.",
        "anyOf": [ref("AgentRunInput"), ref("DivinationRunInput"), ref("ResumeInput")],
    }
    found |= _answers()
    output = {"anyOf": [ref("ChatOutput"), ref("FollowUpOutput"), ref("DeclinedOutput")]}
    for name in ("AssistantItem", "CardAssistantItem"):
        found[name]["properties"]["agent_output"] = output
    # The compiled hints of a message (UIS-04); the history's models hold them as documents.
    for name in ("CardAssistantItem", "DayAssistantItem"):
        found[name]["properties"]["ui_schema"] = {"anyOf": [ref("UiSchemaRenderer"), {"type": "null"}]}
    # The members of the output are members of the event.
    end = found["TextMessageEnd"]
    end["properties"] |= {
        name: member for name, member in found["ChatOutput"]["properties"].items() if name not in end["properties"]
    }
    # A declined reading has an error (CARE-05).
    end["properties"]["ui_schema"] = ref("UiSchemaRenderer")
    end["properties"]["status"] = {"enum": ["success", "failed"], "type": "string"}
    end["properties"]["error"] = {"anyOf": [ref("Declined"), {"type": "null"}]}
    for schema in found.values():
        _describe(schema)
    return dict(sorted(found.items()))


def _of_models() -> tuple[Schema, dict[str, Schema]]:
    """Return the schema of an event, and by name all schemas that the models need."""
    top_level, rest = TypeAdapter.json_schemas(
        [
            ("run", "validation", TypeAdapter(AgentRunInput | DivinationRunInput)),
            ("operation", "serialization", TypeAdapter(PatchOperation)),
            *(("declared", "serialization", TypeAdapter(model)) for model in _DECLARED.values()),
            ("output", "serialization", TypeAdapter(ChatOutput | FollowUpOutput | DeclinedOutput)),
            ("card", "serialization", TypeAdapter(UiSchemaRenderer)),
            ("file", "validation", TypeAdapter(UploadRequest | TicketRequest | OutcomeRequest)),
            ("run", "validation", TypeAdapter(ForkRequest | RunMessage)),
            ("job", "validation", TypeAdapter(JobFields | DeviceFields)),
            ("mcp_connections", "validation", TypeAdapter(SignInStart | SignInEnd)),
            ("webhook", "validation", TypeAdapter(WebhookFields | WebhookChange | SecretRotation)),
            ("jobs", "serialization", TypeAdapter(JobList | Ticket)),
        ],
        ref_template=PREFIX + "{model}",
        schema_generator=_Wire,
    )
    found = rest["$defs"] | response_schemas.schemas(_BODIES)
    return _of_events(found, top_level["operation", "serialization"])


def _of_events(found: dict[str, Schema], operation: Schema) -> tuple[Schema, dict[str, Schema]]:
    """Return the schema of an event, and `found` with the event types of AG-UI and of bundled agents added."""
    _, structs = msgspec.json.schema_components((*events.EVENTS, *subagents.EVENTS))
    mapping = {}
    for event in (*events.EVENTS, *subagents.EVENTS):
        name, schema = event.__name__, structs[event.__name__]
        found[name] = _event(name, schema["description"], schema["properties"])
        mapping[str(event.__struct_config__.tag)] = PREFIX + name
    found["TextMessageStart"]["properties"]["role"]["enum"] = list(get_args(events.Role))
    found["StateDelta"]["properties"]["delta"]["items"] = operation
    found["ActivityDelta"]["properties"]["patch"]["items"] = operation
    for name in ("RunFinished", "RunError"):
        found[name]["properties"]["usage"]["items"] = ref("TokenUsage")
    found["TokenUsage"] = _token_usage()
    del found["TextMessageEnd"]["properties"]["output"]
    found["TextMessageEnd"]["additionalProperties"] = True
    for type_, model in _DECLARED.items():
        data, name = found.pop(model.__name__), "".join(part.capitalize() for part in type_.split("_"))
        framing = {key: structs["Custom"]["properties"][key] for key in ("threadId", "runId", "timestamp")}
        members = {"type": {"enum": [type_]}, **framing, **data["properties"]}
        found[name] = _event(name, data["description"], members)
        mapping[type_] = PREFIX + name
    one_of = [{"$ref": reference} for reference in mapping.values()]
    return {"oneOf": one_of, "discriminator": {"propertyName": "type", "mapping": mapping}}, found


def _device(found: Mapping[str, Schema]) -> Schema:
    """Return the schema of a device, which has the members of its kind: for readers, all of them at once."""
    kinds = [f"{name}DeviceFields" for name in ("Web", "Apns", "Fcm")]
    members = {name: member for kind in kinds for name, member in found[kind]["properties"].items()}
    return {
        "description": "A device of the caller: a browser has a `subscription`, an app a `token`.",
        "oneOf": [ref(kind) for kind in kinds],
        "properties": members
        | {
            "kind": {"enum": list(get_args(Kind)), "type": "string"},
            "token": {"maxLength": MAX_TOKEN_LENGTH, "type": "string"},
        },
        "required": ["kind"],
        "title": "DeviceFields",
        "type": "object",
    }


def _event(name: str, description: str, members: Schema) -> Schema:
    """Return the schema of an event type; a member is omitted when it has its default."""
    return {
        "additionalProperties": False,
        "description": description,
        "properties": {member: _member(schema) for member, schema in members.items()},
        "required": [member for member, schema in members.items() if "default" not in schema],
        "title": name,
        "type": "object",
    }


def _member(schema: Schema) -> Schema:
    """Return a member as pydantic writes it, without the default and the null of an omitted member."""
    found = {name: value for name, value in schema.items() if name != "default"}
    if "anyOf" in found:
        (present,) = (option for option in found.pop("anyOf") if option != {"type": "null"})
        found |= present
    match found:
        case {"enum": [const]}:
            return {"const": const, "type": "string"}
        case {"enum": _}:
            return found | {"type": "string"}
        case {"type": "object"}:
            return {"additionalProperties": True, "type": "object"}
        case {"type": "array"}:
            return {"items": _member(found["items"]), "type": "array"}
    return dict(sorted(found.items()))


def _token_usage() -> Schema:
    """Return the schema of a model's tokens (EVT-31)."""
    count = {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}
    counts = {name: dict(count) for name in token_usage.COUNTS}
    return {
        "description": "Tokens of a model in a run. Cached tokens are part of the input, those of reasoning of the "
        "output. A count that was not reported is left out.",
        "type": "object",
        "properties": {"provider": {"type": "string"}, "model": {"type": "string"}, **counts},
    }


def _accepted() -> Schema:
    members: dict[str, Schema] = {name: {"type": "string"} for name in ("taskId", "threadId", "runId")}
    members["created"] = {"type": "boolean", "description": "Whether the run created its session."}
    return {
        "description": "The response to a submit.",
        "type": "object",
        "properties": members,
        "required": list(members),
    }


def _answers() -> dict[str, Schema]:
    """Return the schemas of answers to questions."""
    members: dict[str, Schema] = {
        "status": {"enum": ["resolved", "cancelled"], "type": "string"},
        "payload": {"description": "The answer, as the question's `responseSchema` says; left out if it is cancelled."},
    }
    entry = {"type": "object", "properties": {"interruptId": {"type": "string"}, **members}}
    ids: dict[str, Schema] = {
        "threadId": {"type": "string", "format": "uuid"},
        "runId": {"type": "string", "minLength": 1, "maxLength": MAX_RUN_ID_LENGTH},
    }
    resume = {
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_OPEN,
        "items": {**entry, "required": ["interruptId", "status"]},
    }
    return {
        "InterruptAnswer": {
            "description": "An answer to a question.",
            "type": "object",
            "properties": members,
            "required": ["status"],
        },
        "ResumeInput": {
            "description": "The input of a run that goes on: an answer to each open question of the session. Messages, "
            "tools and state are those of the run that asked.",
            "type": "object",
            "properties": {**ids, "resume": resume},
            "required": [*ids, "resume"],
        },
    }


def _frame(types: list[str]) -> Schema:
    return {
        "description": "One frame of an event stream; `id` is the event's number in its run.",
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^[1-9][0-9]*$"},
            "event": {"enum": types},
            "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": ref("Event")},
        },
        "required": ["id", "event", "data"],
    }


def _problem() -> Schema:
    return {
        "description": "Every error, an RFC 9457 problem. `code` is for programs; codes are added, never renamed.",
        "type": "object",
        "properties": {
            "type": {"const": "about:blank"},
            "title": {"type": "string", "description": "The reason phrase of the HTTP status."},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "One sentence on what was wrong."},
            "code": {"enum": [code.name for code in [*Code, *error_codes.find_all()]]},
            "params": {"type": "object", "description": "Machine-readable details, if any."},
            "instance": {"type": "string", "description": "The path of the request, or its route."},
            "traceId": {"type": "string", "description": "Finds the cause of a failure of the service in its logs."},
        },
        "required": ["type", "title", "status", "detail", "code", "instance"],
    }


def _describe(schema: Schema) -> None:
    """Turn docstrings into descriptions for API users."""
    members = schema.get("properties", {})

    def on_the_wire(match: re.Match[str]) -> str:
        return f"`{to_camel(match[1])}`" if to_camel(match[1]) in members else match[0]

    schema["description"] = _NAME.sub(on_the_wire, _REQUIREMENTS.sub("", schema["description"]))
