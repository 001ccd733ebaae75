"""The runner protocol as `agent-runner.md` prints it: its examples are accepted, and its names, defaults and literals
are those of the models."""

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest
from openapi_schema_validator import OAS31Validator
from pydantic import BaseModel, ValidationError

from tests.support.run_contexts import no_api, run_context
from tools.make_runner_schemas import TARGET, documents
from yarrow.formats import foreign_json
from yarrow.protocol.runner import api, models
from yarrow.protocol.runner import manifest as runner_manifest
from yarrow.protocol.runner.api import ACTIONS, AgentAPIError, ErrorCode
from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions, ListAgentRunnersResponse
from yarrow.protocol.runner.models import AgentRunContext, AgentRunRequest, AgentRunResult, AgentTrigger
from yarrow.worker.results import parsing
from yarrow_agents.divination.runner import RUNNER

# ---- The examples ----------------------------------------------------------------------------------------------------
RESULTS: Final = [
    {"type": "message.delta", "data": {"chunk": {"role": "assistant", "content": "hel"}}},
    {"type": "message.completed", "data": {"message": {"role": "assistant", "content": "hello"}}},
    {"type": "state.updated", "data": {"scope": "conversation", "key": "external.session_id", "value": "abc"}},
    {
        "type": "action.requested",
        "data": {"action": "message.edit", "target": {"message_id": "..."}, "payload": {"text": "..."}},
    },
    {
        "type": "run.failed",
        "data": {"code": "runner.error", "message": "failed to call external agent", "retryable": False},
    },
]


@pytest.mark.parametrize("example", RESULTS, ids=lambda example: example["type"])
def test_a_printed_result_is_accepted(example: dict[str, Any]) -> None:
    """RNR-31, RNR-34, RNR-35, RNR-36, RNR-37, RNR-40: Its model, its schema and the host accept it."""
    sent = {"run_id": "key", **example}
    result = AgentRunResult.model_validate(sent)
    assert result.model_dump(exclude_none=True) == sent
    assert parsing.is_known(result.type)
    parsing.read(result.type, foreign_json.dumps(result.data))
    OAS31Validator(json.loads(documents()["result.json"])).validate(sent)


@pytest.mark.parametrize(
    "type_",
    [
        "message.delta",
        "message.completed",
        "tool.call.started",
        "tool.call.completed",
        "artifact.created",
        "state.updated",
        "action.requested",
        "run.completed",
        "run.failed",
    ],
)
def test_a_stable_type_of_result_is_told_to_authors_of_runners(type_: str) -> None:
    """RNR-31: any other type is accepted by the model as well, for the host passes it over (RNR-32)."""
    assert f"`{type_}`" in str(AgentRunResult.__doc__)
    AgentRunResult(run_id="key", type=type_ + ".of_tomorrow")


def test_the_printed_trigger_is_accepted() -> None:
    """RNR-16, C20: and every other source there is."""
    AgentTrigger.model_validate({"type": "message.received", "source": "pipeline_adapter"})
    for source in ("platform", "webui", "api", "scheduler", "system"):
        AgentTrigger.model_validate({"type": "message.received", "source": source})


