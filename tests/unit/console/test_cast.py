"""The console's coins and times, in Node: the lines that the service makes of the same coins and times."""

import json
import os
import shutil
import subprocess
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from liuyao.cast_time.solar_time import solar_time
from liuyao.coins import yao_of_hua
from liuyao.time_cast import lines_at
from tests.support.paths import ROOT

_SCRIPT = """
import { readFileSync } from "node:fs";
import { lineOf, linesAt, now, runInput, solarOffset, throwCoins } from "./console/cast.js";
const coins = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [1, 2, 4].map((bit) => Boolean(bits & bit)));
const thrown = Array.from({ length: 400 }, () => throwCoins().join());
const { first_year: firstYear, years } = JSON.parse(readFileSync("./console/solar_terms.json"));
const terms = { firstYear, months: years.flat() };
const moments = JSON.parse(process.argv[1]);
const longitudes = JSON.parse(process.argv[2]);
const suns = moments.map((moment, index) => [new Date(moment * 1000), longitudes[index]]);
const input = runInput({ threadId: "t", runId: "r", question: "q", matter: "m", lines: ["少阳"], byHand: true });
console.log(JSON.stringify({
  lines: coins.map((line) => [line.filter(Boolean).length, lineOf(line)]),
  kinds: new Set(thrown).size,
  now: now(new Date("2026-01-05T01:02:03Z")),
  timed: moments.map((moment) => linesAt(new Date(moment * 1000), terms)),
  sunny: suns.map(([date, longitude]) => now(date, solarOffset(date, longitude))),
  timedBySun: suns.map(([date, longitude]) => linesAt(date, terms, solarOffset(date, longitude))),
  bySun: runInput({ threadId: "t", runId: "r", lines: [], at: new Date("2026-04-03T12:30:00Z"), longitude: 87.6 }),
  input,
}));
"""


_TERMS = json.loads((ROOT / "console/solar_terms.json").read_text(encoding="utf-8"))
MOMENTS = [
    *(start + step for year in _TERMS["years"][1::8] for start in year for step in (-1, 0, 1)),  # where months begin
    *range(1_700_000_000, 1_700_000_000 + 400 * 3_501, 3_501),  # hours and days, 23:00 too
    *range(-2_200_000_000, 4_100_000_000, 31_234_567),
]
# Opposite the zone, near 127.5, the day is in doubt, and JavaScript has no seconds of an offset.
LONGITUDES = [longitude for longitude in range(-180, 181) if not 120 <= longitude <= 135] * len(MOMENTS)
LONGITUDES = LONGITUDES[::37][: len(MOMENTS)]


@pytest.fixture(scope="module")
def console_cast() -> dict[str, Any]:
    """What the module says, half an hour off UTC's hours."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    command = ["node", "--input-type=module", "--eval", _SCRIPT, "--", json.dumps(MOMENTS), json.dumps(LONGITUDES)]
    environment = os.environ | {"TZ": "America/St_Johns"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    output: dict[str, Any] = json.loads(done.stdout)
    return output


def test_coins_make_the_lines_of_the_service(console_cast: dict[str, Any]) -> None:
    """DIV-09: by how many show the flower side; every throw of three coins comes."""
    assert [line for _, line in console_cast["lines"]] == [yao_of_hua(count) for count, _ in console_cast["lines"]]
    assert console_cast["kinds"] == 8


def test_a_cast_has_its_time_with_its_offset(console_cast: dict[str, Any]) -> None:
    assert console_cast["now"] == "2026-01-04T21:32:03-03:30"
    payload = console_cast["input"]["forwardedProps"]["divinationPayload"]
    assert (payload["divinationMethod"], payload["yaoLines"]) == ("手动起卦", ["少阳"])
    assert payload["divinationTimeIso"].endswith(("-03:30", "-02:30"))


def test_a_time_makes_the_lines_of_the_service(console_cast: dict[str, Any]) -> None:
    """DIV-09: to the second where a month begins, at 23:00, and by the wall clock of the zone."""
    zone = ZoneInfo("America/St_Johns")
    wanted = [list(lines_at(datetime.fromtimestamp(moment, zone))) for moment in MOMENTS]
    assert len(MOMENTS) > 1_000
    assert console_cast["timed"] == wanted


def test_true_solar_time_is_that_of_the_service(console_cast: dict[str, Any]) -> None:
    """DIV-20: Places all over the Earth get it and the lines of the time."""
    zone = ZoneInfo("America/St_Johns")
    pairs = zip(MOMENTS, LONGITUDES, strict=True)
    solar = [solar_time(datetime.fromtimestamp(item, zone), longitude) for item, longitude in pairs]
    assert console_cast["sunny"] == [moment.isoformat() for moment in solar]
    assert console_cast["timedBySun"] == [list(lines_at(moment)) for moment in solar]
    props = console_cast["bySun"]["forwardedProps"]
    assert props["divinationPayload"]["divinationTimeIso"] == "2026-04-03T18:17:00+05:47"
    assert props["client_time"]["device_timezone"] == "America/St_Johns"
