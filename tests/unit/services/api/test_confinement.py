"""No sequence of calls, of whatever runner, gets a service to act outside the run's grant."""

import asyncio
import itertools
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from tests.support.runners.fake_services import PERMISSIONS, RESOURCES, RUNNER, VALID, World, answer, grant
from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import AgentAPIException, StateScope
from yarrow.protocol.runner.manifest import AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentResources
from yarrow.protocol.runner.resources import HistoryResource, StorageResource
from yarrow.store.runner.persistent_state import StateSpace


def some(values: Any) -> st.SearchStrategy[Any]:
    return st.tuples(*(st.booleans() for _ in values)).map(lambda kept: tuple(itertools.compress(values, kept)))


def limited(resources: Any) -> st.SearchStrategy[Any]:
    """Return any of them, some for certain operations only."""
    operations = some(["invoke", "rerank", "detail", "call", "metadata", "read"])
    return some(resources).flatmap(
        lambda kept: st.tuples(
            *(st.builds(item.model_copy, update=st.fixed_dictionaries({"operations": operations})) for item in kept)
        )
    )


PERMITTED = st.builds(AgentRunnerPermissions, **{kind: some(operations) for kind, operations in PERMISSIONS})
SHOWN = st.builds(
    AgentResources,
    models=limited(RESOURCES.models),
    tools=limited(RESOURCES.tools),
    artifacts=limited(RESOURCES.artifacts),
    knowledge_bases=some(RESOURCES.knowledge_bases),
    storage=st.builds(StorageResource, plugin=st.booleans(), workspace=st.booleans(), binding=st.booleans()),
    history=st.builds(HistoryResource, page=st.booleans(), search=st.booleans()),
)
GRANTS = st.builds(grant, permissions=PERMITTED, resources=SHOWN, state_scopes=some(get_args(StateScope)))

IDS = st.sampled_from(
    ["llm", "ranker", "echo", "gone", "ask", "kb", "file", "expired", "event", "thread", "run", "another", "bob",
     "conversation", "actor", "subject", "runner", "binding", "plugin", "workspace", "message.edit", RUNNER, "../k"]
)  # fmt: skip
MEMBERS = sorted(
    {"run_id", "user_id", "thread_id", "conversation_id", *(name for member in VALID.values() for name in member)}
)
PICTURES = IDS.map(
    lambda artifact_id: [{"role": "user", "content": [{"type": "artifact", "artifact_id": artifact_id}]}]
)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A valid call of which some members were exchanged for others."""
    action = draw(st.sampled_from(sorted(VALID)))
    arguments = {"run_id": "run", **VALID[action]}
    known = [name for name in MEMBERS if name in arguments] if draw(st.booleans()) else MEMBERS
    arguments |= draw(st.dictionaries(st.sampled_from(known), IDS, max_size=2))
    if "messages" in arguments and draw(st.booleans()):
        arguments["messages"] = draw(PICTURES)
    return action, arguments


def stays_within(grant: RunGrant, name: str, reached: tuple[Any, ...]) -> bool:
    kind, _, operation = name.partition(".")
    may = grant.permissions
    has = grant.resources

    def shows(resources: Any, member: str, wanted: Any, operation: str) -> bool:
        return any(
            getattr(resource, member) == wanted and operation in (getattr(resource, "operations", ()) or (operation,))
            for resource in resources
        )

    match kind, reached:
        case "models", (request,):
            files = [part["artifact_id"] for message in getattr(request, "messages", ()) if message.content != "hi"
                     for part in message.content]  # fmt: skip
            return (
                operation in may.models
                and shows(has.models, "model_id", request.model_id, operation)
                and all("read" in may.artifacts and shows(has.artifacts, "artifact_id", file, "read") for file in files)
            )
        case "tools", (tool_name, context):
            mine = (context.user_id, context.thread_id, context.run_id) == ("alice", "thread", "run")
            return (
                mine and "call" in may.tools and tool_name == "echo" and shows(has.tools, "tool_name", "echo", "call")
            )
        case "knowledge", (kb_id, *_):
            return "retrieve" in may.knowledge_bases and shows(has.knowledge_bases, "kb_id", kb_id, "retrieve")
        case "history", (thread_id, *_):
            return thread_id == "thread" and operation in may.history and getattr(has.history, operation)
        case "events", (thread_id, *_):
            return thread_id == "thread" and operation in may.events
        case "artifacts", (artifact_id, thread_id, *_):
            operation = operation.partition("_")[0]
            mine = thread_id == "thread" and operation in may.artifacts
            return mine and shows(has.artifacts, "artifact_id", artifact_id, operation)
        case "state", (StateSpace() as space, *_):
            whose = {
                "conversation": "thread",
                "actor": "alice",
                "subject": "event",
                "runner": RUNNER,
                "binding": "binding",
            }
            mine = space == StateSpace(RUNNER, "binding", space.scope, whose[space.scope])
            return mine and space.scope in grant.state_scopes
        case "storage", (area, identity, *_):
            mine = area in may.storage and getattr(has.storage, area)
            owners = {"plugin": '"plugin:acme/demo",', "workspace": "", "binding": '"binding",'}
            return mine and identity == f'[{owners[area]}"alice"]'
        case "platform", (action,):
            return action in may.platform_api
    return False


@given(granted=GRANTS, sequence=st.lists(calls(), max_size=12), ends_after=st.none() | st.integers(0, 12))
def test_no_calls_get_a_service_to_act_outside_the_grant(
    granted: RunGrant, sequence: list[tuple[str, dict[str, Any]]], ends_after: int | None
) -> None:
    """RNR-08, RNR-50, RNR-51, RNR-60, RNR-64, RNR-80."""
    world = World()

    async def attack() -> None:
        api = world.run_api(granted)
        for count, (action, arguments) in enumerate(sequence):
            if count == ends_after:
                api.close()
            try:
                await answer(api, action, arguments)
            except AgentAPIException:
                continue
            assert arguments["run_id"] == "run"
            assert ends_after is None or count < ends_after

    asyncio.run(attack())
    assert all(name == "models.closed" or stays_within(granted, name, reached) for name, reached in world.reached)


def test_the_valid_calls_of_that_test_get_everywhere() -> None:
    """RNR-51: so what holds a call up there is the grant."""
    world = World()
    for action, arguments in VALID.items():
        asyncio.run(answer(world.run_api(grant()), action, {"run_id": "run", **arguments}))
    silent = {"knowledge.list", "tools.get_detail", *(action for action in VALID if action.startswith("steps."))}
    assert {name for name, _ in world.reached} == (VALID.keys() - silent) | {"models.closed"}
    assert all(name == "models.closed" or stays_within(grant(), name, reached) for name, reached in world.reached)
