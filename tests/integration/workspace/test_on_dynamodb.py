"""A workspace on the engines of the table: its conditions and expressions as DynamoDB takes them (WSP-34)."""

import itertools
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.workspace.agent import AGENT, TASK, Agent, installed
from yarrow.formats import json_text
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.runs import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.store import clients, runs, table
from yarrow.store.workspace import keys, log
from yarrow.worker import execute_run
from yarrow.workspace.connect_workspace import OpeningConnection, connect_workspace
from yarrow.workspace.disconnect_workspace import disconnect_workspace
from yarrow.workspace.open_workspace import Workspace
from yarrow.workspace.posting import GoneError
from yarrow.workspace.workspace_command import ReceivedFrame, workspace_command
from yarrow.workspace.workspace_push import ChangedItem, workspace_push

ALICE = Caller("alice", "en", "Asia/Shanghai")
KEY = keys.key_of("alice", TASK)
_ids = itertools.count(1)


class Pages:
    """Connections and the frames they got."""

    def __init__(self) -> None:
        self.frames: dict[str, list[dict[str, Any]]] = {}
        self._seen: set[tuple[str, str, str | None]] = set()
        self._worked: set[str] = set()

    def connect(self, connection_id: str, task: str | None = TASK) -> None:
        self.frames[connection_id] = []
        connect_workspace(OpeningConnection(connection_id, ALICE, task, f"tag of {connection_id}", 1))

    def send(self, connection_id: str, type_: str, **payload: Any) -> None:
        text = json_text.dumps({"type": type_, "taskName": TASK, "payload": payload})
        number = next(_ids)
        workspace_command(
            ReceivedFrame(connection_id, ALICE, TASK, f"tag of {connection_id}", text, f"m{number}", number), self.post
        )

    def post(self, connection_id: str, frame: bytes, /) -> None:
        if connection_id not in self.frames:
            raise GoneError
        self.frames[connection_id].append(json_text.loads(bytes(frame)))

    def records(self) -> list[ChangedItem]:
        """The items that are new, as the stream would tell them."""
        pages = clients.dynamodb().get_paginator("scan").paginate(TableName=settings.table_name)
        items = [table.from_wire(item) for page in pages for item in page["Items"]]
        new = [item for item in items if (item["pk"], item["sk"], item.get("deleted_at")) not in self._seen]
        self._seen |= {(item["pk"], item["sk"], item.get("deleted_at")) for item in new}
        return [ChangedItem(str(next(_ids)), item) for item in new]

    def settle(self) -> None:
        """Work on the runs there are and push what changed, until nothing does."""
        while records := self.records():
            assert workspace_push(records, self.post) == []
            for record in records:
                if record.item["sk"] == "RUN" and record.item["pk"] not in self._worked:
                    self._worked.add(record.item["pk"])
                    execute_run.work(record.item["pk"].removeprefix("RUN#"))

    def snapshot(self) -> dict[str, Any]:
        name = f"fresh-{next(_ids)}"
        self.connect(name)
        self.settle()
        data: dict[str, Any] = self.frames[name][-1]["data"]
        disconnect_workspace(name, ALICE, TASK)
        return data


@pytest.fixture
def agent() -> Iterator[Agent]:
    with installed() as agent:
        yield agent


@pytest.fixture
def pages(aws: None, agent: Agent) -> Pages:
    pages = Pages()
    pages.connect("c1")
    pages.send("c1", "agent_init", language="en")
    pages.settle()
    return pages


def appended(frames: list[dict[str, Any]]) -> Counter[str]:
    return Counter(
        message["id"]
        for frame in frames
        if frame["type"] == "agent_conversation_update"
        for message in frame["data"]["append"]
    )


def test_commands_become_runs_of_the_same_session(pages: Pages, agent: Agent) -> None:
    """WSP-34, CMP-09: its first run creates the stored session, the next ones go on with it."""
    pages.send("c1", "agent_user_input", text="search")
    pages.settle()
    pages.send("c1", "agent_user_option", questionId="q_track", optionId="track_backend")
    pages.settle()
    assert [event["type"] for event in agent.events] == ["workspace.init", "workspace.input", "workspace.option"]
    data = pages.snapshot()
    session_id = data["activeSessionId"]
    assert data["prompts"][session_id]["questions"][0]["selectedOptionId"] == "track_backend"
    assert "recorded q_track: track_backend" in [message["content"] for message in data["conversations"][session_id]]
    stored = table.get(table.session_key(session_id))
    assert stored is not None
    assert stored["workspace"] == KEY


def test_a_deletion_elsewhere_is_shown_here(pages: Pages) -> None:
    """CMP-09, C23: the last session is followed by a new one."""
    first = pages.snapshot()["activeSessionId"]
    delete_session("alice", first)
    pages.settle()
    data = pages.snapshot()
    assert len(data["sessions"]) == 1
    assert data["activeSessionId"] != first


