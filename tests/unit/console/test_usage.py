"""The console's sums of usage, in Node: what is added, what never is, and which requests are made."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.support.paths import ROOT

_SCRIPT = """
import { daysTo, readUsage, summed, summedBy, tokensOf } from "./console/usage/sums.js";
const { now, count, pages, rows } = JSON.parse(process.argv[1]);
const asked = [];
const api = {
  async request(path) {
    asked.push(path);
    return { json: async () => pages[asked.length - 1] ?? { days: [], hasMore: true, next: "next" } };
  },
};
const days = daysTo(Date.parse(now), count);
console.log(JSON.stringify({
  days,
  read: await readUsage(api, days),
  asked,
  sums: summed(rows),
  tokens: tokensOf(summed(rows)) ?? null,
  groups: summedBy(rows, ({ agent }) => agent).map(({ key, runs }) => [key, runs]),
}));
"""


def used(**given: Any) -> dict[str, Any]:
    """What the script finds; skips without Node."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    task = {"now": "2026-11-28T00:30:00Z", "count": 2, "pages": [], "rows": [], **given}
    command = ["node", "--input-type=module", "-e", _SCRIPT, json.dumps(task)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    result: dict[str, Any] = json.loads(found.stdout)
    return result


def page(day: str, *, after: str | None = None, **members: Any) -> dict[str, Any]:
    more = {"hasMore": False} if after is None else {"hasMore": True, "next": after}
    return {"days": [{"day": day, "agent": "assistant", "runs": 1}], **more, **members}


def test_parts_of_a_count_are_not_added_and_what_nobody_reported_is_not_zero() -> None:
    """EVB-05: cached tokens are part of the input, reasoning is part of the output."""
    rows = [
        {
            "agent": "a",
            "runs": 2,
            "inputTokens": 100,
            "outputTokens": 40,
            "cachedInputTokens": 90,
            "reasoningTokens": 30,
        },
        {"agent": "b", "runs": 1, "inputTokens": 7, "cost": 0.5},
        {"agent": "a", "runs": 3},
    ]
    found = used(rows=rows)
    assert found["tokens"] == 147
    counts = {"runs": 6, "inputTokens": 107, "outputTokens": 40, "cachedInputTokens": 90, "reasoningTokens": 30}
    assert found["sums"] == counts | {"cost": 0.5, "unpriced": 1}  # the row without tokens costs nothing
    assert found["groups"] == [["a", 5], ["b", 1]]
    nothing = used(rows=rows[2:])
    assert (nothing["sums"], nothing["tokens"]) == ({"runs": 3, "unpriced": 0}, None)


def test_days_are_those_of_utc_and_ninety_are_three_requests() -> None:
    """Each is followed over its pages; speech is on its first one, what is left is that of the last days."""
    found = used(
        count=90,
        pages=[
            page("2026-08-31", speech=[{"day": "2026-09-01", "seconds": 30}], left={"tokensToday": 9}),
            page("2026-10-01", after="x.y", speech=[], left={"tokensToday": 8}),
            page("2026-10-02"),
            page("2026-11-28", speech=[{"day": "2026-11-28", "seconds": 5}], left={"tokensToday": 7}, currency="EUR"),
        ],
    )
    assert (found["days"][0], found["days"][-1], len(found["days"])) == ("2026-08-31", "2026-11-28", 90)
    assert found["asked"] == [
        "/api/v1/usage?from=2026-08-31&to=2026-09-30",
        "/api/v1/usage?from=2026-10-01&to=2026-10-31",
        "/api/v1/usage?from=2026-10-01&to=2026-10-31&after=x.y",
        "/api/v1/usage?from=2026-11-01&to=2026-11-28",
    ]
    read = found["read"]
    assert [row["day"] for row in read["rows"]] == ["2026-08-31", "2026-10-01", "2026-10-02", "2026-11-28"]
    assert [speech["seconds"] for speech in read["speech"]] == [30, 5]
    assert (read["left"], read["currency"], read["isWhole"]) == ({"tokensToday": 7}, "EUR", True)


def test_a_list_without_an_end_is_left_and_said_to_be_part_of_it() -> None:
    found = used()
    assert len(found["asked"]) == 60
    assert found["read"]["isWhole"] is False
