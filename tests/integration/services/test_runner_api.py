"""The API of a run on the stores themselves: what one run keeps, reads and finds, and what no other run can."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.support.divination_runs import BOB, THREAD, submit
from tests.support.runners.fake_services import RESOURCES, World, grant, refused
from yarrow.agents.bindings import deployed
from yarrow.agents.grants import RunGrant
from yarrow.protocol.run_input.body import parse_run_input
from yarrow.protocol.runner.api import AgentAPIException, ArtifactMetadata
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import ArtifactResource
from yarrow.services.api.run_api import RunApi
from yarrow.store import artifacts, clock, event_log, journal, runs, sessions, table, transcript
from yarrow.store.event_log import LoggedEvent
from yarrow.store.runner import grants, persistent_state, storage
from yarrow.store.runs import OutputMessage, ReplacedError, RunOutcome
from yarrow.worker.preparation import prepare

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

OTHER_THREAD = "650e8400-e29b-41d4-a716-446655440000"


def run_api(granted: RunGrant) -> RunApi:
    services = replace(
        World().services,
        transcript=transcript,
        event_log=event_log,
        artifacts=artifacts,
        state=persistent_state,
        storage=storage,
    )
    return RunApi(granted, granted.runner_id, services)


def as_run(use: Callable[[AgentRunAPIProxy], Awaitable[Any]], **changes: Any) -> Any:
    """What a runner does in a run with such a grant."""
    granted = grant(**{"thread_id": THREAD, **changes})

    async def run() -> Any:
        return await use(AgentRunAPIProxy(granted.run_key, run_api(granted)))

    return asyncio.run(run())


def code(action: str, arguments: dict[str, Any], **changes: Any) -> str:
    """Why a call of such a run is refused."""
    granted = grant(**{"thread_id": THREAD, **changes})
    return asyncio.run(refused(run_api(granted), action, {"run_id": granted.run_key, **arguments})).code


def file_of(thread_id: str, data: bytes = b"0123456789") -> ArtifactMetadata:
    return artifacts.create(
        artifacts.new_id(),
        thread_id=thread_id,
        user_id="alice",
        run_key="run",
        runner_id="plugin:acme/demo/runner",
        artifact_type="file",
        mime_type="text/plain",
        data=data,
    )


def test_a_worker_that_was_replaced_does_not_prepare_its_run() -> None:
    """RNR-08: the grant stays that of the worker that lives."""
    early = runs.claim(submit().task_id)
    assert early is not None
    late = runs.claim(early.key)
    assert late is not None
    run_input, binding = parse_run_input(runs.read_input(late.key)), deployed()[late.agent]
    prepare(late, run_input, binding)
    kept = grants.read(late.key)
    with pytest.raises(ReplacedError):
        prepare(early, run_input, binding)
    assert grants.read(late.key) == kept
    assert kept is not None
    assert kept.attempt == 2


def test_a_run_reads_its_own_conversation_and_no_other() -> None:
    """RNR-55, RNR-56, RNR-57, RNR-80: a cursor of another conversation opens it as little as its id does."""
    submit()
    submit(BOB, threadId=OTHER_THREAD)

    async def read(api: AgentRunAPIProxy) -> Any:
        found = await api.history.search("换工作")
        page = await api.history.page()
        assert [item.item_id for item in found] == [item.item_id for item in page.items]
        return page.items

    [mine] = as_run(read)
    assert mine.content == "我最近换工作是否合适?"
    [theirs] = as_run(read, thread_id=OTHER_THREAD, user_id="bob")
    assert code("history.page", {"conversation_id": OTHER_THREAD}) == "unauthorized"
    assert code("history.page", {"before_cursor": theirs.cursor}) == "invalid_argument"
    assert code("history.page", {"after_cursor": "no cursor"}) == "invalid_argument"
    assert code("history.search", {"query": "q", "filters": {"user": "bob"}}) == "invalid_argument"


def test_a_run_sees_the_events_of_its_own_conversation() -> None:
    """RNR-58: another conversation's event is not found."""
    mine, theirs = (
        LoggedEvent(
            thread_id=thread, run_key=thread, arrived_at=clock.now_iso(), event_type="message.received", source="api"
        )
        for thread in (THREAD, OTHER_THREAD)
    )
    table.transact(event_log.record(mine), event_log.record(theirs))

    async def read(api: AgentRunAPIProxy) -> None:
        assert (await api.events.get(mine.event_id)).event_type == "message.received"
        assert [item.event_id for item in (await api.events.page()).items] == [mine.event_id]

    as_run(read)
    assert code("events.get", {"event_id": theirs.event_id}) == "not_found"


