"""The limits that the guide to writing a runner names are those that the code keeps."""

import re
from itertools import groupby

import pytest

from tests.support.paths import ROOT
from yarrow.protocol.ui_schema import compiler, hints
from yarrow.services.api import run_api
from yarrow.services.api.throttle import RATES, RUN_RATE
from yarrow.services.models import attempts, budget, call
from yarrow.services.tools import registry
from yarrow.store import runs
from yarrow.store.runner import persistent_state, secrets, steps
from yarrow.worker import outcomes
from yarrow.worker.invocation import runner_loops
from yarrow.worker.results import artifact_sink, payloads, state_updates

GUIDE = (ROOT / "docs/write-a-runner.md").read_text(encoding="utf-8")
TABLE = GUIDE[GUIDE.index("## Limits") :]
ROWS = dict(re.findall(r"^\| ([^|]+) \| ([^|]+ \| [^|]+) \|$", TABLE, re.MULTILINE))


def size(number: int) -> str:
    return f"{number >> 20} MiB" if number % (1 << 20) == 0 else f"{number >> 10} KiB"


def rates() -> str:
    """Each rate once, the highest first, with the kinds that have it."""
    by_rate = sorted(RATES, key=lambda kind: (-RATES[kind].burst, -RATES[kind].per_second, kind))
    outputs = [(rate, ", ".join(kinds)) for rate, kinds in groupby(by_rate, key=RATES.__getitem__)]
    return "; ".join(f"{kinds} {rate.burst}, then {rate.per_second:g}" for rate, kinds in outputs)


LIMITS = {
    "cards": (
        f"{hints.MAX_CARDS} a message, {hints.MAX_ITEMS} inside each; {size(hints.MAX_BYTES)} of JSON",
        f"{compiler.MAX_NODES} parts and {size(compiler.MAX_SCHEMA_BYTES)} compiled",
    ),
    "time": (
        f"{runs.MAX_MINUTES} minutes, to",
        f"after {runner_loops.GRACE_SECONDS:g} s",
        f"the threads of {runner_loops.MAX_ABANDONED} runs were left",
    ),
    "results": (f"{size(payloads.MAX_RESULT_BYTES)} of JSON each, {size(payloads.MAX_RUN_BYTES)} a run",),
    "media in results of tools": (
        f"pictures of {size(payloads.MAX_PICTURE_BYTES)}, other files of {size(payloads.MAX_INLINE_BYTES)}",
        f"{size(payloads.MAX_MEDIA_BYTES)} of base64 a run",
    ),
    "messages": (
        f"{outcomes.MAX_MESSAGES} a run; {size(outcomes.MAX_ITEM_BYTES)} each",
        f"{size(outcomes.MAX_SAID_BYTES)} together",
    ),
    "state": (
        f"{size(payloads.MAX_STATE_BYTES)} a value, {persistent_state.KEYS_OF_A_SPACE} keys a scope",
        f"{state_updates.MAX_STATE_KEYS} values with `state.updated`, {size(outcomes.MAX_STATE_BYTES)} together",
        f"more than {size(outcomes.MAX_STATE_BYTES)} fails",
    ),
    "artifacts": (f"{artifact_sink.MAX_ARTIFACTS} a run, {size(payloads.MAX_INLINE_BYTES)} each",),
    "calls of `api`": (
        f"{RUN_RATE.burst}, then {RUN_RATE.per_second:g} a second; {run_api.MAX_AT_ONCE} at the same time",
    ),
    "of them a kind": (rates().replace(", then 50;", ", then 50 a second;", 1),),
    "one call": (
        f"{size(run_api.MAX_REQUEST_BYTES)} of arguments, {size(run_api.MAX_RESPONSE_BYTES)} of answer",
        f"{size(run_api.MAX_STREAM_BYTES)} of a stream",
    ),
    "steps": (f"{steps.MAX_STEPS:,} a run", f"{steps.INLINE_BYTES >> 10} KiB in the table"),
    "models": (f"{budget.MODEL_CALLS} calls and {budget.MODEL_TOKENS:,} tokens a run",),
    "one request of a model": (
        f"{attempts.REQUEST_SECONDS:g} s; a stream {attempts.REQUEST_SECONDS:g} s to its first event and between two",
        f"{call.PICTURES} pictures of {size(call.PICTURE_BYTES)}",
    ),
    "one tool": (f"{registry.TOOL_SECONDS:g} s; {size(registry.MAX_RESULT_BYTES)} of result",),
}


def test_the_guide_names_every_limit_and_no_other() -> None:
    """RNR-42, RNR-51."""
    assert sorted(ROWS) == sorted(LIMITS)
    assert persistent_state.VALUE_BYTES == payloads.MAX_STATE_BYTES


@pytest.mark.parametrize("row", LIMITS)
def test_a_limit_of_the_guide_is_that_of_the_code(row: str) -> None:
    """RNR-36, RNR-38, RNR-42, RNR-51, RNR-52, RNR-53, RNR-70."""
    for limit in LIMITS[row]:
        assert limit in ROWS[row]


def test_a_rotated_secret_reaches_runs_when_the_guide_says() -> None:
    """RNR-26."""
    assert "cached for five minutes" in GUIDE
    assert secrets.KEPT_SECONDS == 5 * 60
