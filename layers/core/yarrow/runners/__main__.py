"""`python -m yarrow.runners`: lists the bundled and installed runners.

`--json` prints a ListAgentRunnersResponse. Rejected candidates are reported on standard error.
"""

import argparse
import sys

from yarrow.protocol.runner.manifest import AgentRunnerManifest, ListAgentRunnersResponse
from yarrow.runners.discovery import Rejected, built_in, discover, entry_points

HEADER = ("id", "label", "can", "asks for at most")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m yarrow.runners", description="List the agent runners.")
    parser.add_argument("--json", action="store_true", help="print a ListAgentRunnersResponse")
    as_json = parser.parse_args().json
    manifests = []
    for each in discover([built_in, entry_points]):
        if isinstance(each, Rejected):
            sys.stderr.write(f"not used: {each.name}: {each.reason}\n")
        else:
            manifests.append(each.manifest)
    response = ListAgentRunnersResponse(runners=tuple(manifests))
    sys.stdout.write(response.model_dump_json(indent=2) + "\n" if as_json else table(manifests))


def table(manifests: list[AgentRunnerManifest]) -> str:
    rows = [HEADER, *map(_row, manifests)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "".join(line.rstrip() + "\n" for line in lines)


def _row(manifest: AgentRunnerManifest) -> tuple[str, str, str, str]:
    label = manifest.label.get("en_US") or next(iter(manifest.label.values()), manifest.name)
    can = [name for name, declared in manifest.capabilities if declared]
    most = [f"{kind}.{each}" for kind, allowed in manifest.permissions for each in allowed]
    return manifest.id, label, ", ".join(can) or "-", ", ".join(most) or "-"


if __name__ == "__main__":
    main()
