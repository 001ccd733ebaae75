"""What a run may do: never more than its manifest asks for, its agent's policy allows and its own scope holds."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.agents.grants import RunGrant
from yarrow.agents.permissions import RunScope, check_frontend_tools, frontend_tools, grant
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.messages import Tool
from yarrow.protocol.runner import vocabulary as words
from yarrow.protocol.runner.api import ToolDetail
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentResources
from yarrow.protocol.runner.resources import StorageResource

RUNNER = "plugin:acme/echo/default"
EVERYTHING = AgentRunnerPermissions(
    models=get_args(words.ModelOperation),
    tools=get_args(words.ToolOperation),
    knowledge_bases=get_args(words.KnowledgeOperation),
    history=get_args(words.HistoryOperation),
    events=get_args(words.EventOperation),
    artifacts=get_args(words.ArtifactOperation),
    storage=get_args(words.StorageArea),
    platform_api=("message.edit", "message.delete"),
)
ALL_RESOURCES: Mapping[str, Any] = {
    "models": ["large", {"id": "small", "operations": ["invoke"]}, {"id": "relevance", "type": "rerank"}],
    "tools": ["read", "write"],
    "knowledge_bases": [{"id": "manual", "name": "The manual"}],
    "history": ["page", "search"],
    "events": ["get", "page"],
    "artifacts": ["metadata", "read"],
    "storage": ["plugin", "workspace", "binding"],
    "platform_actions": [{"action": "message.edit", "approved": True}, {"action": "message.delete"}],
}
TOOLS = {
    name: ToolDetail(tool_name=name, description=f"to {name}", parameters={"type": "object"})
    for name in ("read", "write", "unlisted")
}
SCOPE = RunScope(
    run_key="key",
    user_id="user",
    thread_id="thread",
    event_id="msg-1",
    deadline_at=1_775_219_700.0,
    enabled_tools=frozenset(TOOLS),
    artifacts=("picture",),
)


def manifest(permissions: AgentRunnerPermissions = EVERYTHING, **members: Any) -> AgentRunnerManifest:
    return AgentRunnerManifest(id=RUNNER, name="default", label={"en_US": "Echo"}, permissions=permissions, **members)


def policy(**members: Any) -> SystemAgent:
    return SystemAgent.model_validate({"runner": RUNNER, "modes": {"chat": {}}, **members})


def granted(
    request: AgentRunnerManifest | None = None, allowed: SystemAgent | None = None, scope: RunScope = SCOPE
) -> RunGrant:
    return grant(request or manifest(), "echo", allowed or policy(resources=ALL_RESOURCES), scope, TOOLS.get)


def test_what_all_three_allow_is_granted() -> None:
    """RNR-08, RNR-25: The grant has the run's identity and is checked on every call."""
    given_ = granted()
    assert given_.model_dump(exclude={"permissions", "resources"}) == {
        "run_id": "key",
        "runner_id": RUNNER,
        "binding_id": "echo",
        "user_id": "user",
        "thread_id": "thread",
        "event_id": "msg-1",
        "deadline_at": 1_775_219_700.0,
        "state_scopes": ("conversation", "actor"),
        "stretches": (),
    }
    resources = given_.resources
    assert [(model.model_id, model.model_type, model.operations) for model in resources.models] == [
        ("large", "llm", ("invoke", "stream")),
        ("small", "llm", ("invoke",)),
        ("relevance", "rerank", ("rerank",)),
    ]
    assert [(tool.tool_name, tool.tool_type, tool.operations, tool.description) for tool in resources.tools] == [
        ("read", "backend", ("detail", "call"), "to read"),
        ("write", "backend", ("detail", "call"), "to write"),
    ]
    assert [(base.kb_id, base.kb_name) for base in resources.knowledge_bases] == [("manual", "The manual")]
    assert [(artifact.artifact_id, artifact.operations) for artifact in resources.artifacts] == [
        ("picture", ("metadata", "read"))
    ]
    assert resources.storage == StorageResource(plugin=True, workspace=True, binding=True)
    assert (resources.history.page, resources.history.search, resources.history.scope) == (True, True, "conversation")
    assert resources.platform_capabilities == {"message.edit": True}
    assert given_.permissions == EVERYTHING.model_copy(update={"platform_api": ("message.edit",)})


NOTHING = AgentResources()


def test_a_runner_that_asks_for_nothing_gets_nothing() -> None:
    """RNR-08, RNR-07: whatever its agent allows."""
    nothing = granted(manifest(AgentRunnerPermissions()))
    assert (nothing.resources, nothing.permissions) == (NOTHING, AgentRunnerPermissions())