# ---- The tables ------------------------------------------------------------------------------------------------------
PRINTED: Final = """
class ListAgentRunnersResponse
runners: list[AgentRunnerManifest]
class AgentRunnerManifest
id: str
name: str
label: I18nObject
description: I18nObject | None = None
capabilities: AgentRunnerCapabilities
permissions: AgentRunnerPermissions
context: AgentRunnerContextPolicy
config_schema: list[DynamicFormItemSchema] = []
metadata: dict[str, Any] = {}
class AgentRunnerCapabilities
streaming: bool = False
tool_calling: bool = False
knowledge_retrieval: bool = False
multimodal_input: bool = False
event_context: bool = True
platform_api: bool = False
interrupt: bool = False
stateful_session: bool = False
self_managed_context: bool = True
class AgentRunnerPermissions
models: list[Literal["invoke", "stream", "rerank"]] = []
tools: list[Literal["detail", "call"]] = []
knowledge_bases: list[Literal["list", "retrieve"]] = []
history: list[Literal["page", "search"]] = []
events: list[Literal["get", "page"]] = []
artifacts: list[Literal["metadata", "read"]] = []
storage: list[Literal["plugin", "workspace", "binding"]] = []
platform_api: list[str] = []
class AgentRunnerContextPolicy
ownership: Literal["self_managed", "host_bootstrap", "hybrid"] = "self_managed"
bootstrap: Literal["none", "current_event", "recent_tail", "summary_tail"] = "current_event"
max_inline_events: int = 0
max_inline_bytes: int = 0
supports_history_pull: bool = True
supports_history_search: bool = False
supports_artifact_pull: bool = True
owns_compaction: bool = True
wants_static_context_refs: bool = True
class AgentRunRequest
runner_id: str
runner_name: str
context: AgentRunContext
class AgentRunContext
run_id: str
trigger: AgentTrigger
event: AgentEventContext
conversation: ConversationContext | None = None
actor: ActorContext | None = None
subject: SubjectContext | None = None
input: AgentInput
delivery: DeliveryContext
resources: AgentResources
context: ContextAccess
state: AgentRunState
runtime: AgentRuntimeContext
config: dict[str, Any] = {}
bootstrap: BootstrapContext | None = None
adapter: AdapterContext | None = None
metadata: dict[str, Any] = {}
class AgentTrigger
type: str
source: Literal["platform", "webui", "api", "scheduler", "system", "pipeline_adapter"]
timestamp: int | None = None
class AgentEventContext
event_id: str
event_type: str
event_time: int | None = None
source: str
source_event_type: str | None = None
raw_ref: RawEventRef | None = None
data: dict[str, Any] = {}
class ConversationContext
conversation_id: str | None = None
thread_id: str | None = None
launcher_type: str | None = None
launcher_id: str | None = None
bot_id: str | None = None
workspace_id: str | None = None
class ActorContext
actor_type: str
actor_id: str | None = None
actor_name: str | None = None
metadata: dict[str, Any] = {}
class SubjectContext
subject_type: str
subject_id: str | None = None
data: dict[str, Any] = {}
class AgentInput
text: str | None = None
contents: list[ContentElement] = []
attachments: list[ArtifactRef] = []
message_chain: dict[str, Any] | None = None
class DeliveryContext
surface: str
reply_target: dict[str, Any] | None = None
supports_streaming: bool = False
supports_edit: bool = False
supports_reaction: bool = False
max_message_size: int | None = None
platform_capabilities: dict[str, Any] = {}
class ContextAccess
conversation_id: str | None = None
thread_id: str | None = None
latest_cursor: str | None = None
event_seq: int | None = None
transcript_seq: int | None = None
has_history_before: bool = False
inline_policy: InlineContextPolicy
available_apis: ContextAPICapabilities
class InlineContextPolicy
mode: Literal["none", "current_event", "recent_tail", "summary_tail"]
delivered_count: int = 0
source_total_count: int | None = None
messages_complete: bool = False
reason: str | None = None
class ContextAPICapabilities
history_page: bool = False
history_search: bool = False
event_get: bool = False
event_page: bool = False
artifact_metadata: bool = False
artifact_read: bool = False
state: bool = False
storage: bool = False
class BootstrapContext
messages: list[Message] = []
summary: str | None = None
artifacts: list[ArtifactRef] = []
metadata: dict[str, Any] = {}
class AgentRuntimeContext
langbot_version: str | None = None
trace_id: str
deadline_at: float | None = None
locale: str | None = None
timezone: str | None = None
static_refs: dict[str, StaticContextRef] = {}
metadata: dict[str, Any] = {}
class AgentRunState
conversation: dict[str, Any] = {}
actor: dict[str, Any] = {}
subject: dict[str, Any] = {}
runner: dict[str, Any] = {}
binding: dict[str, Any] = {}
class AgentResources
models: list[ModelResource] = []
tools: list[ToolResource] = []
knowledge_bases: list[KnowledgeBaseResource] = []
artifacts: list[ArtifactResource] = []
storage: StorageResource = StorageResource()
history: HistoryResource = HistoryResource()
platform_capabilities: dict[str, Any] = {}
class AgentRunResult
run_id: str
type: str
data: dict[str, Any] = {}
sequence: int | None = None
timestamp: int | None = None
class AgentAPIError
code: str
message: str
retryable: bool = False
details: dict[str, Any] = {}
"""
"""The document's entities, member by member. The host's own name stands in the place of `langbot`, and is not here."""