def test_a_long_log_is_compacted(pages: Pages) -> None:
    for number in range(2 * log.COMPACT_EVERY):
        pages.send("c1", "agent_session_context_update", runtimeContext={"mode": "env", "envIds": [str(number)]})
    stored = log.read(KEY)
    assert stored is not None
    assert stored.head.through >= 2 * log.COMPACT_EVERY - 1
    data = pages.snapshot()
    assert data["runtimeContexts"][data["activeSessionId"]]["envIds"] == [str(2 * log.COMPACT_EVERY - 1)]


@pytest.mark.moto
def test_two_commands_and_two_pushers_at_once(pages: Pages) -> None:
    """WSP-21, WSP-39: every entry is appended once and sent once."""
    pages.connect("c2")
    pages.settle()
    ready = threading.Barrier(4)

    def command(connection_id: str) -> None:
        ready.wait()
        for number in range(4):
            pages.send(connection_id, "agent_session_create", name=f"{connection_id}.{number}")

    def push() -> None:
        ready.wait()
        for _ in range(8):
            everything = [ChangedItem("1", {"pk": keys.partition(KEY), "sk": "ENTRY#0000000001"})]
            assert workspace_push(everything, pages.post) == []

    threads = [threading.Thread(target=command, args=(name,)) for name in ("c1", "c2")]
    threads += [threading.Thread(target=push) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    pages.settle()
    names = Counter(session["name"] for session in pages.snapshot()["sessions"])
    assert all(names[f"{name}.{number}"] == 1 for name in ("c1", "c2") for number in range(4))
    for frames in (pages.frames["c1"], pages.frames["c2"]):
        assert not [key for key, count in appended(frames).items() if count > 1]


def test_a_run_that_was_cancelled_elsewhere_ends_here(pages: Pages) -> None:
    """C29: No message of failure is shown."""
    pages.send("c1", "agent_user_input", text="search")
    workspace = Workspace.load(KEY)
    assert workspace is not None
    run = workspace.state.sessions[0].run
    assert run is not None
    cancel_run.stop(run.key)
    pages.settle()
    assert runs.must_read(run.key).phase == "canceled"
    data = pages.snapshot()
    messages = data["conversations"][data["activeSessionId"]]
    assert not any(message.get("_thinking") for message in messages)
    assert messages[-1]["content"] == "search"


def test_a_new_workspace_has_the_sessions_from_before(aws: None, agent: Agent) -> None:
    """CMP-09: with their last messages, each once; and one that the agent opens."""
    thread = str(uuid.uuid4())
    body = {
        "threadId": thread,
        "runId": "run-1",
        "state": {},
        "tools": [],
        "context": [],
        "messages": [{"id": "m1", "role": "user", "content": "an earlier question"}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    accepted = submit_run(json_text.dumps(body).encode(), ALICE, AGENT)
    execute_run.work(accepted.run.key)
    pages = Pages()
    late = pages.records()  # those of the run come only after the workspace was opened
    pages.connect("c1")
    pages.send("c1", "agent_init", language="en")
    assert workspace_push(late, pages.post) == []
    pages.settle()
    data = pages.snapshot()
    assert [session["name"] for session in data["sessions"]] == ["an earlier question", "Session 1"]
    contents = [message["content"] for message in data["conversations"][thread]]
    assert contents[0] == "an earlier question"
    assert len(contents) == len(set(contents)) == 2
    pages.send("c1", "agent_user_input", sessionId=thread, text="and another")
    pages.settle()
    contents = [message["content"] for message in pages.snapshot()["conversations"][thread]]
    assert contents.count("an earlier question") == 1
    assert "found and another" in contents


def test_a_user_has_so_many_connections_and_a_page_one(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """WSP-38, SEC-04: a page that connects again takes the place of its own connection."""
    monkeypatch.setattr(settings, "workspace_connections_per_user", 2)
    pages.connect("c2")
    with pytest.raises(Problem) as refused:
        pages.connect("c3")
    assert refused.value.code is Code.AGENT_WORKSPACE_CONNECTION_LIMIT
    connect_workspace(OpeningConnection("c4", ALICE, TASK, "tag of c1", 2))
    stored = log.read(KEY)
    assert stored is not None
    assert {connection.id for connection in stored.connections} == {"c2", "c4"}


def test_a_connection_for_an_unknown_task_is_refused(pages: Pages) -> None:
    with pytest.raises(Problem) as refused:
        pages.connect("c2", "no such task")
    assert refused.value.code is Code.AGENT_TASK_NOT_FOUND


def test_a_push_that_comes_before_the_connection_is_open_is_made_again(pages: Pages) -> None:
    """C54: until $connect has answered, API Gateway does not know the connection."""
    pages.connect("c2")
    del pages.frames["c2"]
    records = pages.records()
    assert workspace_push(records, pages.post) == [record.sequence_number for record in records]
    pages.frames["c2"] = []
    assert workspace_push(records, pages.post) == []
    assert [frame["type"] for frame in pages.frames["c2"]] == ["agent_session_list", "agent_state_snapshot"]
