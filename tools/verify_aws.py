"""Verifies in a deployment what no test without AWS can show: `python -m tools.verify_aws STACK`, or `make verify-aws
STACK=…`, with the credentials of an operator and the token of a user in `YARROW_TOKEN`.

It reads what CloudFormation, CodeDeploy, CloudWatch Logs and Scheduler say, and calls the API as a client does. What it
creates (a session, a picture, a job) is that user's, and is deleted again; a picture stays until `AttachmentDays`. Exit
code 0: all of it holds; 1: something does not; 2: it could not begin.
"""

import argparse
import asyncio
import base64
import os
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import httpx2
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus, WebSocketException

from tools.deployment import outputs_of
from yarrow_client import Yarrow
from yarrow_client.errors import YarrowError

SECONDS: Final = 60.0
_PIXEL: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_DEPLOYED: Final = ("Succeeded", None)


class DoesNotHold(Exception):
    """What the deployment does is not what it should; the text says what was seen."""


@dataclass
class Deployment:
    """A stack's outputs and resources, and a user of it."""

    stack: str
    outputs: Mapping[str, str]
    token: str

    @property
    def api(self) -> str:
        return self.outputs["ApiUrl"].rstrip("/")

    def aws(self, service: str) -> Any:
        return Session().create_client(service)

    def yarrow(self) -> Yarrow:
        return Yarrow(self.api, lambda _: self.token)

    def resources(self, kind: str) -> list[str]:
        """Return the physical ids of the stack's resources of a type."""
        pages = self.aws("cloudformation").get_paginator("list_stack_resources").paginate(StackName=self.stack)
        found = [one for page in pages for one in page["StackResourceSummaries"]]
        return [one["PhysicalResourceId"] for one in found if one["ResourceType"] == kind]


# What clients see


def a_run_ends(deployment: Deployment) -> str:
    """Roles let a run be stored by one transaction and executed: `LeadingKeys` hold for its items."""
    thread = str(uuid.uuid4())
    with deployment.yarrow() as yarrow:
        try:
            events = list(yarrow.run(_input(thread), agent="assistant"))
        finally:
            yarrow.delete_session(thread)
    types = [event.type for event in events]
    if types[-1:] != ["RUN_FINISHED"]:
        raise DoesNotHold(f"the run ended with {types[-1:]}")
    return f"{len(types)} events to RUN_FINISHED"


def events_are_streamed(deployment: Deployment) -> str:
    """API Gateway passes events on as they come: the first one long before the last."""
    thread, sent = str(uuid.uuid4()), {"Authorization": f"Bearer {deployment.token}"}
    with deployment.yarrow() as yarrow:
        accepted = yarrow.submit(_input(thread), agent="assistant")
        url = f"{deployment.api}/api/v1/agent/runs/{accepted['threadId']}/events"
        began, first, kind = time.monotonic(), None, ""
        try:
            with httpx2.stream("GET", url, params={"runId": "run-1"}, headers=sent, timeout=SECONDS) as response:
                kind = response.headers.get("content-type", "")
                for _ in response.iter_bytes():
                    first = time.monotonic() - began if first is None else first
        finally:
            yarrow.delete_session(thread)
    if first is None or not kind.startswith("text/event-stream"):
        raise DoesNotHold(f"the response has the type {kind!r}")
    return f"first bytes after {first:.2f} s, the end after {time.monotonic() - began:.2f} s"


def a_form_is_redirected(deployment: Deployment) -> str:
    """A form whose boundary has `1~` is stored, and answered with 303 to where it is checked."""
    boundary, thread = "1~verify", str(uuid.uuid4())
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="threadId"\r\n\r\n{thread}\r\n'.encode(),
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="dot.png"\r\n'.encode(),
        b"Content-Type: image/png\r\n\r\n" + _PIXEL + f"\r\n--{boundary}--\r\n".encode(),
    ]
    headers = {
        "Authorization": f"Bearer {deployment.token}",
        "Content-Type": f"multipart/form-data; boundary={boundary}",
    }
    url = f"{deployment.api}/api/v1/agent/attachments"
    stored = httpx2.post(url, content=b"".join(parts), headers=headers, timeout=SECONDS, follow_redirects=False)
    if stored.status_code != 303 or "location" not in stored.headers:
        raise DoesNotHold(f"the form was answered with {stored.status_code}: {stored.text[:200]}")
    target = httpx2.URL(url).join(stored.headers["location"])
    finished = httpx2.get(target, headers={"Authorization": headers["Authorization"]}, timeout=SECONDS)
    if finished.status_code != 200:
        raise DoesNotHold(f"the upload was answered with {finished.status_code}: {finished.text[:200]}")
    return f"303, then {finished.json()['attachment']['mimeType']}"


def a_socket_is_authorized(deployment: Deployment) -> str:
    """The WebSocket API's authorizer, which has no identity source, refuses strangers and lets a user in."""
    return asyncio.run(_open_sockets(deployment))


async def _open_sockets(deployment: Deployment) -> str:
    url = deployment.outputs["WorkspaceUrl"]
    try:
        async with connect(url, open_timeout=SECONDS):
            raise DoesNotHold("a stranger was let in")
    except InvalidStatus as refused:
        status = refused.response.status_code
    if status not in (401, 403):
        raise DoesNotHold(f"a stranger got {status}")
    headers = {"Authorization": f"Bearer {deployment.token}"}
    async with connect(url, additional_headers=headers, open_timeout=SECONDS) as line:
        await line.send('{"type": "heart_beat"}')
    return f"a stranger got {status}, the user a connection"


