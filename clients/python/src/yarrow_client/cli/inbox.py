"""`yarrow inbox` lists what agents ask, `yarrow answer` answers one of it."""

import json
from collections.abc import Mapping
from typing import Any

from rich.text import Text

from yarrow_client.cli.actions import Context, Failed, follow
from yarrow_client.cli.input import harmless
from yarrow_client.sync_client import Yarrow


def inbox(context: Context, yarrow: Yarrow) -> int:
    page = yarrow.interrupts(limit=context.options.limit, after=context.options.after)
    if context.options.json:
        context.document(page)
        return 0
    for interrupt in page["interrupts"]:
        context.out.print(Text(interrupt["id"], style="bold").append(f"  {interrupt['agent']}", style="not bold dim"))
        context.out.print(Text(f"  {harmless(interrupt['message'])}"))
        for option in interrupt.get("metadata", {}).get("options", ()):
            context.out.print(Text(f"  - {harmless(_label(option))}", style="dim"))
    if not page["interrupts"]:
        context.out.print(context.words("no_questions"))
    return 0


def _label(option: Mapping[str, Any]) -> str:
    label = option.get("label")
    return str(option["value"]) if label is None else f"{option['value']}: {label}"


def answer(context: Context, yarrow: Yarrow) -> int:
    """Answer a question, and show the run that goes on."""
    options = context.options
    accepted = yarrow.answer(options.question, _payload(context), cancel=options.cancel)
    return follow(context, yarrow, accepted["threadId"], accepted["runId"])


def _payload(context: Context) -> Any:
    options = context.options
    if options.yes or options.no:
        reason = {"reason": options.reason} if options.no and options.reason else {}
        return {"approved": bool(options.yes), **reason}
    if options.form is None:
        return options.text
    try:
        return json.loads(options.form)
    except ValueError as error:
        raise Failed(f"--form: {error}") from error
