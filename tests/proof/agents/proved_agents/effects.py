"""The counting tool, and the effect that runners make themselves: each is told to who counts, with its key."""

import json
import os
import urllib.request
from typing import Any

from yarrow.protocol.runner.tools import ToolContext, tool


@tool(retry="keyed")
def count(context: ToolContext, name: str) -> dict[str, Any]:
    """Count something that happens once."""
    assert context.key is not None
    return made(name, context.key)


def made(name: str, key: str) -> dict[str, Any]:
    """Make the effect; who counts makes twice once by its key."""
    body = json.dumps({"name": name, "key": key}).encode()
    request = urllib.request.Request(f"{os.environ['EFFECTS_URL']}/effects", body)  # noqa: S310 (of this machine)
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        receipt: dict[str, Any] = json.load(answer)
        return receipt
