"""Every way in which a call is refused: each action with each fault, and what an attacker would try."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any, cast, get_args

import pytest

from tests.support.runners.fake_services import MESSAGES, RUNNER, VALID, World, answer, grant, refused
from yarrow.formats import json_text
from yarrow.protocol.runner.api import ACTIONS, AgentAPIError, AgentAPIException, ErrorCode, ModelChunk
from yarrow.protocol.runner.manifest import AgentRunnerPermissions
from yarrow.protocol.runner.models import AgentResources
from yarrow.protocol.runner.resources import ArtifactResource, HistoryResource, ModelResource, StorageResource
from yarrow.services.api import run_api
from yarrow.services.api.run_api import RunApi
from yarrow.services.api.state import space
from yarrow.services.api.throttle import RATES, RUN_RATE, Throttle
from yarrow.services.models.gateway import ModelGateway

ALL = frozenset(VALID)
STEPS = frozenset(action for action in VALID if action.startswith("steps."))
"""Every run may make steps of its own."""
SILENT = frozenset({"knowledge.list", "tools.get_detail"}) | STEPS
"""Reach no service."""
NAMED = {
    "models.invoke": "model_id",
    "models.stream": "model_id",
    "models.rerank": "model_id",
    "tools.get_detail": "tool_name",
    "tools.call": "tool_name",
    "knowledge.retrieve": "kb_id",
    "artifacts.metadata": "artifact_id",
    "artifacts.read_range": "artifact_id",
}
WORDY = {"models.invoke", "models.stream", "knowledge.retrieve", "history.page", "history.search", "events.get",
         "events.page", "artifacts.metadata"}  # fmt: skip


def arguments(action: str, **changes: Any) -> dict[str, Any]:
    return {"run_id": "run", **VALID[action], **changes}


async def _no_run_id(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant()), action, VALID[action])


async def _foreign_run(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant()), action, arguments(action, run_id="another"))


async def _other_caller(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant(), "plugin:acme/demo/another"), action, arguments(action))


async def _after_the_run(action: str) -> AgentAPIError:
    api = World().run_api(grant())
    await answer(api, action, arguments(action))
    api.close()
    return await refused(api, action, arguments(action))


async def _after_the_deadline(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant(deadline_at=time.time() - 1)), action, arguments(action))


async def _over_the_deadline(action: str) -> AgentAPIError:
    world = World()
    world.gate.clear()
    try:
        return await refused(world.run_api(grant(deadline_at=time.time() + 0.05)), action, arguments(action))
    finally:
        world.gate.set()


async def _ends_meanwhile(action: str) -> AgentAPIError:
    world = World()
    world.gate.clear()
    api = world.run_api(grant())
    calling = asyncio.create_task(refused(api, action, arguments(action)))
    try:
        await world.arrivals(1)
        api.close()
        return await calling
    finally:
        world.gate.set()


async def _unknown_member(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant()), action, arguments(action, another=1))


async def _not_json(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant()), action, arguments(action, another=object()))


async def _large_request(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant()), action, arguments(action, another="x" * run_api.MAX_REQUEST_BYTES))


async def _large_answer(action: str) -> AgentAPIError:
    text = "x" * run_api.MAX_RESPONSE_BYTES
    return await refused(World(text).run_api(grant()), action, arguments(action))


async def _not_permitted(action: str) -> AgentAPIError:
    closed = grant(permissions=AgentRunnerPermissions(), state_scopes=())
    return await refused(World().run_api(closed), action, arguments(action))


async def _not_visible(action: str) -> AgentAPIError:
    return await refused(World().run_api(grant()), action, arguments(action, **{NAMED[action]: "hidden"}))


async def _too_often(action: str) -> AgentAPIError:
    api = World().run_api(grant(), clock=lambda: 0.0)
    for _ in range(RATES[action.partition(".")[0]].burst):
        await answer(api, action, arguments(action))
    return await refused(api, action, arguments(action))


async def _too_much_at_once(action: str) -> AgentAPIError:
    world = World()
    api = world.run_api(grant())
    world.gate.clear()
    tasks = [asyncio.create_task(api.call("tools.call", arguments("tools.call"))) for _ in range(run_api.MAX_AT_ONCE)]
    await world.arrivals(len(tasks))
    try:
        return await refused(api, action, arguments(action))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        world.gate.set()


async def _service_fails(action: str) -> AgentAPIError:
    return await refused(World(error=RuntimeError("secret detail")).run_api(grant()), action, arguments(action))


async def _service_times_out(action: str) -> AgentAPIError:
    return await refused(World(error=TimeoutError("secret detail")).run_api(grant()), action, arguments(action))


async def _service_refuses(action: str) -> AgentAPIError:
    refusal = AgentAPIException("invalid_argument", "the cursor is not one of this conversation")
    return await refused(World(error=refusal).run_api(grant()), action, arguments(action))


FAULTS: list[tuple[Callable[[str], Any], str, frozenset[str] | set[str]]] = [
    (_no_run_id, "unauthorized", ALL),
    (_foreign_run, "unauthorized", ALL),
    (_other_caller, "unauthorized", ALL),
    (_after_the_run, "unauthorized", ALL),
    (_ends_meanwhile, "unauthorized", ALL - SILENT),
    (_not_permitted, "unauthorized", ALL - STEPS),
    (_not_visible, "not_found", set(NAMED)),
    (_after_the_deadline, "deadline_exceeded", ALL),
    (_over_the_deadline, "deadline_exceeded", ALL - SILENT),
    (_large_request, "payload_too_large", ALL),
    (_large_answer, "payload_too_large", WORDY),
    (_too_often, "rate_limited", ALL),
    (_too_much_at_once, "rate_limited", ALL),
    (_unknown_member, "invalid_argument", ALL),
    (_not_json, "invalid_argument", ALL),
    (_service_refuses, "invalid_argument", ALL - SILENT),
    (_service_fails, "runtime_error", ALL - SILENT),
    (_service_times_out, "runtime_error", ALL - SILENT),
]
CASES = [
    pytest.param(fault, action, code, id=f"{fault.__name__[1:]}-{action}")
    for fault, code, among in FAULTS
    for action in sorted(among)
]


@pytest.mark.parametrize(("fault", "action", "code"), CASES)
def test_a_fault_has_its_code(fault: Callable[[str], Any], action: str, code: str) -> None:
    """RNR-50, RNR-51, RNR-62, RNR-63, RNR-64, RNR-70: every code, of every action that can fail so."""
    error = asyncio.run(fault(action))
    assert error.code == code
    assert error.retryable == (code == "rate_limited")
    assert "secret" not in error.model_dump_json()


def test_every_code_of_the_protocol_is_reached() -> None:
    """RNR-62."""
    assert {code for _, code, _ in FAULTS} == set(get_args(ErrorCode))


def refusal(action: str, arguments: dict[str, Any], **changes: Any) -> AgentAPIError:
    """Why a run whose grant was changed so is refused, before any service was reached."""
    world = World()
    error = asyncio.run(refused(world.run_api(grant(**changes)), action, arguments))
    assert world.reached == []
    return error


@pytest.mark.parametrize("action", NAMED)
def test_what_is_hidden_and_what_does_not_exist_cannot_be_told_apart(action: str) -> None:
    """RNR-63: the services have what the grant does not show, and do not have `expired` and `gone`, which it shows."""
    values = {name: value for name, value in arguments(action).items() if name != NAMED[action]}
    hidden = refusal(action, arguments(action), resources=AgentResources())
    missing = refusal(action, {**values, NAMED[action]: "nowhere"})
    assert hidden == missing


@pytest.mark.parametrize(
    ("action", "missing"),
    [
        ("tools.get_detail", {"tool_name": "gone"}),
        ("tools.call", {"tool_name": "gone"}),
        ("artifacts.metadata", {"artifact_id": "expired"}),
        ("artifacts.read_range", {"artifact_id": "expired"}),
        ("events.get", {"event_id": "another"}),
    ],
)
def test_what_was_granted_and_is_gone_is_not_found_like_the_hidden(action: str, missing: dict[str, Any]) -> None:
    """RNR-59, RNR-63."""
    gone = asyncio.run(refused(World().run_api(grant()), action, {"run_id": "run", **missing}))
    assert gone == refusal("models.invoke", arguments("models.invoke"), resources=AgentResources())


@pytest.mark.parametrize(
    ("action", "arguments", "code"),
    [
        ("history.page", {"conversation_id": "another"}, "unauthorized"),
        ("history.page", {"conversation_id": "THREAD"}, "unauthorized"),
        ("history.page", {"conversation_id": ""}, "invalid_argument"),
        ("history.page", {"limit": 0}, "invalid_argument"),
        ("history.search", {"query": "q", "conversation_id": "another"}, "invalid_argument"),
        ("events.page", {"conversation_id": "another"}, "invalid_argument"),
        ("tools.call", {"tool_name": "ask"}, "unauthorized"),
        ("models.invoke", {"model_id": "ranker", "messages": MESSAGES}, "invalid_argument"),
        ("models.rerank", {"model_id": "llm", "query": "q", "documents": ["d"]}, "invalid_argument"),
        ("models.invoke", {"model_id": "llm", "messages": []}, "invalid_argument"),
        ("artifacts.read_range", {"artifact_id": "file", "offset": -1}, "invalid_argument"),
        ("artifacts.read_range", {"artifact_id": "file", "length": 0}, "invalid_argument"),
        ("state.get", {"scope": "workspace", "key": "k"}, "invalid_argument"),
        ("state.set", {"scope": "actor", "key": "a\tb", "value": 1}, "invalid_argument"),
        ("state.set", {"scope": "actor", "key": "k", "value": float("nan")}, "invalid_argument"),
        ("storage.set", {"area": "plugin", "key": "k", "value": "not base64"}, "invalid_argument"),
        ("storage.set", {"area": "plugin", "key": "k", "value": "文"}, "invalid_argument"),
        ("storage.get", {"area": "plugin", "key": "k", "identity": "bob"}, "invalid_argument"),
        ("no.action", {}, "invalid_argument"),
        ("models", {}, "invalid_argument"),
        ("models.stream", {}, "invalid_argument"),
    ],
)
def test_an_attack_reaches_nothing(action: str, arguments: dict[str, Any], code: str) -> None:
    """RNR-51, RNR-53, RNR-55, RNR-58, RNR-60."""
    assert refusal(action, {"run_id": "run", **arguments}).code == code


@pytest.mark.parametrize(
    ("action", "arguments", "code"),
    [
        ("models.stream", {"model_id": "llm", "messages": MESSAGES}, "unauthorized"),
        ("models.invoke", {"model_id": "hidden", "messages": MESSAGES}, "not_found"),
        ("artifacts.metadata", {"artifact_id": "file"}, "unauthorized"),
        ("history.page", {}, "unauthorized"),
        ("history.search", {"query": "q"}, "unauthorized"),
        ("storage.get", {"area": "binding", "key": "k"}, "unauthorized"),
        ("state.get", {"scope": "actor", "key": "k"}, "unauthorized"),
    ],
)
def test_a_permission_without_its_resource_grants_nothing(action: str, arguments: dict[str, Any], code: str) -> None:
    """RNR-08, RNR-51: manifest, binding and run have all to allow it; the narrowest decides."""
    narrow = AgentResources(
        models=(ModelResource(model_id="llm", operations=("invoke",)),),
        artifacts=(ArtifactResource(artifact_id="file", operations=("read",)),),
        storage=StorageResource(plugin=True),
        history=HistoryResource(),
    )
    arguments = {"run_id": "run", **arguments}
    assert refusal(action, arguments, resources=narrow, state_scopes=("conversation",)).code == code


@pytest.mark.parametrize("action", ["models.invoke", "models.stream"])
@pytest.mark.parametrize(
    ("artifact_id", "permissions", "code"),
    [("hidden", ("read",), "not_found"), (None, ("read",), "not_found"), ("file", ("metadata",), "unauthorized")],
)
def test_a_model_is_shown_no_file_that_the_run_may_not_read(
    action: str, artifact_id: str | None, permissions: tuple[Any, ...], code: str
) -> None:
    """RNR-51, RNR-59: it is the host that would read it."""
    part = {"type": "artifact", "artifact_id": artifact_id}
    arguments = {"run_id": "run", "model_id": "llm", "messages": [*MESSAGES, {"role": "user", "content": [part]}]}
    permitted = AgentRunnerPermissions(models=("invoke", "stream"), artifacts=permissions)
    assert refusal(action, arguments, permissions=permitted).code == code


COSTS_OR_STORES = [
    *("models.invoke", "models.stream", "models.rerank", "knowledge.retrieve", "tools.call"),
    *("state.set", "state.delete", "storage.set", "storage.delete"),
]


@pytest.mark.parametrize("action", COSTS_OR_STORES)
def test_after_the_end_nothing_is_stored_or_paid_for(action: str) -> None:
    """C51: the next call is refused, though nobody has told this process of the end."""
    world = World()
    world.services = replace(world.services, is_active=lambda: False)
    assert asyncio.run(refused(world.run_api(grant()), action, arguments(action))).code == "unauthorized"
    assert world.reached == []


def test_whoever_has_no_run_learns_nothing_else() -> None:
    """RNR-50, RNR-63, RNR-64: not whether the run exists, nor what is wrong with the call."""
    strangers = [
        refusal("state.get", VALID["state.get"]),
        refusal("state.get", {"run_id": "another", "scope": 1}),
        refusal("models.invoke", {"run_id": "another"}, deadline_at=0),
        asyncio.run(_other_caller("history.page")),
        asyncio.run(_after_the_run("tools.call")),
    ]
    assert {stranger.model_dump_json() for stranger in strangers} == {strangers[0].model_dump_json()}


@pytest.mark.parametrize(
    ("arguments", "member"),
    [
        ({"scope": "secret", "key": "k"}, "scope"),
        ({"scope": "actor", "key": "secret\n"}, "key"),
        ({"scope": "actor", "key": ""}, "key"),
        ({"scope": "actor", "key": "secret" * 22}, "key"),
        ({"scope": "actor"}, "key"),
        ({"scope": "actor", "key": "k", "secret": 1}, "arguments"),
    ],
)
def test_an_invalid_argument_is_named_and_not_shown(arguments: dict[str, Any], member: str) -> None:
    """RNR-62: Neither its value nor a name of the caller's own making is shown."""
    error = refusal("state.get", {"run_id": "run", **arguments})
    assert error.details == {"member": member}
    assert error.message.startswith(f"{member}: ")
    assert "secret" not in error.model_dump_json().replace("s e c r e t", "secret")