OURS: Final = {
    "AgentRuntimeContext": {"host"},
    "AgentRunnerCapabilities": {"interactions", "steering"},
    "ContextAPICapabilities": {"steering_pull"},
    "AgentInput": {"interaction"},
    "DeliveryContext": {"interactions"},
}
"""Members beside those of the document, of later SDKs: `interaction` and `interactions` (ASK-05), `steering` and
`steering_pull` (RNR-87).
"""
REQUIRED: Final = object()
LENIENT: Final = {("AgentRunnerManifest", name) for name in ("capabilities", "permissions", "context")}
"""What a manifest may leave out here, and then has the document's defaults."""


def model(name: str) -> type[BaseModel]:
    for module in (models, runner_manifest, api):
        if hasattr(module, name):
            found: type[BaseModel] = getattr(module, name)
            return found
    raise LookupError(name)


def printed() -> Iterator[tuple[str, str, str, Any]]:
    """Return entity, member, type and default of every line."""
    entity = ""
    for line in PRINTED.split("\n"):
        if line.startswith("class "):
            entity = line.removeprefix("class ")
        elif line:
            name, _, rest = line.partition(": ")
            type_, _, default = rest.partition(" = ")
            evaluated = (
                json.loads(default.replace("None", "null").replace("True", "true").replace("False", "false"))
                if default and not default.endswith("()")
                else None
            )
            yield entity, name, type_, evaluated if default else REQUIRED


MEMBERS: Final = list(printed())
ENTITIES: Final = list(dict.fromkeys(entity for entity, *_ in MEMBERS))


@pytest.mark.parametrize("entity", ENTITIES)
def test_an_entity_has_the_members_of_the_document(entity: str) -> None:
    """RNR-02, RNR-05, RNR-07, RNR-09, RNR-14, RNR-30, RNR-62: It has no less and no more."""
    named = {name for text, name, *_ in MEMBERS if text == entity}
    assert set(model(entity).model_fields) - OURS.get(entity, set()) == named


@pytest.mark.parametrize(
    ("entity", "name", "default"),
    [(entity, name, default) for entity, name, _, default in MEMBERS if (entity, name) not in LENIENT],
)
def test_a_member_is_required_or_has_the_documents_default(entity: str, name: str, default: Any) -> None:
    """RNR-05, RNR-07, RNR-09, RNR-14, RNR-15."""
    field = model(entity).model_fields[name]
    assert field.is_required() == (default is REQUIRED)
    if default is REQUIRED:
        return
    actual = field.get_default(call_default_factory=True)
    if isinstance(actual, BaseModel):
        assert actual == type(actual)()
    else:
        assert (list(actual) if isinstance(actual, tuple) else actual) == default


LITERALS: Final = [
    (
        entity,
        name,
        json.loads("[" + type_[type_.index("Literal[") + 8 : type_.index("]")] + "]"),
        type_.startswith("list"),
    )
    for entity, name, type_, _ in MEMBERS
    if "Literal[" in type_
]


