"""The emulator on a folder: buckets, schedules, queues and executions are there after it was killed."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import boto3
import httpx
import pytest

from local import environment
from local.data.folder import DataFolder
from local.emulator.process import Emulator
from local.stack import REGION

SECONDS = 60
WAIT = '{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 600, "End": true}}}'
TASK = json.dumps(
    {
        "StartAt": "T",
        "States": {
            "T": {
                "Type": "Task",
                "Resource": "arn:aws:states:::lambda:invoke",
                "Parameters": {"FunctionName": "work", "Payload": {"of.$": "$.of"}},
                "End": True,
            }
        },
    }
)


class Host(ThreadingHTTPServer):
    """What executions invoke and report to. It takes events only while `takes_events`, and no invocation ends."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.invoked: SimpleQueue[Any] = SimpleQueue()
        self.events: SimpleQueue[Any] = SimpleQueue()
        self.takes_events = True
        self.ends = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Host

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = 200
        if "invocations" in self.path:
            self.server.invoked.put(body)
            self.server.ends.wait(SECONDS)
        elif self.path == "/events":
            status = 202 if self.server.takes_events else 503
            self.server.events.put((body["detail"]["status"], status))
        try:
            self.send_response(status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
        except OSError:
            self.close_connection = True  # the emulator was killed

    def log_message(self, *_: object) -> None:
        """Tests print nothing."""


@pytest.fixture
def host() -> Iterator[Host]:
    with Host() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.ends.set()
        server.shutdown()
        thread.join()


Client = Callable[[str], Any]


class Killed:
    """An emulator on a folder."""

    def __init__(self, host: Host, path: Path) -> None:
        self._host, self._path = host, path

    @contextmanager
    def running(self) -> Iterator[Client]:
        with ExitStack() as stack:
            data = DataFolder.open(self._path)
            stack.callback(data.close)
            emulator = stack.enter_context(Emulator(self._host.url, environment.isolated(os.environ), data))
            emulator.wait()
            stack.callback(emulator._process.kill)

            def client(service: str) -> Any:
                session: Any = boto3.session.Session()
                made = session.client(
                    service,
                    endpoint_url=emulator.url,
                    region_name=REGION,
                    aws_access_key_id="a",
                    aws_secret_access_key="b",
                )
                stack.callback(made.close)
                return made

            yield client


@pytest.fixture
def emulator(host: Host, tmp_path: Path) -> Killed:
    return Killed(host, tmp_path / "data")


def test_objects_have_their_bytes_and_what_is_known_of_them(emulator: Killed) -> None:
    with emulator.running() as client:
        s3 = client("s3")
        s3.create_bucket(Bucket="bucket")
        s3.put_object(
            Bucket="bucket",
            Key="a/卦",
            Body=b"\x00one",
            ContentType="image/png",
            Metadata={"of": "alice"},
            Tagging="k=v",
        )
        s3.put_object(Bucket="bucket", Key="gone", Body=b"gone")
        s3.put_object(Bucket="bucket", Key="changed", Body=b"before")
        s3.put_object(Bucket="bucket", Key="changed", Body=b"after")
        s3.copy_object(Bucket="bucket", Key="copy", CopySource="bucket/changed")
        s3.delete_object(Bucket="bucket", Key="gone")
        form = s3.generate_presigned_post("bucket", "form", Fields={"Content-Type": "text/plain"})
        sent = httpx.post(form["url"], data=form["fields"], files={"file": b"sent"}, trust_env=False)
        assert sent.is_success
        before = s3.head_object(Bucket="bucket", Key="a/卦")
    for _ in range(2):  # what was loaded is kept, too
        with emulator.running() as client:
            s3 = client("s3")
            listed = s3.list_objects_v2(Bucket="bucket")["Contents"]
            assert {item["Key"]: item["Size"] for item in listed} == {"a/卦": 4, "changed": 5, "copy": 5, "form": 4}
            found = s3.get_object(Bucket="bucket", Key="a/卦")
            assert found["Body"].read() == b"\x00one"
            for name in ("ContentType", "Metadata", "ETag", "LastModified", "ContentLength"):
                assert found[name] == before[name]
            assert s3.get_object(Bucket="bucket", Key="a/卦", Range="bytes=1-2")["Body"].read() == b"on"
            assert s3.get_object_tagging(Bucket="bucket", Key="a/卦")["TagSet"] == [{"Key": "k", "Value": "v"}]
            assert s3.get_object(Bucket="bucket", Key="copy")["Body"].read() == b"after"
            form_sent = s3.get_object(Bucket="bucket", Key="form")
            assert (form_sent["Body"].read(), form_sent["ContentType"]) == (b"sent", "text/plain")
            with pytest.raises(s3.exceptions.ClientError, match="PreconditionFailed"):
                s3.put_object(Bucket="bucket", Key="copy", Body=b"x", IfNoneMatch="*")


def test_schedules_are_as_they_were_changed_last(emulator: Killed) -> None:
    target = {"Arn": "arn:aws:lambda:us-east-1:123456789012:function:f", "RoleArn": "arn:aws:iam::123456789012:role/r"}
    members = {"GroupName": "group", "FlexibleTimeWindow": {"Mode": "OFF"}, "Target": target}
    with emulator.running() as client:
        scheduler = client("scheduler")
        scheduler.create_schedule_group(Name="group")
        for name in ("kept", "changed", "gone"):
            scheduler.create_schedule(Name=name, ScheduleExpression="rate(1 day)", **members)
        scheduler.update_schedule(Name="changed", ScheduleExpression="rate(2 days)", State="DISABLED", **members)
        scheduler.delete_schedule(GroupName="group", Name="gone")
        client("sqs").create_queue(QueueName="letters")
        before = [scheduler.get_schedule(GroupName="group", Name=name) for name in ("kept", "changed")]
    with emulator.running() as client:
        scheduler = client("scheduler")
        after = [scheduler.get_schedule(GroupName="group", Name=name) for name in ("kept", "changed")]
        for item in (*before, *after):
            del item["ResponseMetadata"]
        assert after == before
        assert after[1]["State"] == "DISABLED"
        assert len(scheduler.list_schedules(GroupName="group")["Schedules"]) == 2
        with pytest.raises(scheduler.exceptions.ConflictException):
            scheduler.create_schedule_group(Name="group")
        assert client("sqs").get_queue_url(QueueName="letters")["QueueUrl"].endswith("/letters")


def test_messages_wait_until_they_are_deleted(emulator: Killed) -> None:
    """One that was received and not deleted can be received again, one with a delay at its time."""
    with emulator.running() as client:
        sqs = client("sqs")
        url = sqs.create_queue(QueueName="letters")["QueueUrl"]
        for body in ("handled", "taken", "waiting"):
            sqs.send_message(QueueUrl=url, MessageBody=body)
        sqs.send_message(QueueUrl=url, MessageBody="later", DelaySeconds=900)
        taken = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=2)["Messages"]
        sqs.delete_message(QueueUrl=url, ReceiptHandle=taken[0]["ReceiptHandle"])
    with emulator.running() as client:
        sqs = client("sqs")
        found = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
        assert sorted(message["Body"] for message in found) == ["taken", "waiting"]
        counts = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessagesDelayed"])
        assert counts["Attributes"] == {"ApproximateNumberOfMessagesDelayed": "1"}