def test_arguments_nested_without_end_are_refused() -> None:
    """RNR-51."""
    value: list[Any] = []
    for _ in range(300):
        value = [value]
    arguments = {"run_id": "run", "scope": "actor", "key": "k", "value": value}
    assert refusal("state.set", arguments).code == "invalid_argument"


def test_a_request_and_an_answer_may_have_one_mebibyte_exactly() -> None:
    """RNR-51, RNR-42."""
    arguments = {"run_id": "run", "scope": "actor", "key": "k", "value": ""}
    room = run_api.MAX_REQUEST_BYTES - len(json_text.dumps(arguments))

    async def use() -> None:
        api = World().run_api(grant())
        assert await api.call("state.set", {**arguments, "value": "x" * room}) == {"success": True}
        assert (await refused(api, "state.set", {**arguments, "value": "x" * (room + 1)})).code == "payload_too_large"
        read = {name: arguments[name] for name in ("run_id", "scope", "key")}
        most = "x" * (run_api.MAX_RESPONSE_BYTES - len('{"value":""}'))
        world = World()
        world.values[space(grant(), "actor"), "k"] = most
        assert await world.run_api(grant()).call("state.get", read) == {"value": most}
        world.values[space(grant(), "actor"), "k"] = most + "x"
        assert (await refused(world.run_api(grant()), "state.get", read)).code == "payload_too_large"

    asyncio.run(use())