@pytest.mark.parametrize(("entity", "name", "literals", "many"), LITERALS)
def test_only_the_documents_words_are_taken(entity: str, name: str, literals: list[str], many: bool) -> None:
    """RNR-07, RNR-09, RNR-11, RNR-16: Each of them is accepted, and no other."""
    others = {"type": "x"} if entity == "AgentTrigger" else {}
    for word in literals:
        taken = model(entity).model_validate({**others, name: [word] if many else word})
        assert getattr(taken, name) == ((word,) if many else word)
    for word in ("", literals[0].upper(), literals[0] + " ", "admin", "host_adapter"):
        with pytest.raises(ValidationError):
            model(entity).model_validate({**others, name: [word] if many else word})


def test_every_literal_of_the_document_was_looked_at() -> None:
    """RNR-07: The document has seven lists of words and four words."""
    assert (len(LITERALS), sum(many for *_, many in LITERALS)) == (11, 7)


@pytest.mark.parametrize("entity", ["AgentRunnerManifest", "AgentRunnerPermissions", "AgentRunContext", "AgentTrigger"])
def test_a_member_that_is_not_the_documents_is_refused(entity: str) -> None:
    """RNR-02, RNR-07, RNR-12: `max-round` is refused like any other."""
    for name in ("max_round", "max-round", "files"):
        with pytest.raises(ValidationError, match="Extra inputs"):
            model(entity).model_validate({name: 1})


def test_no_entity_knows_of_rounds_or_of_bindings() -> None:
    """RNR-12, RNR-27: `binding` is a scope of state and an area of storage, and nothing else."""
    for name, text in documents().items():
        assert not re.search(r"max.?round|AgentBinding|binding_id", text, re.IGNORECASE), name


@pytest.mark.parametrize(
    "missing", ["run_id", "trigger", "event", "input", "delivery", "resources", "context", "state", "runtime"]
)
def test_a_context_without_what_is_required_is_none(missing: str) -> None:
    """RNR-14, RNR-15."""
    whole = run_context("key", "hello").model_dump(mode="json")
    assert AgentRunContext.model_validate(whole).model_dump(mode="json") == whole
    del whole[missing]
    with pytest.raises(ValidationError, match=missing):
        AgentRunContext.model_validate(whole)


def test_a_request_to_run_carries_runner_and_context() -> None:
    """RNR-13: It survives a round trip through JSON."""
    request = AgentRunRequest(runner_id="plugin:a/b/c", runner_name="c", context=run_context("key"))
    assert AgentRunRequest.model_validate_json(request.model_dump_json()) == request


def test_a_manifest_says_what_its_runner_needs_at_most_and_how_it_is_configured() -> None:
    """RNR-01, RNR-02, RNR-04: what else describes a field of the form is kept."""
    manifest = AgentRunnerManifest.model_validate(
        {
            "id": "plugin:acme/echo/default",
            "name": "default",
            "label": {"en_US": "Echo"},
            "capabilities": {},
            "permissions": {"models": ["invoke"]},
            "context": {},
            "config_schema": [{"name": "tone", "type": "select", "options": ["plain", "warm"], "default": "plain"}],
            "metadata": {"icon": "echo.svg"},
        }
    )
    listed = ListAgentRunnersResponse(runners=(manifest, RUNNER.manifest))
    (field,) = listed.model_dump(mode="json")["runners"][0]["config_schema"]
    assert field["options"] == ["plain", "warm"]
    assert ListAgentRunnersResponse.model_validate_json(listed.model_dump_json()) == listed


EXTENSIONS = {"storage.list": ("cursor", "limit"), "tools.call": ("with_card",)}
"""Arguments of this host beside the document's: a list in pages, a tool's card for the client."""


