"""`python -m yarrow.runners`: lists the bundled and installed runners.

Without arguments it imports none of them. Names of entry points, or ids, print what these runners can do; `--json`
prints a ListAgentRunnersResponse of all. Rejected candidates are reported on standard error.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence

from yarrow.protocol.runner.manifest import AgentRunnerManifest, ListAgentRunnersResponse
from yarrow.runners.discovery import Candidate, RejectedRunner, built_in, discover, entry_points

NAMES = ("runner", "found in")
HEADER = ("id", "label", "can", "permissions it may ask for")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m yarrow.runners", description="List the agent runners.")
    parser.add_argument("name", nargs="*", help="import this one and print what it can do")
    parser.add_argument("--json", action="store_true", help="import all and print a ListAgentRunnersResponse")
    arguments = parser.parse_args()
    candidates = [*built_in(), *entry_points()]
    if not arguments.json and not arguments.name:
        sys.stdout.write(table(NAMES, [_place(candidate) for candidate in candidates]))
        return 0
    if unknown := [name for name in arguments.name if not any(_is(candidate, name) for candidate in candidates)]:
        sys.stderr.write(f"there is no runner {', '.join(unknown)}\n")
        return 1
    if arguments.name:
        candidates = [candidate for candidate in candidates if any(_is(candidate, name) for name in arguments.name)]
    manifests, rejected = _imported(candidates)
    for rejection in rejected:
        sys.stderr.write(f"not used: {rejection.name}: {rejection.reason}\n")
    response = ListAgentRunnersResponse(runners=tuple(manifests))
    lines = response.model_dump_json(indent=2) + "\n" if arguments.json else table(HEADER, map(_row, manifests))
    sys.stdout.write(lines)
    return 1 if rejected and arguments.name else 0


def _is(candidate: Candidate, name: str) -> bool:
    """Return whether either names the other."""
    return candidate.may_be(name) or candidate._replace(key=name).may_be(candidate.key)


def _imported(candidates: Iterable[Candidate]) -> tuple[list[AgentRunnerManifest], list[RejectedRunner]]:
    found = list(discover([lambda: candidates]))
    rejected = [result for result in found if isinstance(result, RejectedRunner)]
    return [result.manifest for result in found if not isinstance(result, RejectedRunner)], rejected


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [header, *lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    joined = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "".join(line.rstrip() + "\n" for line in joined)


def _place(candidate: Candidate) -> tuple[str, str]:
    name, _, place = candidate.name.partition(" = ")
    return name, place or "Yarrow"


def _row(manifest: AgentRunnerManifest) -> tuple[str, str, str, str]:
    label = manifest.label.get("en_US") or next(iter(manifest.label.values()), manifest.name)
    can = [name for name, declared in manifest.capabilities if declared]
    most = [f"{kind}.{permission}" for kind, allowed in manifest.permissions for permission in allowed]
    return manifest.id, label, ", ".join(can) or "-", ", ".join(most) or "-"


if __name__ == "__main__":
    sys.exit(main())
