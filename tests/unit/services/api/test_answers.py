"""What a runner gets for its calls, through its own proxy."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import fields
from typing import Any

import pytest

from tests.support.runners.fake_services import MESSAGES, RUNNER, VALID, World, answer, grant, refused
from yarrow.protocol.runner import api as runner_api
from yarrow.protocol.runner.api import AgentAPIException, ModelReply
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.tools import TimeZones
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.services import run_services
from yarrow.services.api import actions
from yarrow.services.api.run_api import RunApi
from yarrow.services.api.services import Services
from yarrow.settings import settings
from yarrow.store.runner.persistent_state import StateSpace


def proxied(world: World, use: Callable[[AgentRunAPIProxy], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        return await use(AgentRunAPIProxy("run", world.run_api(grant())))

    return asyncio.run(run())


def test_every_action_of_the_protocol_has_one_answer() -> None:
    """RNR-51, RNR-52 … RNR-61."""
    known = VALID.keys() | {"steering.pull"}  # which reaches the table: tests/integration/runs/test_steer_run.py
    assert actions.ACTIONS.keys() | actions.STREAMS.keys() == runner_api.ACTIONS.keys() == known
    assert not actions.ACTIONS.keys() & actions.STREAMS.keys()


@pytest.mark.parametrize("action", VALID)
def test_an_action_that_is_granted_is_answered(action: str) -> None:
    """RNR-52 … RNR-61."""
    world = World()
    documents = asyncio.run(answer(world.run_api(grant()), action, {"run_id": "run", **VALID[action]}))
    assert documents
    assert action.startswith(("knowledge.list", "tools.get_detail", "steps.")) or world.reached[0][0] == action


def test_models_answer_whole_in_pieces_and_by_rank() -> None:
    """RNR-52."""

    async def use(api: AgentRunAPIProxy) -> None:
        assert (await api.models.invoke("llm", MESSAGES)).message.content == "hi"
        chunks = [chunk async for chunk in api.models.stream("llm", MESSAGES)]
        assert [chunk.content for chunk in chunks[:-1]] == ["h", "i"]
        assert isinstance(chunks[-1].reply, ModelReply)
        assert [document.index for document in await api.models.rerank("ranker", "q", ["a", "b"])] == [1]

    world = World()
    proxied(world, use)
    assert [name for name, _ in world.reached] == ["models.invoke", "models.stream", "models.closed", "models.rerank"]


def test_a_stream_that_is_left_closes_the_model_s() -> None:
    """RNR-52: It closes at once, for its tokens cost."""
    world = World()

    async def use(api: AgentRunAPIProxy) -> None:
        chunks = api.models.stream("llm", MESSAGES)
        await anext(chunks)
        await chunks.aclose()
        assert [name for name, _ in world.reached] == ["models.closed"]

    proxied(world, use)


def test_a_backend_tool_is_what_its_registration_says_and_knows_its_run() -> None:
    """RNR-53, TOOL-04, TOOL-06: what the run's own list says of it is not asked."""

    async def use(api: AgentRunAPIProxy) -> None:
        detail = await api.tools.get_detail("echo")
        assert detail.description == "Say it again."
        assert set(detail.parameters["properties"]) == {"text"}
        assert await api.tools.call("echo", {"text": "hello"}) == "hello"
        assert await api.tools.call_with_card("echo", {"text": "hello"}) == ("hello", None)

    world = World()
    proxied(world, use)
    (_, (_, context)), _ = world.reached
    assert (context.user_id, context.thread_id, context.run_id) == ("alice", "thread", "run")
    assert context.time_zones.resolve() == "Asia/Shanghai"


def test_a_frontend_tool_is_described_as_the_client_did() -> None:
    """RNR-53, TOOL-03."""

    async def use(api: AgentRunAPIProxy) -> None:
        detail = await api.tools.get_detail("ask")
        assert (detail.description, detail.parameters) == ("Ask the user.", {"type": "object"})

    proxied(World(), use)


