"""`yarrow history` lists the sessions, or shows one of them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rich.markdown import Markdown
from rich.text import Text

from yarrow_client.cli.actions import Context, print_line
from yarrow_client.cli.input import harmless
from yarrow_client.cli.outcomes import STYLES, outcome_line, rate
from yarrow_client.cli.plate import plate
from yarrow_client.cli.view import print_answer
from yarrow_client.sync_client import Yarrow


def history(context: Context, yarrow: Yarrow) -> int:
    options, out, words = context.options, context.out, context.words
    if options.thread:
        session = yarrow.history(options.thread)
        if options.json:
            context.document(session)
            return 0
        for message in session["messages"]:
            _print_message(context, harmless(message))
        if "outcome" in session:
            out.print(outcome_line(words, session["outcome"]))
        return 0
    page = yarrow.sessions(limit=options.limit, after=options.after)
    if options.json:
        context.document(page)
        return 0
    if not page["messages"]:
        out.print(words("no_history"))
        return 0
    for message in harmless(page["messages"]):
        when = datetime.fromisoformat(message["timestamp"]).astimezone()
        output = message.get("agent_output") or {}
        text = " ".join(output.get("conclusion") or [message["content"]])
        line = Text(f"{when:%m-%d %H:%M}  ", style="dim").append(f"{message['threadId']}  ", style="cyan not dim")
        if recorded := message.get("outcome"):
            line.append(f"{words(recorded)}  ", style=f"{STYLES[recorded]} not dim")
        line.append(" ".join(text.split()), style="default not dim")
        print_line(out, line)
    if record := page.get("record"):
        context.err.print(rate(words, record), style="dim")
    if page["hasMore"]:
        context.err.print(words("more", after=page["messages"][-1].get("threadId")), style="dim", soft_wrap=True)
    return 0


def _print_message(context: Context, message: Mapping[str, Any]) -> None:
    out, words = context.out, context.words
    if message["role"] == "user":
        out.print(Text("› ", style="cyan").append(message["content"], style="bold"))
        out.print()
        return
    output = message.get("agent_output") or {}
    if divination := output.get("divination_derived"):
        out.print(plate(divination, words, out.width))
        out.print()
    if output:
        print_answer(out, words, message["content"], output)
    else:
        out.print(Markdown(message["content"]))
        out.print()
