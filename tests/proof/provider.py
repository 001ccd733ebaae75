"""What the model says in a proof: it depends on nothing but the request, as in OpenAI's chat completions.

With tools, it calls the counting tool: three calls side by side, then one, then it answers. A request with a schema is
answered with "none". Others are told a text in pieces.
"""

import hashlib
import json
import re
from typing import Any, Final

from tests.support.models.provider_formats import OpenAI
from tests.support.models.server import Answer
from tests.support.runners.divination import READING

Json = dict[str, Any]

WIRE: Final = OpenAI()
COUNT: Final = "count"
"""The counting tool."""
EFFECTS: Final = frozenset({COUNT, "act"})
"""Names of steps that have an effect outside: the tool's, and runners' own."""
ANSWER: Final = "__answer__"
"""The tool by which a model answers a request with a schema."""
READER: Final = "reading"
"""The model that phrases readings."""

IDS: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{9}\b|\b[0-9a-f]{20,64}\b"
)
"""Ids of threads, runs, messages, tool calls and events, which differ from run to run."""
_WRITE: Final = {
    "title": "Call the notary",
    "starts_at": "2026-12-01T09:00:00",
    "event_timezone": "Europe/London",
}
_ROUNDS: Final = (
    ("Let me see. ", ((COUNT, {"name": "a"}), (COUNT, {"name": "b"}), ("calendar_write", _WRITE))),
    ("One more. ", ((COUNT, {"name": "c"}),)),
)


def answer(request: Json, variant: int = 0) -> Answer:
    """The answer to a request; another `variant` says something else."""
    texts = [plain(str(message.get("content") or "")) for message in request["messages"] if message["role"] != "system"]
    calls: tuple[tuple[str, str, str], ...] = ()
    tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in request.get("tools", ())}
    if ANSWER in tools:
        text, calls = "", (("call", ANSWER, json.dumps(dict.fromkeys(tools[ANSWER]["required"], "none"))),)
    elif request["model"] == READER:
        text = READING
    else:
        digest = hashlib.sha256(f"{texts}".encode()).hexdigest()[:6]
        text = f"You said {texts[-1][:40]!r}, which is {digest}. " + "So be it. " * 3
        made = sum(bool(message.get("tool_calls")) for message in request["messages"])
        if COUNT in tools and made < len(_ROUNDS):
            text, question = _ROUNDS[made]
            calls = tuple(
                (f"{made}_{number}", name, json.dumps(value)) for number, (name, value) in enumerate(question)
            )
    text = f"{variant}: {text}" if variant else text
    if not request.get("stream"):
        return WIRE.whole(text, *calls)
    pieces = [text[start : start + 12] for start in range(0, len(text), 12)]
    return WIRE.streamed(*WIRE.begun(*pieces), *WIRE.calling(*calls), *WIRE.ended("calls" if calls else "stop"))


def plain(text: str) -> str:
    """A text without the ids of its run, and the lots that were drawn in it."""
    return re.sub(r"\b0\.\d+", "a lot", IDS.sub("an id", text))
