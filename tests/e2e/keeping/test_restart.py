"""A stack with a data folder: what users have is there after a restart, however the stack ended."""

import json
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.support.stack.app import App, Event, upload
from tests.support.stack.kept_stack import KeptStack
from tests.support.stack.process import STOP_SECONDS, start
from tests.support.stack.runs import submit
from tests.support.uploads import PNG
from tests.support.workspace.live import ticket_of

JOBS = "/api/v1/automation/jobs"
MEMORY = "The user likes oolong."


class Kept(KeptStack):
    """What Alice has made there, and her clients."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.made: dict[str, Any] = {}
        self.closing = ExitStack()

    def alice(self) -> App:
        """Return Alice's client with a new token and new connections."""
        app = App(self.url, "alice", locale="en-US")
        self.closing.callback(app.http.close)
        return app

    def again(self) -> httpx.Client:
        """A client with the token that Alice got from the first process."""
        headers = {"Authorization": self.made["token"]}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30, trust_env=False)


@pytest.fixture(scope="module", params=["killed", "stopped"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """A stack in whose earlier process Alice made everything, and which missed the latest time of her job."""
    folder = tmp_path_factory.mktemp("stack") / "data"
    stack = Kept(folder)
    try:
        stack.start()
        make_everything(stack)
        stack.stop(is_killed=request.param == "killed")
        with closing(sqlite3.connect(folder / "stack.sqlite3")) as database, database:
            earlier = (datetime.now(UTC) - timedelta(days=1)).isoformat()
            database.execute("UPDATE looked SET until = ?", (earlier,))
            assert database.total_changes == 1
        stack.start()
        yield stack
    finally:
        stack.stop(is_killed=False)
        stack.closing.close()


def snapshot(socket: Connection) -> Any:
    """The sessions that a page is shown first."""
    while (frame := json.loads(socket.recv(timeout=STOP_SECONDS)))["type"] != "agent_session_list":
        pass
    return frame["data"]


def make_everything(stack: Kept) -> None:
    alice = stack.alice()
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    events = list(alice.watch(thread, "run-1"))
    attachment = upload(alice, thread).json()["attachment"]
    key = httpx.post(f"{stack.url}/local/api-keys", json={"sub": "alice"}, trust_env=False).json()["key"]
    due = datetime.now(UTC) - timedelta(minutes=10)
    job = {
        "title": "Morning",
        "input_template": "/call get_current_time {}",
        "schedule": {"type": "daily", "run_at": {"hour": due.hour, "minute": due.minute}},
        "timezone": "UTC",
    }
    made = alice.http.post(JOBS, json=job)
    assert made.status_code == 201, made.text
    memory = str(uuid.uuid4())
    submit(alice, "assistant", memory, "run-1", f'/call memory_save {{"text": "{MEMORY}"}}')
    assert [kind for _, kind, _ in alice.watch(memory, "run-1")][-1] == "RUN_FINISHED"
    ticket = f"{ticket_of(alice, 'assistant')['url']}&clientTag=renderer-1"
    with connect(ticket, proxy=None) as socket:
        payload = {"language": "en", "model": ""}
        socket.send(json.dumps({"type": "agent_init", "taskName": "assistant", "payload": payload}))
        shown = snapshot(socket)
    stack.made = {
        "token": str(alice.http.headers["Authorization"]),
        "thread": thread,
        "events": events,
        "history": alice.history(threadId=thread),
        "path": attachment["path"],
        "key": key,
        "job": made.json()["id"],
        "ticket": ticket,
        "shown": shown,
        "unused": ticket_of(alice, "assistant")["url"],
    }


def test_a_token_still_works_and_reads_the_same_history(kept: Kept) -> None:
    with kept.again() as http:
        answer = http.get("/api/v1/agent/history", params={"threadId": kept.made["thread"]})
        assert (answer.status_code, answer.json()) == (200, kept.made["history"])


def test_a_run_is_streamed_again_from_its_first_event(kept: Kept) -> None:
    again = kept.alice()
    assert list(again.watch(kept.made["thread"], "run-1")) == kept.made["events"]


def test_an_upload_has_its_bytes(kept: Kept) -> None:
    with kept.again() as http:
        signed = http.get(
            "/api/v1/agent/attachments/signed-url", params={"bucket": "agent-inputs", "path": kept.made["path"]}
        )
        assert signed.status_code == 200, signed.text
        found = httpx.get(signed.json()["url"], trust_env=False)
    assert (found.content, found.headers["content-type"]) == (PNG, "image/png")


def test_an_api_key_opens_its_route(kept: Kept) -> None:
    headers = {"Authorization": f"Bearer {kept.made['key']}"}
    assert httpx.post(f"{kept.url}/send-message", json={}, headers=headers, trust_env=False).status_code == 422


def test_what_was_remembered_is(kept: Kept) -> None:
    with kept.again() as http:
        assert [memory["text"] for memory in http.get("/api/v1/memories").json()["memories"]] == [MEMORY]


def test_a_workspace_is_shown_as_it_was_to_a_page_that_reconnects(kept: Kept) -> None:
    """With the ticket that it has; and a ticket that nobody has used opens a connection once."""
    with connect(kept.made["ticket"], proxy=None) as socket:
        shown = snapshot(socket)["sessions"]
    assert kept.made["shown"]["sessions"]
    assert all(session in shown for session in kept.made["shown"]["sessions"])  # the missed job has made another
    with connect(kept.made["unused"], proxy=None):
        pass
    with pytest.raises(InvalidStatus):
        connect(kept.made["unused"], proxy=None)


def test_a_missed_job_runs_once(kept: Kept) -> None:
    """Its latest time, also when the stack starts once more."""
    with kept.again() as http:

        def runs() -> Any:
            return http.get(f"{JOBS}/{kept.made['job']}/runs").json()["runs"]

        limit = datetime.now(UTC) + timedelta(seconds=60)
        while not [run for run in runs() if run["status"] == "finished"]:
            assert datetime.now(UTC) < limit, runs()
        kept.stop(is_killed=True)
        kept.start()
        assert len(runs()) == 1


def test_a_run_that_was_cut_off_goes_on_to_its_end(kept: Kept) -> None:
    """A client that resumes its stream gets the rest: numbers without gaps, and one terminal event."""
    alice = kept.alice()
    thread = str(uuid.uuid4())
    submit(alice, "pacer", thread, "run-1", '{"pieces": 12, "every": 0.25}')
    seen: list[Event] = []
    stream = alice.watch(thread, "run-1")
    while not seen or seen[-1][1] != "TEXT_MESSAGE_CONTENT":
        seen.append(next(stream))
    kept.stop(is_killed=True)
    with suppress(httpx.HTTPError):
        list(stream)
    kept.start()
    seen += kept.alice().watch(thread, "run-1", after=seen[-1][0])
    assert [number for number, _, _ in seen] == list(range(1, len(seen) + 1))
    terminal = [kind for _, kind, _ in seen if kind in ("RUN_FINISHED", "RUN_ERROR")]
    assert terminal == [seen[-1][1]] == ["RUN_FINISHED"]
    assert sum(len(event["delta"].split()) for _, kind, event in seen if kind == "TEXT_MESSAGE_CONTENT") >= 12


def test_a_second_stack_on_the_folder_is_refused_in_one_line(kept: Kept) -> None:
    second = start(environment={"DATA": str(kept.folder)})
    _, errors = second.communicate(timeout=STOP_SECONDS)
    assert (second.returncode, errors) == (
        1,
        f"cannot start: {kept.folder} is in use by another stack; choose another folder with DATA\n",
    )