def test_an_agent_that_allows_nothing_grants_nothing() -> None:
    """RNR-08: whatever its runner asks for."""
    nothing = granted(allowed=policy(state={"enabled": False}))
    assert (nothing.resources, nothing.permissions) == (NOTHING, AgentRunnerPermissions())
    assert nothing.state_scopes == ()


def test_a_capability_grants_nothing() -> None:
    """RNR-28: it describes."""
    able = AgentRunnerCapabilities(**dict.fromkeys(AgentRunnerCapabilities.model_fields, True))
    assert granted(manifest(AgentRunnerPermissions(), capabilities=able)).resources == NOTHING


def test_the_run_holds_only_the_tools_of_its_mode() -> None:
    """FWD-12, AUT-04: and one that enables none may not even ask for details."""
    one = granted(scope=RunScope("key", "user", "thread", "msg-1", 1.0, enabled_tools=frozenset({"write", "unlisted"})))
    assert [tool.tool_name for tool in one.resources.tools] == ["write"]
    none = granted(scope=RunScope("key", "user", "thread", "msg-1", 1.0))
    assert none.resources.tools == ()
    assert none.permissions.tools == ()
    assert none.resources.artifacts == ()


def test_the_parameters_of_a_tool_are_shown_only_to_those_who_may_ask_for_its_details() -> None:
    """RNR-25."""
    request = manifest(EVERYTHING.model_copy(update={"tools": ("call",)}))
    assert [tool.parameters for tool in granted(request).resources.tools] == [None, None]
    assert [tool.parameters for tool in granted().resources.tools] == [{"type": "object"}] * 2


def test_a_tool_that_is_not_there_is_not_granted() -> None:
    """TOOL-04: the backend tools are those of the registry."""
    gone = grant(manifest(), "echo", policy(resources=ALL_RESOURCES), SCOPE, {"read": TOOLS["read"]}.get)
    assert [tool.tool_name for tool in gone.resources.tools] == ["read"]


def test_an_action_of_the_platform_needs_manifest_policy_and_approval() -> None:
    """RNR-61: by default there is none."""
    assert granted().permissions.platform_api == ("message.edit",)
    unasked = manifest(EVERYTHING.model_copy(update={"platform_api": ("message.delete", "message.pin")}))
    assert granted(unasked).permissions.platform_api == ()
    assert granted(unasked).resources.platform_capabilities == {}


def test_a_grant_can_be_stored_and_read_back() -> None:
    """RNR-08: It is frozen at the start of the run."""
    assert RunGrant.model_validate_json(granted().model_dump_json()) == granted()


NAMES = st.sampled_from(["a", "b", "c"])


def some(literal: Any) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(get_args(literal)), max_size=4)


def at_least_one(literal: Any) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(get_args(literal)), min_size=1, max_size=4)


ASKED = st.builds(
    AgentRunnerPermissions,
    models=some(words.ModelOperation),
    tools=some(words.ToolOperation),
    knowledge_bases=some(words.KnowledgeOperation),
    history=some(words.HistoryOperation),
    events=some(words.EventOperation),
    artifacts=some(words.ArtifactOperation),
    storage=some(words.StorageArea),
    platform_api=st.lists(NAMES),
)


