"""The runbook's restore of the table, run in a shell with a stand-in for the AWS CLI that knows the functions."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from local.translation import translate
from tests.support.paths import ROOT

RUNBOOK = (ROOT / "docs/runbook.md").read_text(encoding="utf-8")
WRITES = {"dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"}
FINISH_RUNS = {"ExecuteRunFunction", "EndRunFunction", "RunnerApiFunction"}
RESERVED = {
    **dict.fromkeys(["StreamEventsFunction", "SendMessageFunction"], 40),
    **dict.fromkeys(["WorkspaceCommandFunction", "WorkspacePushFunction"], 7),
    "ExecuteRunFunction": 100,
}
"""What a stack with StreamConcurrency, WorkspaceConcurrency and RunConcurrency has reserved."""

# In sh, as it starts 300 times: Python would take nine seconds to start as often.
STAND_IN = """#!/bin/sh
set -eu
name=${0##*/}
cd '{state}'
function='' reserved=''
before=''
for argument; do
  case $before in
    --function-name) function=${argument#made-} ;;
    --reserved-concurrent-executions) reserved=$argument ;;
  esac
  before=$argument
done
case "$name ${1-} ${2-}" in
  "sleep "*|"sam "*)
    echo "$name $*" >> seen
    rm -rf "at-$name"
    cp -R reserved "at-$name" ;;
  "aws cloudformation list-stack-resources")
    while read -r each; do printf '%s\tmade-%s\n' "$each" "$each"; done < functions ;;
  "aws lambda get-function-concurrency") cat "reserved/$function" 2> /dev/null || echo None ;;
  "aws lambda put-function-concurrency") echo "$reserved" > "reserved/$function" ;;
  "aws lambda delete-function-concurrency") rm "reserved/$function" ;;
  "aws dynamodb describe-table") echo 2026-11-25T00:00:00.000 ;;
  *) echo "unexpected: $name $*" >&2; exit 1 ;;
esac
"""


class Shell:
    """A folder whose `aws`, `sleep` and `sam` keep the reserved concurrency of functions, a file for each."""

    def __init__(self, folder: Path, functions: list[str]) -> None:
        self._folder = folder
        self._state = folder / "state"
        (self._state / "reserved").mkdir(parents=True)
        (self._state / "functions").write_text("".join(f"{name}\n" for name in functions))
        for name, number in RESERVED.items():
            (self._state / "reserved" / name).write_text(f"{number}\n")
        for file in (folder / "bin/aws", folder / "bin/sleep", folder / ".venv-sam/bin/sam"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(STAND_IN.replace("{state}", str(self._state)))
            file.chmod(0o755)

    @property
    def calls(self) -> list[str]:
        """The calls of `sleep` and `sam`, in order."""
        return (self._state / "seen").read_text().splitlines()

    def run(self, block: str) -> None:
        path = f"{self._folder / 'bin'}:/usr/bin:/bin"
        done = subprocess.run(
            ["bash", "-eu", "-o", "pipefail"],
            input=block,
            cwd=self._folder,
            env={"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")

    def reserved(self, when: str = "reserved") -> dict[str, int]:
        """What is reserved, or `at-NAME`: what was when that command was called for the last time."""
        return {file.name: int(file.read_text()) for file in (self._state / when).iterdir()}


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    found: dict[str, Any] = translate(ROOT / "template.yaml", {})["Resources"]
    return found


@pytest.fixture
def blocks() -> tuple[str, str]:
    section = RUNBOOK.partition("**The whole table**")[2].partition("\n### ")[0]
    stop, back = re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)
    return stop, back


@pytest.fixture(scope="module")
def functions(resources: dict[str, Any]) -> list[str]:
    return [name for name, resource in resources.items() if resource["Type"] == "AWS::Lambda::Function"]


@pytest.fixture
def shell(tmp_path: Path, functions: list[str]) -> Shell:
    return Shell(tmp_path, functions)


def writers(resources: dict[str, Any]) -> set[str]:
    """The functions whose roles may write to the table."""
    found = set()
    for name, resource in resources.items():
        properties = resource.get("Properties", {})
        match resource["Type"]:
            case "AWS::IAM::Role":
                roles, policies = [name], [policy["PolicyDocument"] for policy in properties.get("Policies", ())]
            case "AWS::IAM::Policy":
                roles, policies = [role["Ref"] for role in properties["Roles"]], [properties["PolicyDocument"]]
            case _:
                continue
        for action in WRITES:
            if f'"{action}"' in json.dumps(policies):
                found |= {role.removesuffix("Role") for role in roles}
    return found


def test_when_the_table_is_exchanged_no_function_writes(
    shell: Shell, blocks: tuple[str, str], functions: list[str], resources: dict[str, Any]
) -> None:
    """While the last runs end, only those do that end them; as the stack is deployed, none."""
    shell.run(blocks[0])
    stopped = {name for name, reserved in shell.reserved("at-sleep").items() if reserved == 0}
    assert stopped == set(functions) - FINISH_RUNS
    assert shell.calls[0] == "sleep 1200"
    assert writers(resources) >= FINISH_RUNS | {"WorkspacePushFunction", "RepairSchedulesFunction"}
    assert {shell.reserved("at-sam")[name] for name in writers(resources)} == {0}


def test_afterwards_each_function_has_what_was_reserved_for_it(shell: Shell, blocks: tuple[str, str]) -> None:
    """For streams, runs and workspaces; also if the first block had to be repeated."""
    stop, back = blocks
    shell.run(stop)
    shell.run(stop)
    shell.run(back)
    assert shell.reserved() == RESERVED
