"""The workflow of continuous integration: what a pull request can reach, and what stands before production."""

import re
from typing import Any

import pytest
import yaml

from tests.support.paths import ROOT

TEXT = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
WORKFLOW: dict[str, Any] = yaml.safe_load(TEXT)
JOBS: dict[str, dict[str, Any]] = WORKFLOW["jobs"]


def test_every_action_is_pinned_to_a_commit_whose_version_is_said() -> None:
    """A tag can be moved; a commit cannot. One action has one commit."""
    used = re.findall(r"uses: (\S+)(.*)", TEXT)
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action) for action, _ in used)
    assert all(re.fullmatch(r" # v\d+\.\d+\.\d+", version) for _, version in used)
    assert len({action.partition("@")[0] for action, _ in used}) == len(set(used))


def test_a_job_may_read_the_code_and_the_deployment_ask_for_a_role() -> None:
    """SEC-05: no job keeps the token that fetched the code, and none but one can get one of AWS."""
    assert WORKFLOW["permissions"] == {}
    for name, job in JOBS.items():
        more = {"id-token": "write"} if name == "deploy" else {}
        assert job["permissions"] == {"contents": "read"} | more, name
        fetching = next(step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@"))
        assert fetching["with"] == {"persist-credentials": False}
        assert job["timeout-minutes"] <= 90
    assert "secrets." not in TEXT
    assert "://" not in TEXT.replace("file://", "")


def test_main_is_deployed_when_all_is_well_and_somebody_agrees() -> None:
    deploy = JOBS["deploy"]
    assert deploy["environment"] == "production"
    assert deploy["if"] == "github.event_name == 'push' && github.ref == 'refs/heads/main'"
    assert deploy["concurrency"] == {"group": "deploy-production", "cancel-in-progress": False}
    waits_for, found = set(deploy["needs"]), set[str]()
    while waits_for:
        found |= waits_for
        waits_for = {each for name in waits_for for each in JOBS[name].get("needs", [])}
    assert found == set(JOBS) - {"deploy"}


def test_what_is_deployed_is_the_head_of_main_still() -> None:
    """However late somebody agrees: asked right before the role is taken, with the job's own token, for the repository
    may be private."""
    steps = JOBS["deploy"]["steps"]
    (taking,) = (at for at, step in enumerate(steps) if "configure-aws-credentials" in step.get("uses", ""))
    asking = steps[taking - 1]
    assert asking["run"] == 'test "$GITHUB_SHA" = "$(gh api "repos/$GITHUB_REPOSITORY/commits/main" --jq .sha)"'
    assert asking["env"] == {"GH_TOKEN": "${{ github.token }}"}
    assert [step for step in steps if "github.token" in str(step)] == [asking]


def test_no_right_runs_out_in_the_middle_of_a_deployment() -> None:
    """CloudFormation has a role of its own, and who waits for it a session as long as the job."""
    steps = JOBS["deploy"]["steps"]
    (taking,) = (step for step in steps if "configure-aws-credentials" in step.get("uses", ""))
    assert taking["with"]["role-duration-seconds"] >= JOBS["deploy"]["timeout-minutes"] * 60
    assert '--role-arn "$STACK_ROLE"' in steps[-1]["run"]
    assert steps[-1]["env"]["STACK_ROLE"] == "${{ vars.AWS_STACK_ROLE }}"


def test_the_jobs_together_run_the_stages_of_ci_run() -> None:
    """All of them, tests on both ends of the range of Pythons with every optional tool."""
    used = {
        name: re.findall(r"\.ci/run (.+)", "\n".join(step.get("run", "") for step in job["steps"]))
        for name, job in JOBS.items()
    }
    assert used["test"] == ["bare tools tests"]
    assert JOBS["test"]["strategy"]["matrix"] == {"python": ["3.11", "3.13"]}
    (stages,) = re.findall(r"stages=\(([a-z ]+)\)", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert sorted(stage for runs in used.values() for run in runs for stage in run.split()) == sorted(stages.split())
    assert "chromium" in " ".join(step.get("run", "") for step in JOBS["test"]["steps"])


@pytest.mark.parametrize("target", sorted(set(re.findall(r"make ((?:[a-z-]+ ?)+)", TEXT.replace("`make`", "")))))
def test_it_asks_make_for_what_there_is(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in target.split():
        assert re.search(rf"^{re.escape(name)}:", makefile, re.MULTILINE), name
