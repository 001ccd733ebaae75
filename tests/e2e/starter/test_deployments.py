"""Agents that are no part of an AgentsLayer: in a function of their own, and in a container image.

There is no Docker engine here: what is not tested is that the image builds, and that Lambda starts it.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from local.translation import translate
from tests.support import layers
from tests.support.functions import runtime_api
from tests.support.functions.runtime_api import Process, RuntimeApi
from tests.support.paths import ROOT
from tests.support.projects import answer, pieces, served, written
from tests.support.run_contexts import run_context
from yarrow.protocol.runner.remote import Callback, ListAgentRunners, RunAgent
from yarrow.testing import fake_model
from yarrow_client.starter import files

ECHO = (ROOT / "examples/minimal_agent/echo.py").read_text(encoding="utf-8")
DEPLOYMENTS = ("function", "image")


def test_a_project_is_served_as_a_function_of_its_own(tmp_path: Path) -> None:
    """AGT-04: its calls come over the API of remote runners, and the key of its model is the stack's."""
    folder = written(tmp_path, "plain", "function")
    with fake_model("It is 5.") as model:
        key = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": model.url}
        with served(folder, tmp_path, **key) as url:
            events = answer(url, "my_agent", "What is 2 and 3?")
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert "".join(pieces(events)) == "It is 5."
    assert "/actions/models.stream 200" in (tmp_path / "log").read_text(encoding="utf-8")


@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_its_template_is_one_that_cloudformation_takes(deployment: Any, tmp_path: Path) -> None:
    template = written(tmp_path, "plain", deployment) / "template.yaml"
    command = [str(Path(sys.executable).parent / "cfn-lint"), "--regions", "eu-west-1", "--", str(template)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    if deployment == "function":  # SAM takes images from a registry alone
        resources = translate(template, {"CoreLayer": "arn:layer", "RunnerApi": "api"})["Resources"]
        assert resources["RunnerFunction"]["Properties"]["Code"]["S3Key"] == "function"


@pytest.fixture
def api() -> Iterator[RuntimeApi]:
    api = RuntimeApi()
    yield api
    api.close()


def lines(api: RuntimeApi) -> list[Any]:
    """Return the documents of a streamed response."""
    head = api.head()
    assert head.headers["lambda-runtime-function-response-mode"] == "streaming"
    text = b"".join(iter(api.chunk, b"")).decode()
    assert api.trailers() == {}
    api.accept()
    return [json.loads(line) for line in text.splitlines()]


def test_the_image_starts_a_runner_that_lists_itself_and_streams(tmp_path: Path, api: RuntimeApi) -> None:
    """RNR-13: by the command of its Dockerfile, with the files that it copies."""
    folder = written(tmp_path, "plain", "image")
    dockerfile = (folder / "Dockerfile").read_text(encoding="utf-8")
    command = json.loads(dockerfile.partition("ENTRYPOINT ")[2])
    (copied,) = re.findall(r"^COPY (.+) /var/task/$", dockerfile, re.MULTILINE)
    task = tmp_path / "task"
    task.mkdir()
    for name in copied.split():
        (task / name).write_text((folder / name).read_text(encoding="utf-8"), encoding="utf-8")
    (task / "my_agent.py").write_text(ECHO.replace("examples/echo", "example/my_agent"), encoding="utf-8")
    python = tmp_path / "bin/python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    environment = {
        **runtime_api.environment(task),
        "PATH": f"{python.parent}:/usr/bin:/bin",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": "eu-west-1",
    }
    run = RunAgent(
        runner_id="plugin:example/my_agent/default",
        runner_name="default",
        context=run_context("run-1", "good morning"),
        callback=Callback(url="http://127.0.0.1:9/internal/runs/run-1/actions", token="token"),
    )
    with Process(command, task, environment, api):
        api.invoke(ListAgentRunners().model_dump(mode="json"))
        (listed,) = lines(api)
        api.invoke(run.model_dump(mode="json"), "request-2")
        results = lines(api)
    assert [runner["id"] for runner in listed["runners"]] == ["plugin:example/my_agent/default"]
    said = [result["data"]["chunk"]["content"] for result in results if result["type"] == "message.delta"]
    assert "".join(said) == "You said: good morning "


def test_the_image_has_what_yarrow_imports_there() -> None:
    """Whatever else the agent's packages bring or leave out."""
    listed = files("my_agent", "plain", deployment="image")["runtime.txt"]
    names = [line for line in listed.splitlines() if line and not line.startswith("#")]
    brought = {canonicalize_name(found.name) for found in layers.distributions(map(Requirement, names))}
    code = (
        "import sys; before = {*sys.modules}\n"
        "import yarrow.sdk, yarrow.sdk.callback, yarrow.web.lambda_runtime, yarrow.adapters.agui, yarrow.testing\n"
        "from importlib.metadata import packages_distributions\n"
        "known = packages_distributions()\n"
        "print(*{name for module in {*sys.modules} - before for name in known.get(module.partition('.')[0], ())})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = {canonicalize_name(name) for name in done.stdout.split()} - {"yarrow"}
    assert "pydantic" in imported
    assert imported <= brought | {"certifi"}  # which botocore takes if it is there


def test_what_the_dockerfile_copies_is_in_the_project() -> None:
    written_files = files("my_agent", "crewai")
    copies = re.findall(r"^COPY (.+) \S+$", written_files["Dockerfile"], re.MULTILINE)
    sources = {source for copied in copies for source in copied.split()}
    assert sources - {"wheels/"} <= written_files.keys()
    assert "--wheel-dir wheels" in written_files["Makefile"]