def listed(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    entries = st.fixed_dictionaries({"id": NAMES, **members})
    return st.lists(entries, unique_by=lambda entry: entry["id"], max_size=3)


POLICIES = st.fixed_dictionaries(
    {
        "models": listed(operations=at_least_one(words.ModelOperation), type=st.sampled_from(["llm", "rerank"])),
        "tools": listed(operations=at_least_one(words.ToolOperation)),
        "knowledge_bases": listed(),
        "history": some(words.HistoryOperation),
        "events": some(words.EventOperation),
        "artifacts": some(words.ArtifactOperation),
        "storage": some(words.StorageArea),
        "platform_actions": st.lists(
            st.fixed_dictionaries({"action": NAMES, "approved": st.booleans()}),
            unique_by=lambda entry: entry["action"],
        ),
    }
).map(
    lambda resources: policy(resources=resources),
)
STATES = st.fixed_dictionaries({"enabled": st.booleans(), "scopes": some(words.StateScope)})
SCOPES = st.builds(
    RunScope,
    run_key=st.just("key"),
    user_id=st.just("user"),
    thread_id=st.just("thread"),
    event_id=st.just("msg-1"),
    deadline_at=st.just(1.0),
    enabled_tools=st.frozensets(NAMES),
    artifacts=st.lists(NAMES, unique=True).map(tuple),
)
KNOWN = st.frozensets(NAMES).map(
    lambda names: {name: ToolDetail(tool_name=name, description="", parameters={}) for name in names}
)


@given(permissions=ASKED, allowed=POLICIES, state=STATES, scope=SCOPES, known=KNOWN)
def test_a_grant_is_never_more_than_any_of_the_three(
    permissions: AgentRunnerPermissions,
    allowed: SystemAgent,
    state: dict[str, Any],
    scope: RunScope,
    known: dict[str, ToolDetail],
) -> None:
    """RNR-08, RNR-25, RNR-28."""
    allowed = allowed.model_copy(update={"state": type(allowed.state).model_validate(state)})
    result = grant(manifest(permissions), "echo", allowed, scope, known.get)
    resources = allowed.resources
    models = {model.id: model for model in resources.models}
    tools = {tool.id: tool for tool in resources.tools}
    for model in result.resources.models:
        assert model.operations
        assert set(model.operations) <= set(permissions.models) & set(models[model.model_id].operations)
    for tool in result.resources.tools:
        assert tool.operations
        assert tool.tool_name in scope.enabled_tools & known.keys()
        assert set(tool.operations) <= set(permissions.tools) & set(tools[tool.tool_name].operations)
    assert {base.kb_id for base in result.resources.knowledge_bases} <= {base.id for base in resources.knowledge_bases}
    for artifact in result.resources.artifacts:
        assert artifact.artifact_id in scope.artifacts
        assert set(artifact.operations) <= set(permissions.artifacts) & set(resources.artifacts)
    for kind, most in permissions:
        assert set(getattr(result.permissions, kind)) <= set(most), kind
    for kind in ("history", "events", "artifacts", "storage"):
        assert set(getattr(result.permissions, kind)) == set(getattr(permissions, kind)) & set(getattr(resources, kind))
    approved = {action.action for action in resources.platform_actions if action.approved}
    assert set(result.permissions.platform_api) == set(permissions.platform_api) & approved
    assert set(result.resources.platform_capabilities) == set(result.permissions.platform_api)
    for area, allowed_area in result.resources.storage:
        assert allowed_area == (area in result.permissions.storage)
    assert set(result.state_scopes) == (set(allowed.state.scopes) if allowed.state.enabled else set())


def frontend(*names: str) -> list[Tool]:
    return [Tool(name=name, description="shows it", parameters={"type": "object"}) for name in names]


def test_a_tool_of_the_front_end_is_shown_and_nothing_may_be_done_with_it() -> None:
    """TOOL-03, RNR-53: it is in no grant."""
    (shown,) = frontend_tools(frontend("confirm"))
    assert (shown.tool_name, shown.tool_type, shown.operations) == ("confirm", "frontend", ())
    assert (shown.description, shown.parameters) == ("shows it", {"type": "object"})
    assert {tool.tool_type for tool in granted().resources.tools} == {"backend"}


def test_a_tool_of_the_front_end_with_the_name_of_a_backend_tool_is_refused() -> None:
    """TOOL-05: The response is 422 and names its place."""
    check_frontend_tools(frontend("confirm", "Read"), TOOLS)
    with pytest.raises(Problem) as caught:
        check_frontend_tools(frontend("confirm", "read"), TOOLS)
    problem = caught.value
    assert (problem.status, problem.code) == (422, Code.AGENT_RUN_INPUT_INVALID)
    assert problem.detail == "invalid RunAgentInput.tools[1].name"
    assert problem.params == {"reason": "is the name of a tool of the service"}


def test_two_tools_of_the_front_end_with_one_name_are_refused() -> None:
    """TOOL-01, TOOL-05: nobody could tell which of them a model calls."""
    with pytest.raises(Problem) as caught:
        check_frontend_tools(frontend("confirm", "Confirm", "confirm"), TOOLS)
    assert (caught.value.status, caught.value.detail) == (422, "invalid RunAgentInput.tools[2].name")
    assert caught.value.params == {"reason": "repeats the name of an earlier tool"}


def test_the_pictures_of_the_input_may_be_read_whoever_asks() -> None:
    """C50: by a runner and an agent that allow nothing; no other artifact is opened by that."""
    scope = replace(SCOPE, pictures=("own",), artifacts=("own", "earlier"))
    granted = grant(manifest(AgentRunnerPermissions()), "echo", policy(), scope, TOOLS.get)
    assert [(artifact.artifact_id, artifact.operations) for artifact in granted.resources.artifacts] == [
        ("own", ("metadata", "read"))
    ]
    assert granted.permissions == AgentRunnerPermissions(artifacts=("metadata", "read"))
    less = grant(
        manifest(AgentRunnerPermissions(artifacts=("metadata",))),
        "echo",
        policy(resources=ALL_RESOURCES),
        scope,
        TOOLS.get,
    )
    assert [(artifact.artifact_id, artifact.operations) for artifact in less.resources.artifacts] == [
        ("own", ("metadata", "read")),
        ("earlier", ("metadata",)),
    ]
