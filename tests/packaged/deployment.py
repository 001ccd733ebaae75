"""A package as a stack on the emulator, with its users."""

import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from tests.packaged import agents_layer, emulator, issuer, lacking, model, package
from tests.packaged.emulator import Emulator
from tests.packaged.issuer import Issuer
from tests.packaged.model import Model
from tests.support.paths import ROOT
from tests.support.stack.app import App

STACK: Final = "yarrow"
BUILD: Final = ROOT / ".aws-sam/build"
PYTHON: Final = ROOT / ".cache/ministack/bin/python"
FOLDER: Final = ROOT / ".cache/packaged"
REQUEST_SECONDS: Final = 90
PARAMETERS: Final = {
    "JobSpreadMinutes": "0",
    "Models": json.dumps(dict.fromkeys(("chat", "reading"), "bedrock:us.amazon.nova-lite-v1:0")),
}


@dataclass
class Deployment:
    """The stack, its outputs, and what stands around it."""

    emulator: Emulator
    issuer: Issuer
    model: Model
    outputs: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[str, int] = field(default_factory=dict)
    """How many places of the template were changed for the emulator, by feature."""
    apps: list[App] = field(default_factory=list)

    def deploy(self, build: Path, **parameters: str) -> None:
        """Create the stack, or update it to this package."""
        made = package.read(build, FOLDER / "native", PYTHON, PARAMETERS | parameters, emulator.REGION)
        addresses = lacking.Addresses(self.emulator.url, self.issuer.url, str(agents_layer.FOLDER))
        template, self.changes = lacking.adapted(made.template, addresses)
        self.outputs = self.emulator.deploy(STACK, made, json.dumps(template), PARAMETERS | parameters)
        for app in self.apps:
            app.http.base_url = self.outputs["ApiUrl"]  # `lacking` says why it may be another one

    def sign_in(self, name: str, **claims: str) -> App:
        sub = f"{name}-{uuid.uuid4()}"
        token = self.issuer.token(self.outputs["UserPoolClientId"], sub=sub, **claims)
        app = App(self.outputs["ApiUrl"], sub, token=token)
        app.http.timeout = httpx.Timeout(REQUEST_SECONDS)  # a function's first start takes seconds here
        self.apps.append(app)
        return app

    def call(self, function: str, event: Mapping[str, Any]) -> None:
        """Invoke a function's alias, as its schedule does; raises AssertionError if it fails."""
        alias = self._alias(function)
        answer = self.emulator.client("lambda").invoke(**alias, Payload=json.dumps(event).encode())
        assert "FunctionError" not in answer, answer["Payload"].read().decode()

    def release(self) -> str:
        """What the function has as `RELEASE` to which its alias leads."""
        alias = self._alias("SubmitRunFunction")
        found = self.emulator.client("lambda").get_function_configuration(**alias)
        return str(found["Environment"]["Variables"]["RELEASE"])

    def _alias(self, function: str) -> dict[str, str]:
        formation = self.emulator.client("cloudformation")
        found = formation.describe_stack_resource(StackName=STACK, LogicalResourceId=function)
        return {"FunctionName": found["StackResourceDetail"]["PhysicalResourceId"], "Qualifier": "live"}

    def environment(self) -> dict[str, str]:
        """For commands that an operator runs."""
        return os.environ | {
            "AWS_ENDPOINT_URL": self.emulator.url,
            "AWS_REGION": emulator.REGION,
            "AWS_DEFAULT_REGION": emulator.REGION,
            "AWS_ACCESS_KEY_ID": emulator.ACCOUNT,
            "AWS_SECRET_ACCESS_KEY": "test",
        }

    def objects(self) -> list[str]:
        listed = self.emulator.client("s3").list_objects_v2(Bucket=self.outputs["BucketName"])
        return [content["Key"] for content in listed.get("Contents", [])]

    def log(self) -> list[dict[str, Any]]:
        """What functions logged as JSON."""
        logs, found = self.emulator.client("logs"), list[dict[str, Any]]()
        for page in logs.get_paginator("filter_log_events").paginate(logGroupName=self.outputs["LogGroup"]):
            for event in page["events"]:
                if event["message"].startswith("{"):
                    found.append(json.loads(event["message"]))
        return found


@contextmanager
def running(name: str) -> Iterator[Deployment]:
    """An emulator, an issuer and a model; nothing is deployed. The emulator's log is in the folder of that name."""
    with ExitStack() as open_:
        issuer_, model_ = open_.enter_context(issuer.serving()), open_.enter_context(model.serving())
        emulator_ = open_.enter_context(emulator.running(PYTHON, FOLDER / name, model_.url))
        yield Deployment(emulator_, issuer_, model_)
