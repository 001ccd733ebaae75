"""The packaged application as its clients meet it, on an emulator of AWS that is not this project's."""

import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from tests.packaged.deployment import REQUEST_SECONDS, STACK, Deployment
from tests.support.paths import ROOT
from tests.support.stack.app import ROUTE, App, SignIn, cancel, problem
from tests.support.uploads import PNG
from tests.support.workspace.live import LivePage, bearer_of
from yarrow.protocol.caller import folder_of

JOBS = "/api/v1/automation/jobs"
PATIENCE_SECONDS = 180


SCHEDULE = ("ScheduleExpression", "ScheduleExpressionTimezone", "FlexibleTimeWindow", "Target")


@dataclass(frozen=True, slots=True)
class MorningJob:
    """A user's job, and when its schedule fires."""

    user: App
    job: dict[str, Any]
    due: datetime


def until(seen: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
    """What is seen, once it is true."""
    deadline = time.monotonic() + seconds
    while not (found := seen()):
        assert time.monotonic() < deadline, f"not seen in {seconds} s"
        time.sleep(0.25)
    return found


def ask(app: App, thread: str, content: Any, run: str = "run-1") -> httpx.Response:
    body = {
        "threadId": thread,
        "runId": run,
        "messages": [{"id": f"msg-{run}", "role": "user", "content": content}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    return app.http.post("/api/v1/agent/runs", params={"agent": "assistant"}, json=body)


def uploaded(app: App, thread: str) -> dict[str, Any]:
    """Return an attachment, sent to the bucket by its client."""
    begun = app.http.post(f"{ROUTE}/uploads", json={"threadId": thread, "mimeType": "image/png", "filename": "a.png"})
    assert begun.status_code == 201, begun.text
    form = begun.json()
    sent = httpx.post(form["url"], data=form["fields"], files={"file": ("a.png", PNG, "image/png")})
    assert sent.is_success, sent.text
    attachment: dict[str, Any] = app.http.get(f"{ROUTE}/uploads/{form['uploadId']}").json()["attachment"]
    return attachment


def created(app: App, due: datetime) -> dict[str, Any]:
    fields = {
        "title": "Morning",
        "input_template": "/call get_current_time {}",
        "enabledTools": ["get_current_time"],
        "schedule": {"type": "daily", "run_at": {"hour": due.hour, "minute": due.minute}},
        "timezone": "UTC",
    }
    answer = app.http.post(JOBS, json=fields)
    assert answer.status_code == 201, answer.text
    job: dict[str, Any] = answer.json()
    return job


def schedules(deployment: Deployment) -> set[str]:
    group = deployment.outputs["JobSchedules"]
    return {
        schedule["Name"]
        for schedule in deployment.emulator.client("scheduler").list_schedules(GroupName=group)["Schedules"]
    }


def test_the_sweep_repairs_schedules(deployment: Deployment, alice: App) -> None:
    """One that is gone comes back; one without a job goes."""
    job = created(alice, datetime.now(UTC) - timedelta(hours=1))
    scheduler, group = deployment.emulator.client("scheduler"), deployment.outputs["JobSchedules"]
    own, stray = f"job-{job['id']}", f"job-{uuid.uuid4()}"
    schedule = scheduler.get_schedule(GroupName=group, Name=own)
    scheduler.create_schedule(GroupName=group, Name=stray, **{member: schedule[member] for member in SCHEDULE})
    scheduler.delete_schedule(GroupName=group, Name=own)
    deployment.call("RepairSchedulesFunction", {})
    assert own in schedules(deployment)
    assert stray not in schedules(deployment)
    assert alice.http.delete(f"{JOBS}/{job['id']}").status_code == 204


@pytest.fixture(scope="module")
def morning_job(deployment: Deployment) -> Iterator[MorningJob]:
    """It is due within two minutes, while other tests run; the sweep would write its schedule anew."""
    due = (datetime.now(UTC) + timedelta(seconds=100)).replace(second=0, microsecond=0)
    user = deployment.sign_in("job")
    job = created(user, due)
    scheduler = deployment.emulator.client("scheduler")
    name = {"GroupName": deployment.outputs["JobSchedules"], "Name": f"job-{job['id']}"}
    schedule = scheduler.get_schedule(**name)
    scheduled_time = f"{due:%Y-%m-%dT%H:%M:%SZ}"  # the emulator delivers Scheduler's word for it as it stands
    schedule["Target"]["Input"] = schedule["Target"]["Input"].replace("<aws.scheduler.scheduled-time>", scheduled_time)
    scheduler.update_schedule(**name, **{member: schedule[member] for member in SCHEDULE})
    yield MorningJob(user, job, due)
    user.http.close()


@pytest.mark.usefixtures("morning_job")
def test_a_run_is_streamed_and_resumed(deployment: Deployment, alice: App) -> None:
    """And is read back as history; the model was asked through the layer's SDK."""
    thread, before = str(uuid.uuid4()), deployment.model.requests
    assert alice.submit(thread, "run-1").status_code == 202
    events = list(alice.watch(thread, "run-1"))
    assert (events[0][1], events[-1][1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
    for cursor in (1, len(events) - 1):
        assert list(alice.watch(thread, "run-1", after=cursor)) == events[cursor:]
    assert [message["role"] for message in alice.history(threadId=thread)["messages"]] == ["user", "assistant"]
    assert deployment.model.requests > before


def test_an_active_run_is_canceled(deployment: Deployment, alice: App) -> None:
    thread = str(uuid.uuid4())
    with deployment.model.held():
        assert alice.submit(thread, "run-1").status_code == 202
        deployment.model.wait_for(1)
        assert cancel(alice, thread).json()["accepted"] is True
        *_, last = alice.watch(thread, "run-1")
        assert (last[1], last[2]["code"]) == ("RUN_ERROR", "RUN_CANCELED")
    assert [message["role"] for message in alice.history(threadId=thread)["messages"]] == ["user"]


def test_a_run_whose_execution_was_stopped_is_ended_by_the_backstop(deployment: Deployment, alice: App) -> None:
    """An event of Step Functions reaches `end_run`."""
    thread, machine = str(uuid.uuid4()), deployment.outputs["StateMachineArn"]
    states = deployment.emulator.client("stepfunctions")
    with deployment.model.held():
        assert alice.submit(thread, "run-1").status_code == 202
        deployment.model.wait_for(1)
        for execution in states.list_executions(stateMachineArn=machine, statusFilter="RUNNING")["executions"]:
            states.stop_execution(executionArn=execution["executionArn"])
        *_, last = alice.watch(thread, "run-1")
    assert last[1] == "RUN_ERROR"


def naps(app: App, thread: str) -> None:
    """Begin a run that sleeps longer than a worker waits, twice."""
    fields = {"threadId": thread, "runId": "run-1", "messages": [{"id": "msg-1", "role": "user", "content": "Sleep."}]}
    body = fields | {"forwardedProps": {"runtime_mode": "chat"}}
    assert app.http.post("/api/v1/agent/runs", params={"agent": "naps"}, json=body).status_code == 202


def turns(deployment: Deployment, status: str) -> list[str]:
    states, machine = deployment.emulator.client("stepfunctions"), deployment.outputs["TurnMachineArn"]
    found = states.list_executions(stateMachineArn=machine, statusFilter=status)["executions"]
    return [execution["executionArn"] for execution in found]


def test_a_run_that_sleeps_goes_on_in_later_turns(deployment: Deployment, alice: App) -> None:
    """No turn does a step again, and viewers see one run."""
    thread = str(uuid.uuid4())
    naps(alice, thread)
    events = list(alice.watch(thread, "run-1"))
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
    assert [event for _, event, _ in events].count("RUN_STARTED") == 1
    text = "".join(data["delta"] for _, event, data in events if event == "TEXT_MESSAGE_CONTENT")
    steps = alice.http.get(f"/api/v1/agent/runs/{thread}/steps", params={"runId": "run-1"}).json()["steps"]
    assert len(set(text.split())) == 3
    assert [step["name"] for step in steps if step["name"] in {"first", "second", "third"}] == [
        "first",
        "second",
        "third",
    ]
    until(lambda: len(turns(deployment, "SUCCEEDED")) == 2)
    assert alice.history(threadId=thread)["messages"][-1]["content"] == text


def test_a_sleeping_run_is_canceled(deployment: Deployment, alice: App) -> None:
    """The execution that waits ends with it."""
    thread = str(uuid.uuid4())
    naps(alice, thread)
    (asleep,) = until(lambda: turns(deployment, "RUNNING"))
    assert cancel(alice, thread).json()["accepted"] is True
    *_, last = alice.watch(thread, "run-1")
    assert (last[1], last[2]["code"]) == ("RUN_ERROR", "RUN_CANCELED")
    until(lambda: asleep not in turns(deployment, "RUNNING"))


def test_a_session_is_deleted(alice: App) -> None:
    thread = str(uuid.uuid4())
    assert ask(alice, thread, "hello").status_code == 202
    assert list(alice.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    assert [message["id"] for message in alice.history()["messages"]]
    assert alice.http.delete(f"/api/v1/agent/sessions/{thread}").status_code == 204
    assert alice.history()["messages"] == []
    gone = alice.http.get("/api/v1/agent/history", params={"threadId": thread})
    assert problem(gone) == (404, "AGENT_SESSION_NOT_FOUND")


def test_another_user_sees_nothing_of_it(alice: App, sign_in: SignIn, deployment: Deployment) -> None:
    thread, bob = str(uuid.uuid4()), sign_in("bob")
    assert ask(alice, thread, "hello").status_code == 202
    assert problem(bob.http.get("/api/v1/agent/history", params={"threadId": thread})) == (403, "AGENT_FORBIDDEN")
    assert problem(cancel(bob, thread)) == (403, "AGENT_FORBIDDEN")
    for headers in ({}, {"Authorization": "Bearer forged"}):
        refused = httpx.get(
            f"{deployment.outputs['ApiUrl']}/api/v1/agent/history", headers=headers, timeout=REQUEST_SECONDS
        )
        assert problem(refused) == (401, "AUTH_UNAUTHORIZED")


def test_a_picture_is_uploaded_signed_and_asked_about(alice: App) -> None:
    thread = str(uuid.uuid4())
    attachment = uploaded(alice, thread)
    signed = alice.http.get(f"{ROUTE}/signed-url", params={k: attachment[k] for k in ("bucket", "path")}).json()
    for url in (attachment["url"], signed["url"]):
        assert httpx.get(url).content == PNG
    picture = {"type": "binary", "mimeType": "image/png", "url": signed["url"]}
    assert ask(alice, thread, [{"type": "text", "text": "What is this?"}, picture]).status_code == 202
    assert list(alice.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    (shown,) = alice.history(threadId=thread)["messages"][0]["attachments"]
    assert httpx.get(shown["url"]).content == PNG
    assert problem(ask(alice, thread, [picture | {"url": signed["url"][:-1]}], "run-2"))[0] == 422


def test_a_recording_is_transcribed(deployment: Deployment, alice: App) -> None:
    """From where API Gateway stores it."""
    upload, speech = str(uuid.uuid4()), (ROOT / "tests/speech/weather.wav").read_bytes()
    form = httpx.Request("POST", "http://form", files={"audio": ("speech.wav", speech, "audio/wav")})
    deployment.emulator.client("s3").put_object(
        Bucket=deployment.outputs["BucketName"],
        Key=f"staged/{folder_of(alice.sub)}/{upload}",
        Body=form.read(),
        ContentType=form.headers["Content-Type"],
    )
    answer = alice.http.get(f"/api/v1/agent/transcribe/{upload}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["transcript"]
    assert alice.http.get(f"/api/v1/agent/transcribe/{upload}").json() == answer.json()


def test_an_agui_client_gets_its_answer(alice: App) -> None:
    sent = {"threadId": "thread_001", "runId": "run-1", "messages": [{"id": "m", "role": "user", "content": "hello"}]}
    answer = alice.http.post("/send-message", json=sent)
    assert answer.status_code == 200, answer.text
    assert '"RUN_FINISHED"' in answer.text
    assert "pictures" not in answer.text


def test_a_run_is_read_as_a_durable_stream(alice: App) -> None:
    thread = str(uuid.uuid4())
    assert ask(alice, thread, "hello").status_code == 202
    events = [event for _, _, event in alice.watch(thread, "run-1")]
    path = f"/api/v1/agent/runs/{thread}/stream"
    read = alice.http.get(path, params={"runId": "run-1", "offset": "-1"})
    assert read.status_code == 200, read.text
    assert [event["type"] for event in read.json()] == [event["type"] for event in events]
    assert alice.http.head(path, params={"runId": "run-1"}).headers["stream-closed"] == "true"


def test_memories_are_kept_and_deleted(alice: App) -> None:
    thread = str(uuid.uuid4())
    assert ask(alice, thread, '/call memory_save {"text": "I like tea"}').status_code == 202
    assert list(alice.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    (memory,) = alice.http.get("/api/v1/memories").json()["memories"]
    assert memory["text"] == "I like tea"
    assert alice.http.delete(f"/api/v1/memories/{memory['id']}").status_code == 204
    assert alice.http.get("/api/v1/memories").json()["memories"] == []


def is_open(page: LivePage) -> bool:
    return bool(page.state.active)


def is_answered(page: LivePage) -> bool:
    return len(page.messages()) >= 2 and not page.is_thinking()


def test_two_pages_of_a_workspace_show_the_same(deployment: Deployment, alice: App) -> None:
    """One came with a ticket, the other with a token; the other's changes come by the table's stream."""
    with LivePage(alice, "assistant") as page, LivePage(alice, "assistant") as other:
        page.dial_with_ticket()
        query = urlencode(other.query | {"taskName": "assistant"})
        other.open_at(f"{deployment.outputs['WorkspaceUrl']}?{query}", bearer_of(alice))
        for tab in (page, other):
            tab.start()
            tab.wait(partial(is_open, tab))
        page.say("hello")
        for tab in (page, other):
            tab.shows("hello")
            tab.wait(partial(is_answered, tab))
        assert page.faults == other.faults == []


def test_pages_and_descriptions_are_served(deployment: Deployment) -> None:
    api = deployment.outputs["ApiUrl"]
    assert httpx.get(f"{api}/openapi.json", timeout=REQUEST_SECONDS).json()["openapi"].startswith("3.1")
    page = httpx.get(f"{api}/", timeout=REQUEST_SECONDS)
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_an_operator_makes_a_key_and_erases_a_user(deployment: Deployment, alice: App, sign_in: SignIn) -> None:
    """The commands are those of `docs/runbook.md`."""

    def tool(*arguments: str) -> str:
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=deployment.environment(), capture_output=True, text=True)
        assert done.returncode == 0, (done.stdout, done.stderr)
        return done.stdout

    thread, bob = str(uuid.uuid4()), sign_in("bob")
    assert ask(alice, thread, "hello").status_code == 202
    made = tool("tools.api_keys", "--stack", STACK, "create", alice.sub, "bridge")
    key = next(word for word in made.split() if word.startswith("yk_"))
    events = f"{deployment.outputs['ApiUrl']}/api/v1/agent/runs/{thread}/events"
    headers = {"Authorization": f"Bearer {key}"}
    read = httpx.get(events, params={"runId": "run-1"}, headers=headers, timeout=REQUEST_SECONDS)
    assert "RUN_FINISHED" in read.text

    uploaded(bob, str(uuid.uuid4()))
    assert [text for text in deployment.objects() if folder_of(bob.sub) in text]
    tool("tools.erase_user", "--stack", STACK, "--erase", bob.sub)
    assert not [text for text in deployment.objects() if folder_of(bob.sub) in text]


def test_a_job_runs_at_once_and_by_its_schedule(deployment: Deployment, morning_job: MorningJob) -> None:
    """Then it is paused and deleted."""
    user, job, due = morning_job.user, morning_job.job, morning_job.due
    at_once = {"runId": f"job-{job['id']}-now-1"}
    assert user.http.post(f"{JOBS}/{job['id']}/run", json=at_once).status_code == 202
    assert list(user.watch(job["thread_id"], at_once["runId"]))[-1][1] == "RUN_FINISHED"

    def fired() -> list[dict[str, Any]]:
        runs = user.http.get(f"{JOBS}/{job['id']}/runs").json()["runs"]
        return [run for run in runs if run["slot"] is not None]

    (run,) = until(fired)
    assert run["run_id"] == f"job-{job['id']}-{due:%Y%m%d%H%M}"
    assert list(user.watch(run["thread_id"], run["run_id"]))[-1][1] == "RUN_FINISHED"

    name = f"job-{job['id']}"
    assert name in schedules(deployment)
    assert user.http.patch(f"{JOBS}/{job['id']}", json={"status": "disabled"}).status_code == 200
    assert name not in schedules(deployment)
    assert user.http.delete(f"{JOBS}/{job['id']}").status_code == 204


def test_nothing_failed_meanwhile(deployment: Deployment) -> None:
    """No function logged an error, and no event was given up."""
    errors = [item for item in deployment.log() if item.get("level") in {"ERROR", "CRITICAL"}]
    assert errors == []
    sqs = deployment.emulator.client("sqs")
    for queue in ("UndeliveredEnds", "UndeliveredEvents", "UndeliveredJobs", "UndeliveredPushes"):
        counted = sqs.get_queue_attributes(QueueUrl=deployment.outputs[queue], AttributeNames=["All"])["Attributes"]
        assert counted["ApproximateNumberOfMessages"] == "0", queue
