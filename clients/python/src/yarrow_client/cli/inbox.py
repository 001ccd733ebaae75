"""`yarrow inbox` lists what agents ask, `yarrow answer` answers one of it."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from rich.text import Text

from yarrow_client.cli.actions import Context, Failed, follow
from yarrow_client.cli.input import ask, harmless
from yarrow_client.sync_client import Yarrow

MOST: Final = 100
"""Open questions among which one is looked for."""

_YES: Final = frozenset({"y", "yes", "是", "好"})
_NO: Final = frozenset({"n", "no", "否", "不"})
_WAYS: Final = {
    "confirmation": "--yes | --no [--reason …]",
    "choice": "--text …",
    "text": "--text …",
    "form": "--form …",
}

Question = Mapping[str, Any]


def inbox(context: Context, yarrow: Yarrow) -> int:
    page = yarrow.interrupts(limit=context.options.limit, after=context.options.after)
    if context.options.json:
        context.document(page)
        return 0
    for question in page["interrupts"]:
        _show(context, question)
        way = Text(f"  yarrow answer {question['id']} {_WAYS[question['kind']]}", style="dim")
        context.out.print(way, soft_wrap=True)
    if not page["interrupts"]:
        context.out.print(context.words("no_questions"))
    if page.get("hasMore"):
        context.err.print(
            f"{context.words('more_questions')} yarrow inbox --after {page.get('next')}", style="dim", soft_wrap=True
        )
    return 0


def _show(context: Context, question: Question) -> None:
    until = datetime.fromisoformat(question["expiresAt"]).astimezone().strftime("%Y-%m-%d %H:%M")
    heading = Text(harmless(question["message"]), style="bold")
    context.out.print(heading)
    context.out.print(Text(f"  {question['agent']} · {context.words('until')} {until}", style="dim"))
    details = question.get("metadata") or {}
    if "toolName" in details:
        arguments = json.dumps(details.get("arguments"), ensure_ascii=False)
        context.out.print(Text(f"  {harmless(details['toolName'])} {harmless(arguments)}"), soft_wrap=True)
    for option in details.get("options", ()):
        context.out.print(Text(f"  - {harmless(_label(option))}"))


def _label(option: Mapping[str, Any]) -> str:
    label = option.get("label")
    return str(option["value"]) if label is None else f"{option['value']}: {label}"


def answer(context: Context, yarrow: Yarrow) -> int:
    """Answer a question, and show the run that goes on; without a way to, ask for the answer."""
    options = context.options
    has_way = options.yes or options.no or options.cancel or options.text is not None or options.form is not None
    if has_way and options.question is not None:
        accepted = yarrow.answer(options.question, _payload(context), cancel=options.cancel)
        return follow(context, yarrow, accepted["threadId"], accepted["runId"])
    question = _wanted(context, yarrow, options.question, alone=has_way)
    if question is None:
        context.out.print(context.words("no_questions"))
        return 0
    payload = _payload(context) if has_way else _asked(context, question)
    accepted = yarrow.answer(question["id"], payload, cancel=options.cancel)
    return follow(context, yarrow, accepted["threadId"], accepted["runId"])


def _wanted(context: Context, yarrow: Yarrow, question_id: str | None, *, alone: bool) -> Question | None:
    """Return the question with this id, or the newest one; the only one if it has to be `alone`."""
    found: list[Any] = yarrow.interrupts(limit=MOST)["interrupts"]
    if question_id is not None:
        found = [question for question in found if question["id"] == question_id]
        if not found:
            raise Failed(context.words("no_such_question"))
    if alone and len(found) > 1:
        raise Failed(context.words("which_question"))
    return found[0] if found else None


def _asked(context: Context, question: Question) -> Any:
    """Ask for the answer in the terminal."""
    if not context.is_interactive:
        raise Failed(context.words("how_to_answer", ways=_WAYS[question["kind"]]))
    _show(context, question)
    schema = question["responseSchema"]
    match question["kind"]:
        case "confirmation":
            if _yes_or_no(context):
                return {"approved": True}
            reason = ask(context.words("why_not"))
            return {"approved": False, **({"reason": reason.strip()} if reason.strip() else {})}
        case "choice":
            return _choice(context, schema["enum"])
        case "text":
            return ask("> ")
    return _form(schema)


def _yes_or_no(context: Context) -> bool:
    while True:
        said = ask(context.words("yes_or_no")).strip().lower()
        if said in _YES | _NO:
            return said in _YES


def _choice(context: Context, values: list[Any]) -> Any:
    for number, value in enumerate(values, 1):
        context.out.print(Text(f"  {number}  {harmless(str(value))}"))
    while True:
        said = ask("> ").strip()
        if said.isdecimal() and 0 < int(said) <= len(values):
            return values[int(said) - 1]
        if said in values:
            return said


def _form(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for each member of an object; empty ones that are not required are left out."""
    form: dict[str, Any] = {}
    for name, part in schema.get("properties", {}).items():
        while True:
            said = ask(f"{harmless(part.get('title', name))}{_hint(part)}: ").strip()
            if not said and "default" in part:
                form[name] = part["default"]
            elif said:
                form[name] = _read(said, part)
            elif name in schema.get("required", ()):
                continue
            break
    return form


def _hint(part: Mapping[str, Any]) -> str:
    values = part.get("enum", ())
    listed = f" ({', '.join(map(str, values))})" if values else ""
    return f"{listed} [{part['default']}]" if "default" in part else listed


def _read(said: str, part: Mapping[str, Any]) -> Any:
    """Read a member: texts as they are, others as JSON if they are JSON; the service says what is wrong."""
    if part.get("type") == "string":
        return said
    if part.get("type") == "boolean":
        return said.lower() in _YES | {"true"}
    if said in part.get("enum", ()):
        return said
    try:
        return json.loads(said)
    except ValueError:
        return said


def _payload(context: Context) -> Any:
    options = context.options
    if options.yes or options.no:
        reason = {"reason": options.reason} if options.no and options.reason else {}
        edited = {"editedArgs": _json(options.arguments, "--arguments")} if options.yes and options.arguments else {}
        return {"approved": bool(options.yes), **reason, **edited}
    return options.text if options.form is None else _json(options.form, "--form")


def _json(text: str, option: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Failed(f"{option}: {error}") from error
