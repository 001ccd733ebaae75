"""MiniStack as a process of its own, with clients of its services and deployments of stacks."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import boto3
import httpx
from botocore.config import Config

from tests.packaged.package import CODE_BUCKET, Package
from tests.support.stack.process import free_port

REGION: Final = "us-east-1"
ACCOUNT: Final = "123456789012"
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - functions unpack 100,000 files, each its own layers
START_SECONDS: Final = 60
DEPLOY_SECONDS: Final = 300
_DONE: Final = {"CREATE_COMPLETE", "UPDATE_COMPLETE"}


@dataclass(frozen=True, slots=True)
class Emulator:
    """A running one; `url` has no slash at the end."""

    url: str
    log: Path

    def client(self, service: str) -> Any:
        config = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}, read_timeout=120)
        session: Any = boto3.Session(ACCOUNT, "test", region_name=REGION)
        return session.client(service, endpoint_url=self.url, config=config)

    def deploy(self, stack: str, package: Package, template: str, parameters: Mapping[str, str]) -> dict[str, str]:
        """Create or update the stack, and return its outputs."""
        s3, formation = self.client("s3"), self.client("cloudformation")
        s3.create_bucket(Bucket=CODE_BUCKET)
        for key, data in package.objects.items():
            s3.put_object(Bucket=CODE_BUCKET, Key=key, Body=data)
        s3.put_object(Bucket=CODE_BUCKET, Key="template.json", Body=template.encode())
        exists = any(item["StackName"] == stack for item in formation.describe_stacks()["Stacks"])
        start = formation.update_stack if exists else formation.create_stack
        start(
            StackName=stack,
            TemplateURL=f"{self.url}/{CODE_BUCKET}/template.json",
            Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
        )
        deadline = time.monotonic() + DEPLOY_SECONDS
        while (found := formation.describe_stacks(StackName=stack)["Stacks"][0])["StackStatus"] not in _DONE:
            if not found["StackStatus"].endswith("_IN_PROGRESS") or time.monotonic() > deadline:
                raise RuntimeError(f"{found['StackStatus']}: {_reasons(formation, stack)}")
            time.sleep(0.5)
        return {output["OutputKey"]: output["OutputValue"] for output in found["Outputs"]}

    def publish_layer(self, name: str, data: bytes) -> str:
        """Return the ARN of the layer's new version."""
        made = self.client("lambda").publish_layer_version(LayerName=name, Content={"ZipFile": data})
        return str(made["LayerVersionArn"])


def _reasons(formation: Any, stack: str) -> str:
    events = formation.describe_stack_events(StackName=stack)["StackEvents"]
    failed = [event for event in events if event["ResourceStatus"].endswith("_FAILED")]
    return "; ".join(f"{item['LogicalResourceId']}: {item.get('ResourceStatusReason')}" for item in failed)


@contextmanager
def running(python: Path, folder: Path, model: str) -> Iterator[Emulator]:
    """One without data that keeps its log in `folder` and calls the chat model at a URL."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=_MEMORY if _MEMORY.exists() else None, ignore_cleanup_errors=True) as unpacked:
        yield from _running(python, folder, model, unpacked)


def _running(python: Path, folder: Path, model: str, unpacked: str) -> Iterator[Emulator]:
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "TMPDIR": unpacked,
        "GATEWAY_PORT": port,
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_REGION": REGION,
        "MINISTACK_ACCOUNT_ID": ACCOUNT,
        "LAMBDA_EXECUTOR": "local",
        "MINISTACK_BEDROCK_PROXY_URL": model,
        "MINISTACK_BEDROCK_PROXY_TIMEOUT_SECONDS": "120",
        "LOG_LEVEL": "INFO",
    }
    emulator = Emulator(f"http://127.0.0.1:{port}", folder / "emulator.log")
    with emulator.log.open("w", encoding="utf-8") as log:
        process = subprocess.Popen([python, "-m", "ministack"], cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(emulator, process)
            yield emulator
        finally:
            process.kill()  # there is nothing to keep; its functions end with it
            process.wait()


def _wait_for(emulator: Emulator, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(f"{emulator.url}/_ministack/health").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"the emulator did not start; its log is {emulator.log}")