def test_knowledge_is_listed_and_found() -> None:
    """RNR-54."""

    async def use(api: AgentRunAPIProxy) -> None:
        assert await api.knowledge.list() == [{"kb_id": "kb", "kb_name": "Classics"}]
        [found] = await api.knowledge.retrieve("kb", "q", filters={"author": "x"})
        assert found.content == "hi"

    world = World()
    proxied(world, use)
    assert world.reached == [("knowledge.retrieve", ("kb", "q", 5, {"author": "x"}))]


def test_the_history_is_the_run_s_own_by_pages_of_100_at_most() -> None:
    """RNR-55, RNR-56, RNR-80."""

    async def use(api: AgentRunAPIProxy) -> None:
        [item] = (await api.history.page(limit=1_000, direction="forward", after_cursor="c")).items
        assert item.content == "hi"
        [item] = await api.history.search("q", {"role": "user"})
        assert item.content == "hi"

    world = World()
    proxied(world, use)
    how = {"before_cursor": None, "after_cursor": "c", "limit": 100, "direction": "forward", "include_artifacts": False}
    assert world.reached == [
        ("history.page", ("thread", how)),
        ("history.search", ("thread", "q", {"role": "user"}, 10)),
    ]


def test_events_are_the_run_s_own_by_pages_of_100_at_most() -> None:
    """RNR-58."""

    async def use(api: AgentRunAPIProxy) -> None:
        assert (await api.events.get("event")).event_type == "message.received"
        assert len((await api.events.page(limit=1_000)).items) == 1
        with pytest.raises(AgentAPIException, match="not_found"):
            await api.events.get("another")

    world = World()
    proxied(world, use)
    assert world.reached[1] == ("events.page", ("thread", None, 100))


def test_a_file_is_read_in_ranges_that_fit_an_answer() -> None:
    """RNR-59."""

    async def use(api: AgentRunAPIProxy) -> None:
        size = (await api.artifacts.metadata("file")).size_bytes
        assert await api.artifacts.read_range("file", 3, 2) == b"\x03\x04"
        assert len(await api.artifacts.read_range("file", 0, 10**9)) == 512 * 1024
        pieces = [piece async for piece in api.artifacts.open_stream("file", 400_000)]
        assert sum(map(len, pieces)) == size

    proxied(World(), use)


def test_state_is_kept_by_scope() -> None:
    """RNR-60, RNR-84."""

    async def use(api: AgentRunAPIProxy) -> None:
        await api.state.set("actor", "k", {"a": None})
        assert await api.state.get("actor", "k") == {"a": None}
        assert await api.state.get("conversation", "k") is None
        listed = await api.transport.call("state.list", {"run_id": "run", "scope": "actor"})
        assert listed == {"keys": ["k"], "has_more": False}
        assert await api.state.delete("actor", "k")
        assert await api.state.get("actor", "k") is None
        assert not await api.state.delete("actor", "k")

    proxied(World(), use)


def test_blobs_are_kept_by_area() -> None:
    """RNR-60."""

    async def use(api: AgentRunAPIProxy) -> None:
        await api.storage.set("plugin", "k", b"\x00\xff")
        assert await api.storage.get("plugin", "k") == b"\x00\xff"
        assert await api.storage.get("workspace", "k") is None
        assert await api.storage.list("plugin") == ["k"]
        await api.storage.delete("plugin", "k")
        assert await api.storage.list("plugin") == []

    proxied(World(), use)


def test_blobs_are_listed_page_by_page() -> None:
    """RNR-60: `list` follows the pages; a cursor that is none is refused."""
    world = World()

    async def use(api: AgentRunAPIProxy) -> None:
        for key in ("a", "b c", "卦"):
            await api.storage.set("plugin", key, b"")
        first = await api.storage.page("plugin", limit=2)
        assert (first.keys, first.has_more) == (("a", "b c"), True)
        last = await api.storage.page("plugin", cursor=first.next_cursor, limit=2)
        assert (last.keys, last.has_more, last.next_cursor) == (("卦",), False, None)
        assert await api.storage.list("plugin") == ["a", "b c", "卦"]
        for cursor in ("no cursor", "_w==", ""):
            with pytest.raises(AgentAPIException) as refused:
                await api.storage.page("plugin", cursor=cursor)
            assert refused.value.error.code == "invalid_argument"
        ((area, identity, _), *_) = world.blobs
        more = [f"z-{number:04}" for number in range(2_500)]  # a page has 1,000 at most
        world.blobs |= {(area, identity, key): b"" for key in more}
        assert await api.storage.list("plugin") == ["a", "b c", *more, "卦"]

    proxied(world, use)


