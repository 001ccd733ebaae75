"""The workflows: what a pull request can reach, what stands before production, and what a tag and a night run."""

import re
from typing import Any

import pytest
import yaml

from tests.support.paths import ROOT

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}
WORKFLOWS: dict[str, dict[str, Any]] = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
TEXT = TEXTS["ci"]
WORKFLOW = WORKFLOWS["ci"]
JOBS: dict[str, dict[str, Any]] = WORKFLOW["jobs"]


def test_every_action_is_pinned_to_a_commit_whose_version_is_said() -> None:
    """A tag can be moved; a commit cannot. One action has one commit."""
    used = re.findall(r"uses: (\S+)(.*)", "\n".join(TEXTS.values()))
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action) for action, _ in used)
    assert all(re.fullmatch(r" # v\d+\.\d+\.\d+", version) for _, version in used)
    assert len({action.partition("@")[0] for action, _ in used}) == len(set(used))


MORE = {
    ("ci", "deploy"): {"contents": "read", "id-token": "write"},
    ("release", "publish"): {"contents": "write"},
    ("release", "docs"): {"contents": "read", "pages": "write", "id-token": "write"},
}
"""The jobs that may do more than read the code; neither of a release's installs anything."""


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_job_may_read_the_code_and_few_may_do_more(name: str) -> None:
    """SEC-05: no job keeps the token that fetched the code, one can get a role of AWS, one can write a release."""
    assert WORKFLOWS[name]["permissions"] == {}
    for job, content in WORKFLOWS[name]["jobs"].items():
        assert content["permissions"] == MORE.get((name, job), {"contents": "read"}), job
        fetching = [step for step in content["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert all(step["with"]["persist-credentials"] is False for step in fetching)
        assert bool(fetching) == (content["permissions"].get("contents") == "read")
        assert content["timeout-minutes"] <= (180 if name == "nightly" else 90)
    assert "secrets." not in TEXTS[name]
    assert "://" not in TEXTS[name].replace("file://", "")


def test_a_tag_is_built_without_a_cache_and_published_after_its_tests() -> None:
    jobs = WORKFLOWS["release"]["jobs"]
    assert yaml.load(TEXTS["release"], yaml.BaseLoader)["on"] == {"push": {"tags": ["v*.*.*"]}}  # noqa: S506 (it makes text)
    assert "cache" not in TEXTS["release"].replace("# Without a cache", "")
    assert jobs["build"]["needs"] == ["test"]
    assert jobs["publish"]["needs"] == ["build"]
    assert jobs["docs"]["needs"] == ["publish"]
    assert any("tools.release build --tag" in step.get("run", "") for step in jobs["build"]["steps"])


def test_main_is_deployed_when_all_is_well_and_somebody_agrees() -> None:
    deploy = JOBS["deploy"]
    assert deploy["environment"] == "production"
    assert deploy["if"] == "github.event_name == 'push' && github.ref == 'refs/heads/main'"
    assert deploy["concurrency"] == {"group": "deploy-production", "cancel-in-progress": False}
    waits_for, found = set(deploy["needs"]), set[str]()
    while waits_for:
        found |= waits_for
        waits_for = {need for name in waits_for for need in JOBS[name].get("needs", [])}
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
    """All stages run, and tests run on both ends of the range of Pythons with every optional tool."""
    used = {
        name: re.findall(r"\.ci/run (.+)", "\n".join(step.get("run", "") for step in job["steps"]))
        for name, job in JOBS.items()
    }
    assert used["test"] == ["bare tools tests"]
    assert JOBS["test"]["strategy"]["matrix"] == {"python": ["3.11", "3.13"]}
    (stages,) = re.findall(r"stages=\(([a-z ]+)\)", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert sorted(stage for runs in used.values() for run in runs for stage in run.split()) == sorted(stages.split())
    assert "chromium" in " ".join(step.get("run", "") for step in JOBS["test"]["steps"])


@pytest.mark.parametrize("target", sorted(set(re.findall(r"run: make ((?:[a-z-]+ ?)+)", "\n".join(TEXTS.values())))))
def test_it_asks_make_for_what_there_is(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in target.split():
        assert re.search(rf"^{re.escape(name)}:", makefile, re.MULTILINE), name
