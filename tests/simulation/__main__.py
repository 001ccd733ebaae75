"""`python -m tests.simulation FIRST LAST [SCENARIO]`: simulate these seeds, all of one scenario if it is named.

The first that breaks a rule is shown, with no more faults than it needs for that. Prints seeds, steps, calls, faults by
kind, and which calls had them.
"""

import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path

from local import template
from local.__main__ import TEMPLATE
from tests.simulation.aws import FAULTS
from tests.simulation.simulate import Report, simulate
from tests.support.functions.deployment import configured


@contextmanager
def deployment() -> Iterator[None]:
    """The process as a function of the template's is."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})
    with configured(stack, JOBS_PER_USER="3", JOB_CHANGES_PER_MINUTE="0"):
        yield


@contextmanager
def quickly() -> Iterator[None]:
    """Without the product's log, and on one processor: one thread runs at a time, and to wake the next on another
    processor takes four times as long.
    """
    logging.disable(logging.CRITICAL)
    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
    if processors:
        os.sched_setaffinity(0, {max(processors)})
    try:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
            yield
    finally:
        if processors:
            os.sched_setaffinity(0, processors)
        logging.disable(logging.NOTSET)


def shrunk(found: Report) -> tuple[Report, set[int]]:
    """The same simulation without the faults that it does not need to go wrong, and their numbers."""
    without: set[int] = set()
    for number in range(found.faults, 0, -1):
        fewer = simulate(found.seed, {*without, number}, scenario=found.scenario)
        if fewer.problems:
            without.add(number)
            found = fewer
    return found, without


def main(first: str, last: str, scenario: str | None = None) -> int:
    """The number of seeds that broke a rule."""
    calls: Counter[tuple[str, str]] = Counter()
    steps, failed, began = 0, 0, time.process_time()
    with quickly(), deployment():
        for seed in range(int(first), int(last) + 1):
            report = simulate(seed, scenario=scenario)
            calls += report.calls
            steps += report.steps
            if report.problems:
                failed += 1
                print(f"seed {seed}, {report.scenario}: {'; '.join(report.problems)}")
                if failed == 1:
                    smaller, without = shrunk(report)
                    print(f"without {len(without)} of its {report.faults} faults: {'; '.join(smaller.problems)}")
                    print(smaller.history)
    seconds = time.process_time() - began
    print(f"seeds {first} to {last}: {failed} broke a rule; {steps:,} steps, {calls.total():,} calls, {seconds:.0f} s")
    for fault in ("none", *FAULTS):
        struck = sorted((operation, number) for (operation, key), number in calls.items() if key == fault)
        text = ", ".join(f"{operation} {number:,}" for operation, number in struck)
        print(f"  {fault:<14} {sum(number for _, number in struck):>9,}  {text}")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
