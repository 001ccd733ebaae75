"""`yarrow outcome` records how a reading turned out, `yarrow record` counts the outcomes."""

from collections.abc import Mapping
from typing import Any, Final

from rich.text import Text

from yarrow_client.cli.actions import Context
from yarrow_client.cli.input import harmless
from yarrow_client.cli.words import Words
from yarrow_client.sync_client import Yarrow
from yarrow_client.wire import Outcome, Record

OUTCOMES: Final[Mapping[str, Outcome]] = {"came-true": "came_true", "partly": "partly", "did-not": "did_not"}
"""As they are typed."""
STYLES: Final[Mapping[Outcome, str]] = {"came_true": "green", "partly": "yellow", "did_not": "red"}


def outcome(context: Context, yarrow: Yarrow) -> int:
    options = context.options
    stored = yarrow.record_outcome(options.thread, OUTCOMES[options.outcome], note=options.note, run_id=options.run)
    if options.json:
        context.document(stored)
    else:
        context.out.print(outcome_line(context.words, stored))
    return 0


def outcome_line(words: Words, stored: Mapping[str, Any]) -> Text:
    """Return a line with the outcome of a session and its note."""
    text = Text(words(stored["outcome"]), style=STYLES[stored["outcome"]])
    return text.append(f"  {harmless(stored['note'])}", style="default") if stored["note"] else text


def record(context: Context, yarrow: Yarrow) -> int:
    kept = yarrow.sessions(limit=1).get("record")
    if context.options.json:
        context.document(kept)
        return 0
    out, words = context.out, context.words
    if kept is None:
        out.print(words("no_record"))
        return 0
    counts: dict[Outcome, int] = {
        "came_true": kept["cameTrue"],
        "partly": kept["partly"],
        "did_not": kept["didNot"],
    }
    for name, count in counts.items():
        out.print(Text(f"{count:>4}  ", style="bold").append(words(name), style=f"{STYLES[name]} not bold"))
    out.print(rate(words, kept))
    return 0


def rate(words: Words, record: Record) -> str:
    """Return a line with the share of outcomes that came true."""
    count = record["cameTrue"] + record["partly"] + record["didNot"]
    return words("rate", percent=round(record["rate"] * 100), count=count)