def test_a_message_of_the_history_names_its_event() -> None:
    """RNR-55, RNR-58: the user's and the answer to it; one stored without it names none."""
    run = runs.claim(submit().task_id)
    assert run is not None
    outcome = RunOutcome((OutputMessage("answer", "有利"),), {})
    runs.finish(run, sessions.must_read(THREAD), outcome, [], journal.Position(1), ["{}"])

    async def read(api: AgentRunAPIProxy) -> None:
        transcript_item, answered = (await api.history.page()).items
        assert (transcript_item.role, answered.role) == ("user", "assistant")
        assert transcript_item.event_id is not None
        assert answered.event_id == transcript_item.event_id
        event = await api.events.get(transcript_item.event_id)
        assert (event.event_type, event.summary) == ("message.received", transcript_item.content)

    as_run(read)
    old = sessions.StoredMessage(
        id="old", thread_id=THREAD, seq=3, role="user", content="before", timestamp=clock.now_iso()
    )
    table.transact(sessions.add_message(old))

    async def latest(api: AgentRunAPIProxy) -> Any:
        return (await api.history.page(limit=1)).items

    [item] = as_run(latest)
    assert (item.item_id, item.event_id) == ("old", None)


def test_a_file_is_read_piece_by_piece_by_the_runs_it_was_granted_to() -> None:
    """RNR-59, RNR-63: a grant of another thread's file shows nothing."""
    file, other = file_of(THREAD), file_of(OTHER_THREAD)
    granted = RESOURCES.model_copy(
        update={"artifacts": tuple(ArtifactResource(artifact_id=source.artifact_id) for source in (file, other))}
    )

    async def read(api: AgentRunAPIProxy) -> None:
        assert (await api.artifacts.metadata(file.artifact_id)).mime_type == "text/plain"
        pieces = [piece async for piece in api.artifacts.open_stream(file.artifact_id, 4)]
        assert pieces == [b"0123", b"4567", b"89"]
        assert await api.artifacts.read_range(file.artifact_id, 100) == b""

    as_run(read, resources=granted)
    for action in ("artifacts.metadata", "artifacts.read_range"):
        assert code(action, {"artifact_id": file.artifact_id}) == "not_found"
        assert code(action, {"artifact_id": other.artifact_id}, resources=granted) == "not_found"


def test_state_is_there_for_the_next_run_and_for_nobody_else() -> None:
    """RNR-60, RNR-84."""

    async def keep(api: AgentRunAPIProxy) -> None:
        await api.state.set("conversation", "k", {"of": "thread"})
        await api.state.set("actor", "k", {"of": "alice"})
        with pytest.raises(AgentAPIException, match="payload_too_large"):
            await api.state.set("actor", "large", "x" * persistent_state.VALUE_BYTES)

    async def read(api: AgentRunAPIProxy) -> Any:
        listed = await api.transport.call("state.list", {"run_id": "run", "scope": "actor"})
        return await api.state.get("conversation", "k"), await api.state.get("actor", "k"), listed["keys"]

    as_run(keep)
    assert as_run(read) == ({"of": "thread"}, {"of": "alice"}, ["k"])
    assert as_run(read, thread_id=OTHER_THREAD) == (None, {"of": "alice"}, ["k"])
    assert as_run(read, user_id="bob", thread_id=OTHER_THREAD) == (None, None, [])
    assert as_run(read, binding_id="another") == (None, None, [])


@pytest.mark.parametrize(
    ("area", "shared_by", "hidden_from"),
    [
        ("plugin", {"binding_id": "another"}, {"user_id": "bob"}),
        ("workspace", {"binding_id": "another"}, {"user_id": "bob"}),
        ("binding", {"thread_id": OTHER_THREAD}, {"binding_id": "another"}),
        ("binding", {"thread_id": OTHER_THREAD}, {"user_id": "bob"}),
    ],
)
def test_blobs_are_one_user_s(area: Any, shared_by: dict[str, Any], hidden_from: dict[str, Any]) -> None:
    """RNR-60."""

    async def keep(api: AgentRunAPIProxy) -> None:
        await api.storage.set(area, "a/k", b"\x00\xff")

    async def read(api: AgentRunAPIProxy) -> Any:
        return await api.storage.get(area, "a/k"), await api.storage.list(area, "a/")

    as_run(keep)
    assert as_run(read, **shared_by) == (b"\x00\xff", ["a/k"])
    assert as_run(read, **hidden_from) == (None, [])
