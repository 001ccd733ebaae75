"""The console's sums for operators, in Node: of several agents and times."""

import json
import re
import shutil
import string
import subprocess
from typing import Any
from urllib.parse import unquote

import pytest

from tests.support.paths import ROOT

_SCRIPT = """
import {
  endsBy, failuresOf, logLink, logQuery, modelsOf, momentsOf, percentile, readRuns, readUsers, usedBy,
} from "./console/operations/sums.js";
const { page, counts, bounds } = JSON.parse(process.argv[1]);
const asked = [];
const api = { request: async (path) => (asked.push(path), { json: async () => page }) };
const hours = await readRuns(api, ["2026-11-28"]);
const days = await readRuns(api, ["2026-11-27", "2026-11-28"]);
await readUsers(api, { day: "2026-11-28", subject: "a&b", after: null });
console.log(JSON.stringify({
  asked,
  moments: [momentsOf(hours).length, momentsOf(hours).at(-1), momentsOf(days)],
  ends: [...endsBy(page.times, ({ at }) => at)],
  failures: failuresOf(page.agents).map(({ agent, code, count }) => [agent, code, count]),
  models: modelsOf(page.agents).map(({ agent, model }) => [agent, model]),
  link: logLink({ region: "eu-west-1", name: "/aws/vendedlogs/y" }, logQuery("run_key", "k-1")),
  used: usedBy(page.agents),
  percentiles: counts.map((each) => [50, 95].map((percent) => String(percentile(each, bounds, percent)))),
}));
"""


def told(**given: Any) -> dict[str, Any]:
    """What the script finds; skips without Node."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    task = {"page": {"times": [], "agents": []}, "counts": [], "bounds": [], **given}
    command = ["node", "--input-type=module", "-e", _SCRIPT, json.dumps(task)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    result: dict[str, Any] = json.loads(found.stdout)
    return result


def row(at: str, agent: str, **ends: int) -> dict[str, Any]:
    counts = {"completed": 0, "asked": 0, "failed": 0, "canceled": 0, **ends}
    return {"at": at, "agent": agent, "runs": sum(counts.values()), "byJobs": 1, **counts}


def test_a_day_is_asked_by_hour_and_more_by_day() -> None:
    """EVB-12: and a subject is sent as it was typed."""
    found = told()
    assert found["asked"] == [
        "/api/v1/operations/runs?from=2026-11-28&to=2026-11-28&per=hour",
        "/api/v1/operations/runs?from=2026-11-27&to=2026-11-28&per=day",
        "/api/v1/operations/users?day=2026-11-28&subject=a%26b",
    ]
    assert found["moments"] == [24, "2026-11-28T23:00Z", ["2026-11-27", "2026-11-28"]]


def test_agents_are_added_and_the_most_frequent_failures_come_first() -> None:
    """EVB-12: what no model reported is in no sum."""
    agents = [
        {
            "agent": "a",
            "failures": [{"code": "RUN_LOST", "count": 1, "latestRun": "k"}],
            "models": [{"model": "m", "inputTokens": 5, "cost": 0.25}, {"model": "n", "outputTokens": 2}],
        },
        {
            "agent": "b",
            "failures": [{"code": "RUN_FAILED", "count": 4, "latestRun": "l"}],
            "models": [{"model": "m", "inputTokens": 7, "cost": 0.5}],
        },
    ]
    times = [row("t", "a", completed=2, failed=1), row("t", "b", failed=4, asked=1)]
    found = told(page={"times": times, "agents": agents})
    assert found["ends"] == [
        ["t", {"runs": 8, "byJobs": 2, "completed": 2, "asked": 1, "failed": 5, "canceled": 0}],
    ]
    assert found["failures"] == [["b", "RUN_FAILED", 4], ["a", "RUN_LOST", 1]]
    assert found["models"] == [["b", "m"], ["a", "m"], ["a", "n"]]
    assert found["used"] == {"unpriced": 1, "inputTokens": 12, "outputTokens": 2, "cost": 0.75}


def test_percentiles_are_bounds_as_the_service_has_them() -> None:
    """EVB-12: of nothing there is none, and what is above all bounds is more than the last."""
    counts = [[0, 0, 0], [1, 1, 0], [19, 1, 0], [1, 1, 8]]
    assert told(counts=counts, bounds=[1, 2])["percentiles"] == [
        ["undefined", "undefined"],
        ["1", "2"],
        ["1", "1"],
        ["Infinity", "Infinity"],
    ]


def test_a_link_has_the_query_as_cloudwatch_writes_it() -> None:
    """EVB-12: values are percent-encoded with asterisks, and nothing of them ends the list that they are in."""
    link = told()["link"]
    start, _, detail = link.partition("$3FqueryDetail$3D")
    assert start == ("https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#logsV2:logs-insights")
    assert detail.endswith("~source~(~'*2Faws*2Fvendedlogs*2Fy))")
    query = re.search(r"~editorString~'([^~]*)~", detail)
    assert query is not None
    assert unquote(query[1].replace("*", "%")).startswith('filter run_key = "k-1" | fields @timestamp')
    assert set(query[1]) <= set(string.ascii_letters + string.digits + "*_-.")
