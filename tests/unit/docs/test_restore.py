"""The runbook's restore of the table, run in a shell with a stand-in for the AWS CLI that knows the functions."""

import json
import re
import subprocess
import sys
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

STAND_IN = """#!{python}
import json, pathlib, sys
file = pathlib.Path({state!r})
state = json.loads(file.read_text())
name = pathlib.Path(sys.argv[0]).name
call = sys.argv[1:]
function = call[call.index("--function-name") + 1].removeprefix("made-") if "--function-name" in call else ""
match [name, *call[:2]]:
    case ["sleep", *_] | ["sam", *_]:
        state["seen"].append([name, call, state["reserved"]])
    case ["aws", "cloudformation", "list-stack-resources"]:
        print(*(f"{{each}}\\tmade-{{each}}" for each in state["functions"]), sep="\\n")
    case ["aws", "lambda", "get-function-concurrency"]:
        print(state["reserved"].get(function))
    case ["aws", "lambda", "put-function-concurrency"]:
        state["reserved"][function] = int(call[call.index("--reserved-concurrent-executions") + 1])
    case ["aws", "lambda", "delete-function-concurrency"]:
        del state["reserved"][function]
    case ["aws", "dynamodb", "describe-table"]:
        print("2026-11-25T00:00:00.000")
    case _:
        sys.exit(f"unexpected: {{sys.argv}}")
file.write_text(json.dumps(state))
"""


class Shell:
    """A folder whose `aws`, `sleep` and `sam` keep the reserved concurrency of functions."""

    def __init__(self, folder: Path, functions: list[str]) -> None:
        self._folder = folder
        self._state = folder / "state.json"
        self._state.write_text(json.dumps({"functions": functions, "reserved": RESERVED, "seen": []}))
        for file in (folder / "bin/aws", folder / "bin/sleep", folder / ".venv-sam/bin/sam"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(STAND_IN.format(python=sys.executable, state=str(self._state)))
            file.chmod(0o755)

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self._state.read_text())
        return state

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

    def at(self, name: str) -> dict[str, int]:
        """What was reserved when a command was called for the last time."""
        reserved: dict[str, int] = [each[2] for each in self.state["seen"] if each[0] == name][-1]
        return reserved


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    found: dict[str, Any] = translate(ROOT / "template.yaml", {})["Resources"]
    return found


@pytest.fixture
def blocks() -> tuple[str, str]:
    section = RUNBOOK.partition("**The whole table**")[2].partition("\n### ")[0]
    stop, back = re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)
    return stop, back


@pytest.fixture
def shell(tmp_path: Path, resources: dict[str, Any]) -> Shell:
    functions = [name for name, each in resources.items() if each["Type"] == "AWS::Lambda::Function"]
    return Shell(tmp_path, functions)


def writers(resources: dict[str, Any]) -> set[str]:
    """The functions whose roles may write to the table."""
    found = set()
    for name, each in resources.items():
        properties = each.get("Properties", {})
        match each["Type"]:
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
    shell: Shell, blocks: tuple[str, str], resources: dict[str, Any]
) -> None:
    """While the last runs end, only those do that end them; as the stack is deployed, none."""
    shell.run(blocks[0])
    stopped = {name for name, reserved in shell.at("sleep").items() if reserved == 0}
    assert stopped == set(shell.state["functions"]) - FINISH_RUNS
    assert shell.state["seen"][0][1] == ["1200"]
    assert writers(resources) >= FINISH_RUNS | {"WorkspacePushFunction", "RepairSchedulesFunction"}
    assert {shell.at("sam")[name] for name in writers(resources)} == {0}


def test_afterwards_each_function_has_what_was_reserved_for_it(shell: Shell, blocks: tuple[str, str]) -> None:
    """For streams, runs and workspaces; also if the first block had to be repeated."""
    stop, back = blocks
    shell.run(stop)
    shell.run(stop)
    shell.run(back)
    assert shell.state["reserved"] == RESERVED