def machine(client: Any, definition: str) -> str:
    role = "arn:aws:iam::123456789012:role/m"
    return str(client.create_state_machine(name="m", definition=definition, roleArn=role)["stateMachineArn"])


def test_an_execution_that_was_running_does_its_task_again(emulator: Killed, host: Host) -> None:
    """And its name is taken, as that of one that has ended is."""
    with emulator.running() as client:
        states = client("stepfunctions")
        arn = machine(states, TASK)
        states.start_execution(stateMachineArn=arn, name="one", input='{"of": "one"}')
        assert host.invoked.get(timeout=SECONDS) == {"of": "one"}
    with emulator.running() as client:
        assert host.invoked.get(timeout=SECONDS) == {"of": "one"}
        states = client("stepfunctions")
        host.ends.set()
        running: Any = {"status": "RUNNING"}
        while running["status"] == "RUNNING":
            running = states.describe_execution(executionArn=arn.replace("stateMachine", "execution") + ":one")
        assert running["status"] == "SUCCEEDED"
    with emulator.running() as client:
        states = client("stepfunctions")
        with pytest.raises(states.exceptions.ExecutionAlreadyExists):
            states.start_execution(stateMachineArn=arn, name="one", input='{"of": "one"}')
        assert host.invoked.empty()


def test_the_event_of_an_end_is_posted_until_it_is_taken(emulator: Killed, host: Host) -> None:
    host.takes_events = False
    with emulator.running() as client:
        states = client("stepfunctions")
        arn = machine(states, WAIT)
        execution = states.start_execution(stateMachineArn=arn, name="one", input="{}")["executionArn"]
        states.stop_execution(executionArn=execution)
        while host.events.get(timeout=SECONDS) != ("ABORTED", 503):
            pass
    host.takes_events = True
    with emulator.running() as client:
        assert host.events.get(timeout=SECONDS) == ("ABORTED", 202)
        client("stepfunctions").describe_execution(executionArn=execution)
        states = client("stepfunctions")
        # Events are posted one by one: when the next one has come, the answer to the first was read.
        other = states.start_execution(stateMachineArn=arn, name="two", input="{}")["executionArn"]
        assert host.events.get(timeout=SECONDS) == ("RUNNING", 202)
        states.stop_execution(executionArn=other)
        assert host.events.get(timeout=SECONDS) == ("ABORTED", 202)
        third = states.start_execution(stateMachineArn=arn, name="three", input="{}")["executionArn"]
        assert host.events.get(timeout=SECONDS) == ("RUNNING", 202)
        assert third
    with emulator.running() as client:
        assert host.events.get(timeout=SECONDS) == ("RUNNING", 202)  # the third, which goes on
        assert host.events.empty()
        client("stepfunctions").stop_execution(executionArn=third)