def test_a_stream_may_be_awaited_before_it_is_read() -> None:
    """RNR-52, RNR-59: as the document writes it, and without."""

    async def use(api: AgentRunAPIProxy) -> None:
        messages = [{"role": "user", "content": "hi"}]
        awaited = [chunk async for chunk in await api.models.stream("llm", messages)]
        assert awaited == [chunk async for chunk in api.models.stream("llm", messages)]
        assert awaited
        whole = b"".join([piece async for piece in await api.artifacts.open_stream("file")])
        assert whole == b"".join([piece async for piece in api.artifacts.open_stream("file")]) != b""

    proxied(World(), use)


@pytest.mark.parametrize(
    ("scope", "identity"),
    [
        ("conversation", "thread"),
        ("actor", "alice"),
        ("subject", "event"),
        ("runner", "plugin:acme/demo/runner"),
        ("binding", "binding"),
    ],
)
def test_the_identity_of_a_scope_is_the_grant_s(scope: StateScope, identity: str) -> None:
    """RNR-60, RNR-84."""
    world = World()
    asyncio.run(answer(world.run_api(grant()), "state.get", {"run_id": "run", "scope": scope, "key": "k"}))
    assert world.reached == [("state.get", (StateSpace("plugin:acme/demo/runner", "binding", scope, identity), "k"))]


@pytest.mark.parametrize(
    ("area", "identity"),
    [("plugin", '["plugin:acme/demo","alice"]'), ("workspace", '["alice"]'), ("binding", '["binding","alice"]')],
)
def test_an_area_is_one_user_s(area: str, identity: str) -> None:
    """RNR-60: two runners of a plugin share its area, two users never do."""
    world = World()
    asyncio.run(answer(world.run_api(grant()), "storage.get", {"run_id": "run", "area": area, "key": "k"}))
    assert world.reached == [("storage.get", (area, identity, "k"))]


def test_an_action_of_the_platform_takes_permission_and_approval() -> None:
    """RNR-37, RNR-61."""
    world = World()
    request = {"run_id": "run", "action": "message.edit", "target": {"id": "m"}, "payload": {"text": "t"}}

    async def use() -> None:
        run_api = world.run_api(grant())
        assert await run_api.call("platform.request_action", request) == {"status": "requested"}
        world.approved = False
        assert (await refused(run_api, "platform.request_action", request)).code == "unauthorized"
        other = {**request, "action": "message.delete"}
        world.approved = True
        assert (await refused(run_api, "platform.request_action", other)).code == "unauthorized"

    asyncio.run(use())
    assert world.reached == [("platform.request_action", ("message.edit",))]


def test_a_deployment_carries_out_no_action_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-37, RNR-61: nobody is told that what is allowed was done, or will be."""
    monkeypatch.setitem(vars(settings), "tokens_per_user_per_day", 0)
    run_api, _ = run_services.api_of(grant(), RUNNER, TimeZones())
    request = {"run_id": "run", "action": "message.edit"}
    error = asyncio.run(refused(run_api, "platform.request_action", request))
    assert (error.code, error.retryable) == ("runtime_error", False)
    assert "action.requested" in error.message
    other = {**request, "action": "message.delete"}
    assert asyncio.run(refused(run_api, "platform.request_action", other)).code == "unauthorized"


def test_without_a_policy_nothing_of_the_platform_is_approved() -> None:
    """RNR-37, RNR-61."""
    world = World()
    output = {field.name: getattr(world.services, field.name) for field in fields(Services) if field.name != "approves"}
    run_api = RunApi(grant(), RUNNER, Services(**output))
    request = {"run_id": "run", "action": "message.edit"}
    assert asyncio.run(refused(run_api, "platform.request_action", request)).code == "unauthorized"
    assert world.reached == []