def a_job_is_scheduled(deployment: Deployment) -> str:
    """EventBridge Scheduler takes the role that jobs are started with, and forgets a deleted job."""
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    fields = {
        "input_template": "This job verifies a deployment; it never runs.",
        "enabled_tools": [],
        "schedule": {"type": "daily", "run_at": {"hour": tomorrow.hour, "minute": tomorrow.minute}},
        "timezone": "UTC",
    }
    with deployment.yarrow() as yarrow:
        before = _schedules(deployment)
        job = yarrow.create_job(fields)
        try:
            made = _schedules(deployment) - before
        finally:
            yarrow.delete_job(job["id"])
    if not any(job["id"] in name for name in made):
        raise DoesNotHold(f"there is no schedule of the job {job['id']}")
    if left := {name for name in _schedules(deployment) if job["id"] in name}:
        raise DoesNotHold(f"the deleted job still has {sorted(left)}")
    return "a schedule was made and deleted"


def _schedules(deployment: Deployment) -> set[str]:
    group = deployment.outputs["JobSchedules"]
    pages = deployment.aws("scheduler").get_paginator("list_schedules").paginate(GroupName=group)
    return {one["Name"] for page in pages for one in page["Schedules"]}


def _input(thread: str) -> dict[str, Any]:
    message = {"id": "message-1", "role": "user", "content": "Say one sentence."}
    return {"threadId": thread, "runId": "run-1", "messages": [message], "forwardedProps": {"runtime_mode": "chat"}}


# What AWS says


def functions_were_deployed(deployment: Deployment) -> str:
    """Every deployment group, however many are made at once, has ended its latest deployment."""
    client = deployment.aws("codedeploy")
    groups = 0
    for application in deployment.resources("AWS::CodeDeploy::Application"):
        pages = client.get_paginator("list_deployment_groups").paginate(applicationName=application)
        for name in [name for page in pages for name in page["deploymentGroups"]]:
            groups += 1
            found = client.get_deployment_group(applicationName=application, deploymentGroupName=name)
            status = found["deploymentGroupInfo"].get("lastAttemptedDeployment", {}).get("status")
            if status not in _DEPLOYED:
                raise DoesNotHold(f"the latest deployment of {name} is {status}")
    return f"{groups} deployment groups"


def logs_are_delivered(deployment: Deployment) -> str:
    """Log groups that AWS's services write to exist; the functions' has lines."""
    client = deployment.aws("logs")
    for output in ("LogGroup", "ExecutionLogGroup", "AccessLogGroup"):
        if name := deployment.outputs.get(output):
            groups = client.describe_log_groups(logGroupNamePrefix=name)["logGroups"]
            if name not in {group["logGroupName"] for group in groups}:
                raise DoesNotHold(f"there is no log group {name}")
    name = deployment.outputs["LogGroup"]
    if not client.describe_log_streams(logGroupName=name, limit=1)["logStreams"]:
        raise DoesNotHold(f"no function has written to {name}")
    return f"{name} has lines"


def the_sweep_has_run(deployment: Deployment) -> str:
    """A rate schedule fires first when it is created: the daily sweep has run by now."""
    client, now = deployment.aws("cloudwatch"), datetime.now(UTC)
    names = [name for name in deployment.resources("AWS::Lambda::Function") if "RepairSchedulesFunction" in name]
    if len(names) != 1:
        raise DoesNotHold(f"the stack has the functions {names}")
    statistics = client.get_metric_statistics(
        Namespace="AWS/Lambda",
        MetricName="Invocations",
        Dimensions=[{"Name": "FunctionName", "Value": names[0]}],
        StartTime=now - timedelta(days=2),
        EndTime=now,
        Period=86_400,
        Statistics=["Sum"],
    )
    runs = sum(point["Sum"] for point in statistics["Datapoints"])
    if not runs:
        raise DoesNotHold("it was not invoked within two days")
    return f"{runs:.0f} invocations in two days"


CHECKS: Final[tuple[Callable[[Deployment], str], ...]] = (
    functions_were_deployed,
    logs_are_delivered,
    the_sweep_has_run,
    a_run_ends,
    events_are_streamed,
    a_form_is_redirected,
    a_socket_is_authorized,
    a_job_is_scheduled,
)


_FAILURES: Final = (
    DoesNotHold,
    YarrowError,
    httpx2.HTTPError,
    WebSocketException,
    OSError,
    BotoCoreError,
    ClientError,
    KeyError,
)
"""What a check may raise where something does not hold."""


def verify(deployment: Deployment, checks: tuple[Callable[[Deployment], str], ...] = CHECKS) -> bool:
    """Run the checks, say what each has seen, and return whether all hold."""
    holds = True
    for check in checks:
        says = (check.__doc__ or "").split("\n\n")[0].replace("\n    ", " ")
        try:
            verdict = f"holds   {says} ({check(deployment)})"
        except _FAILURES as error:
            holds, verdict = False, f"FAILS   {says} {error!r}"
        print(verdict, flush=True)  # noqa: T201
    return holds


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify_aws", description=__doc__)
    parser.add_argument("stack", help="the deployment's stack")
    options = parser.parse_args(arguments)
    token = os.environ.get("YARROW_TOKEN")
    if not token:
        print("YARROW_TOKEN is not set: it is the token of a user of the deployment", file=sys.stderr)  # noqa: T201
        return 2
    try:
        outputs = outputs_of(options.stack)
    except (BotoCoreError, ClientError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    return 0 if verify(Deployment(options.stack, outputs, token)) else 1


if __name__ == "__main__":
    sys.exit(main())