# ---- The calls -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("action", "defaults"),
    [
        ("models.invoke", {"tools": None, "extra_args": None, "part": None}),
        ("models.stream", {"tools": None, "extra_args": None, "part": None}),
        ("models.rerank", {"top_k": None}),
        ("tools.get_detail", {}),
        ("tools.call", {}),
        ("knowledge.retrieve", {"top_k": 5, "filters": None}),
        (
            "history.page",
            {
                "conversation_id": None,
                "before_cursor": None,
                "after_cursor": None,
                "limit": 50,
                "direction": "backward",
                "include_artifacts": False,
            },
        ),
        ("history.search", {"filters": None, "top_k": 10}),
        ("events.get", {}),
        ("events.page", {"before_cursor": None, "limit": 50}),
        ("artifacts.metadata", {}),
        ("artifacts.read_range", {"offset": 0, "length": 65_536}),
        ("state.get", {}),
        ("state.set", {}),
        ("state.delete", {}),
        ("storage.get", {}),
        ("storage.set", {}),
        ("storage.delete", {}),
        ("storage.list", {"prefix": None}),
        ("platform.request_action", {}),
    ],
)
def test_a_call_has_the_documents_parameters(action: str, defaults: dict[str, Any]) -> None:
    """RNR-52 … RNR-61: The proxy and the wire have the same defaults."""
    namespace, _, name = action.partition(".")
    parameters = inspect.signature(getattr(getattr(no_api("key"), namespace), name)).parameters
    arguments = {
        parameter.name: parameter.default
        for parameter in parameters.values()
        if parameter.default is not inspect.Parameter.empty
    }
    assert arguments == defaults
    assert set(ACTIONS[action].model_fields) == {"run_id", *parameters, *EXTENSIONS.get(action, ())}


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_carries_the_id_of_its_run(action: str) -> None:
    """RNR-50."""
    assert ACTIONS[action].model_fields["run_id"].is_required()


def test_the_codes_of_errors_are_the_documents() -> None:
    """RNR-62."""
    codes = "unauthorized not_found deadline_exceeded payload_too_large rate_limited invalid_argument runtime_error"
    assert set(get_args(ErrorCode)) == set(codes.split())
    with pytest.raises(ValidationError):
        AgentAPIError.model_validate({"code": "forbidden", "message": "…"})


# ---- The schemas -----------------------------------------------------------------------------------------------------
def test_the_schemas_say_what_the_models_do() -> None:
    """RNR-02, RNR-14, RNR-30, RNR-62: run `python -m tools.make_runner_schemas`."""
    assert {path.name: path.read_text(encoding="utf-8") for path in TARGET.iterdir()} == documents()


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("manifest", RUNNER.manifest.model_dump(mode="json")),
        ("context", run_context("key", "hello").model_dump(mode="json")),
        ("result", {"run_id": "key", "type": "run.completed"}),
        ("error", AgentAPIError(code="not_found", message="…").model_dump(mode="json")),
        ("actions", {"history.page": {"run_id": "key", "limit": 5}, "knowledge.list": {"run_id": "key"}}),
    ],
)
def test_a_schema_takes_what_is_sent_and_refuses_what_is_not(name: str, document: dict[str, Any]) -> None:
    """RNR-02, RNR-07, RNR-14, RNR-30."""
    schema = json.loads((TARGET / f"{name}.json").read_text(encoding="utf-8"))
    OAS31Validator.check_schema(schema)
    validator = OAS31Validator(schema)
    validator.validate(document)
    assert not validator.is_valid([document])
    assert not validator.is_valid({"max_round": 3})


def test_a_permission_that_is_none_is_not_in_the_schema_either() -> None:
    """RNR-07."""
    validator = OAS31Validator(json.loads((TARGET / "manifest.json").read_text(encoding="utf-8")))
    asking = RUNNER.manifest.model_copy(update={"permissions": AgentRunnerPermissions(models=("rerank",))})
    written = asking.model_dump(mode="json")
    validator.validate(written)
    written["permissions"]["models"] = ["train"]
    assert not validator.is_valid(written)