def test_a_stream_without_measure_is_cut() -> None:
    """RNR-42, RNR-51."""
    piece = "x" * (run_api.MAX_RESPONSE_BYTES // 2)

    class Endless:
        async def stream(self, _request: Any) -> AsyncGenerator[ModelChunk]:
            while True:
                yield ModelChunk(content=piece)

    async def use() -> None:
        world = World()
        api = RunApi(grant(), RUNNER, replace(world.services, models=cast(ModelGateway, Endless())))
        assert (await refused(api, "models.stream", arguments("models.stream"))).code == "payload_too_large"

    asyncio.run(use())


def test_a_runner_that_tries_again_for_ever_cannot_hold_up_its_deadline() -> None:
    """RNR-70, RNR-72."""

    async def use() -> None:
        api = World().run_api(grant(), clock=lambda: 0.0)
        while True:
            with contextlib.suppress(AgentAPIException):
                await api.call("no.action", {})

    async def limited() -> None:
        await asyncio.wait_for(use(), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(limited())


def test_who_waits_as_long_as_told_is_answered() -> None:
    """RNR-51, RNR-62."""
    now = 0.0

    async def use() -> None:
        nonlocal now
        api = World().run_api(grant(), clock=lambda: now)
        values = arguments("models.invoke")
        for _ in range(RATES["models"].burst):
            await api.call("models.invoke", values)
        error = await refused(api, "models.invoke", values)
        assert error.details["retry_after"] == pytest.approx(1 / RATES["models"].per_second, abs=0.01)
        assert await api.call("knowledge.list", {"run_id": "run"}), "other kinds go on"
        now += error.details["retry_after"]
        await api.call("models.invoke", values)
        assert (await refused(api, "models.invoke", values)).code == "rate_limited"

    asyncio.run(use())


def test_the_run_as_a_whole_has_a_rate_too() -> None:
    """RNR-51."""

    throttle = Throttle(lambda: 0.0)
    calls = [kind for kind, rate in RATES.items() for _ in range(rate.burst)]
    for kind in calls[: RUN_RATE.burst]:
        throttle.admit(kind)
    with pytest.raises(AgentAPIException, match="rate_limited"):
        throttle.admit(calls[RUN_RATE.burst])


def test_every_kind_of_action_has_its_rate() -> None:
    """RNR-51."""
    assert RATES.keys() == {action.partition(".")[0] for action in ACTIONS}
    assert all(rate.burst < RUN_RATE.burst for rate in RATES.values())


def test_a_stream_ends_with_its_run() -> None:
    """RNR-64: It ends between two pieces, too."""

    async def use() -> None:
        api = World().run_api(grant())
        pieces = api.stream("models.stream", arguments("models.stream"))
        await anext(pieces)
        api.close()
        with pytest.raises(AgentAPIException, match="unauthorized"):
            await anext(pieces)

    asyncio.run(use())
