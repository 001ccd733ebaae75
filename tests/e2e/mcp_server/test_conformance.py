"""The conformance suite of the Model Context Protocol, at the local stack: scenarios that need no more than it has.

The suite sends no credential, so a proxy adds it. Tools that it calls by name are those of a package.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.credential_proxy import adding
from tests.support.mcp_packages import installed
from tests.support.paths import ROOT
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running

SCENARIO_SECONDS = 60

NO_PROMPTS = "the server has no prompts"
NO_SUCH_TOOL = "needs a tool of the suite that asks for sampling"

SCENARIOS: dict[tuple[str, str], dict[str, str]] = {
    **{
        ("2026-07-28", name): {}
        for name in (
            "tools-list",
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-error",
            "server-sse-multiple-streams",
            "resources-list",
            "sep-2164-resource-not-found",
            "dns-rebinding-protection",
            "http-header-validation",
        )
    },
    ("2026-07-28", "caching"): {"sep-2549-prompts-list-caching-hints": NO_PROMPTS},
    ("2026-07-28", "server-stateless"): dict.fromkeys(
        (
            "sep-2575-server-rejects-undeclared-capability",
            "sep-2575-missing-capability-http-400",
            "sep-2575-http-server-no-independent-requests-on-stream",
            "sep-2575-server-no-log-without-loglevel",
        ),
        NO_SUCH_TOOL,
    ),
    **{
        ("2025-11-25", name): {}
        for name in (
            "server-initialize",
            "ping",
            "tools-list",
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-error",
            "resources-list",
            "dns-rebinding-protection",
        )
    },
}
"""By revision and scenario, the checks that do not apply, and why."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    installed()
    path = python_path(tmp_path_factory.mktemp("fixtures"), ROOT / "tests/clients/mcp/fixtures")
    with running(environment={"PYTHONPATH": path}) as stack:
        token = httpx.post(f"{stack}/local/token", json={"sub": "suite"}).json()["token"]
        with adding(token, stack) as proxy:
            yield proxy


def checks(folder: Path) -> list[dict[str, Any]]:
    (report,) = folder.rglob("checks.json")
    found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(("version", "scenario"), SCENARIOS)
def test_the_server_is_as_the_suite_has_it(version: str, scenario: str, url: str, tmp_path: Path) -> None:
    """MCP-02: in both eras, on one path."""
    folder = installed()
    command = [str(folder / name) for name in ("node_modules/node/bin/node", "node_modules/.bin/conformance")]
    options = ["server", "--url", f"{url}/mcp", "--spec-version", version, "--scenario", scenario, "-o", str(tmp_path)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=SCENARIO_SECONDS, cwd=tmp_path)
    found = checks(tmp_path)
    failed = {check["id"]: check.get("errorMessage") for check in found if check["status"] in ("FAILURE", "WARNING")}
    assert failed.keys() == SCENARIOS[version, scenario].keys(), (failed, done.stdout[-2_000:])
    assert any(check["status"] == "SUCCESS" for check in found)
