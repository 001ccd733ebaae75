"""`python -m tests.proof`: kill workers of the local stack, and show that nothing is done twice.

Prints what was killed where, and each run that did not end as if nothing had happened, with its plan.
"""

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.proof.plans import plans
from tests.proof.points import Plan
from tests.proof.prove import CASES, Case, Proof, Told, proving


def main() -> int:
    """Whether a run was disturbed by its kills."""
    parser = argparse.ArgumentParser(description="Kill workers at every call, and compare their runs.")
    parser.add_argument("--kills", type=int, default=500, help="workers to kill (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=30, help="to stop after (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of what is killed where (default: %(default)s)")
    parser.add_argument("--agents", nargs="+", default=[case.name for case in CASES], help="those to run")
    value = parser.parse_args()
    until, chance = time.monotonic() + 60 * value.minutes, random.Random(value.seed)
    kills: Counter[str] = Counter()
    runs, failed = 0, 0
    with TemporaryDirectory() as site, proving(Path(site)) as proof:
        cases = [(case, proof.undisturbed(case)) for case in CASES if case.name in value.agents]
        planned = [(case, output, plans(output, chance)) for case, output in cases]
        while kills.total() < value.kills and time.monotonic() < until:
            for case, result, of in planned:
                runs += 1
                failed += not _is_proved(proof, case, result, next(of), kills)
    for what, number in sorted(kills.items()):
        print(f"{number:6}  {what}")
    print(f"{kills.total()} workers killed in {runs} runs; {failed} were disturbed")
    return min(failed, 1)


def _is_proved(proof: Proof, case: Case, undisturbed: Told, plan: Plan, kills: Counter[str]) -> bool:
    try:
        output = proof.run(case, plan)
        proof.check(case, output, undisturbed, plan)
    except Exception as error:  # noqa: BLE001 (whatever it is, the run was disturbed)
        print(f"{case.name}, {plan}: {type(error).__name__}: {str(error)[:1_000]}", flush=True)
        return False
    finally:
        at = [_kind(point) for point in proof.outside.points.kills] or ["any instant"]
        kills.update(f"{case.name}: {item}" for item in at[: proof.outside.killed])
    return True


def _kind(point: str) -> str:
    """A point without the number of its call."""
    return " ".join(word for word in point.split() if not word.isdigit())


if __name__ == "__main__":
    sys.exit(main())
