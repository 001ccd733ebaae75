"""The commands, except `chat` and `history`, which have their own modules."""

import argparse
import json
import sys
import uuid
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx2
from rich.console import Console
from rich.text import Text

from yarrow_client.cli.coins import NotLines, line_of, lines_at, read_lines, throw, throw_six
from yarrow_client.cli.input import ask, harmless
from yarrow_client.cli.solar_time import NotLongitude, read_longitude, solar_time, zone_name
from yarrow_client.cli.view import RunView
from yarrow_client.cli.words import Words
from yarrow_client.effects import Event
from yarrow_client.errors import Dropped
from yarrow_client.run_input import Line, cast_input
from yarrow_client.sync_client import Yarrow
from yarrow_client.transport import BROKEN

INTERRUPTED: Final = 130


class Failed(Exception):
    """An argument cannot be used."""


class Context:
    """The options, texts and outputs of a command."""

    def __init__(self, options: argparse.Namespace, words: Words, out: Console, err: Console) -> None:
        self.options, self.words, self.out, self.err = options, words, out, err
        self.view: RunView | None = None

    @property
    def is_interactive(self) -> bool:
        return self.out.is_terminal and sys.stdin.isatty() and not self.options.json

    def waits(self, seconds: float, failure: Exception | None) -> None:
        """Show that the client waits before its next try."""
        if self.view is not None:
            self.view.waits(seconds, failure)

    def document(self, value: Any) -> None:
        """Print a document on one line, for scripts."""
        self.out.file.write(json.dumps(value, ensure_ascii=False) + "\n")
        self.out.file.flush()


def cast_and_read(context: Context, yarrow: Yarrow) -> int:
    options, words = context.options, context.words
    question = options.question or (ask(words("ask")) if context.is_interactive else "")
    if not question.strip():
        raise Failed(words("no_question"))
    longitude = _longitude(context)
    lines, at = _lines(context, longitude)
    thread = options.thread or str(uuid.uuid4())
    body = cast_input(
        question.strip(),
        lines,
        thread_id=thread,
        matter=options.matter,
        by_hand=bool(options.lines),
        at=_by_the_sun(at or datetime.now().astimezone(), longitude),
        time_zone=None if longitude is None else zone_name(),
    )
    accepted = yarrow.submit(body, agent="divination")
    return follow(context, yarrow, accepted["threadId"], accepted["runId"])


def _longitude(context: Context) -> float | None:
    text = context.options.longitude
    try:
        return None if text is None else read_longitude(text)
    except NotLongitude as error:
        raise Failed(context.words("no_longitude", text=text)) from error


def _by_the_sun(moment: datetime, longitude: float | None) -> datetime:
    return moment if longitude is None else solar_time(moment, longitude)


def _lines(context: Context, longitude: float | None) -> tuple[list[Line], datetime | None]:
    options, words = context.options, context.words
    if options.lines:
        try:
            return read_lines(options.lines), None
        except NotLines as error:
            raise Failed(words("no_lines", text=options.lines)) from error
    if options.time:
        try:
            moment = datetime.now() if options.time == "now" else datetime.fromisoformat(options.time)  # noqa: DTZ005
        except ValueError as error:
            raise Failed(words("no_moment", text=options.time)) from error
        at = moment.astimezone() if moment.tzinfo is None else moment
        if not (lines := lines_at(_by_the_sun(at, longitude), _solar_terms(context))):
            raise Failed(words("no_moment", text=options.time))
        return lines, at
    return throw_six(context.out, words) if context.is_interactive else [line_of(throw()) for _ in range(6)], None


def _solar_terms(context: Context) -> dict[str, Any]:
    try:
        response = httpx2.get(f"{context.options.url.rstrip('/')}/console/solar_terms.json", timeout=10)
        terms: dict[str, Any] = response.raise_for_status().json()
    except BROKEN as error:
        raise Dropped(str(error)) from error
    except (httpx2.HTTPStatusError, ValueError) as error:
        raise Failed(context.words("no_terms")) from error
    return terms


def follow(context: Context, yarrow: Yarrow, thread: str, run: str, after: int = 0) -> int:
    """Show a run to its end; Ctrl-C asks whether to cancel it, or prints how to watch it again."""
    view = context.view = RunView(context.out, context.words, after=after)
    try:
        with closing(yarrow.watch(thread, run, after=after)) as events:
            if context.options.json:
                return list_events(context, view, events)
            ended = view.show(events)
    except KeyboardInterrupt:
        return _interrupted(context, yarrow, thread, run, f"yarrow watch {thread} {run}")
    if ended is not None and ended.type == "RUN_ERROR":
        code = str(ended.data.get("code"))
        why = context.words.problem(code, harmless(str(ended.data.get("message"))))
        words = context.words("ended", message=why, code=code)
        context.err.print(words, style="red", markup=False)
        return 1
    for question in () if ended is None else (ended.data.get("outcome") or {}).get("interrupts", ()):
        again = f"{context.words('asks')} yarrow answer {question['id']}"
        context.err.print(again, style="dim", markup=False, soft_wrap=True)
    if context.options.command == "cast":
        context.err.print(f"{context.words('kept')} yarrow history {thread}", style="dim", markup=False, soft_wrap=True)
        if view.has_reading:
            outcome = f"{context.words('turned_out')} yarrow outcome {thread} came-true"
            context.err.print(outcome, style="dim", markup=False, soft_wrap=True)
    return 0


def list_events(context: Context, view: RunView, events: Iterable[Event]) -> int:
    """Print one event a line, for scripts."""
    event = None
    for event in events:
        view.last = event.id
        context.document({"id": event.id, "event": event.data})
    return int(event is not None and event.type == "RUN_ERROR")


def _interrupted(context: Context, yarrow: Yarrow, thread: str, run: str, again: str) -> int:
    words = context.words
    answer = ""
    if context.is_interactive:
        try:
            answer = context.err.input(f"\n{words('cancel?')}", markup=False)
        except (KeyboardInterrupt, EOFError):
            context.err.print()
    if answer.strip().lower() in {"y", "yes", "是", "好"}:
        yarrow.cancel(thread, run)
        context.err.print(words("canceled"))
    else:
        context.err.print(f"{words('goes_on')} {again}", markup=False, soft_wrap=True)
    return INTERRUPTED


def watch(context: Context, yarrow: Yarrow) -> int:
    options = context.options
    return follow(context, yarrow, options.thread, options.run, options.after)


def tail(context: Context, yarrow: Yarrow) -> int:
    options, out = context.options, context.out
    view = context.view = RunView(out, context.words, after=options.after)
    try:
        with closing(yarrow.watch(options.thread, options.run, after=options.after)) as events:
            if options.json:
                return list_events(context, view, events)
            for event in events:
                view.last = event.id
                _print_event(out, event)
                if event.type == "RUN_ERROR":
                    return 1
    except KeyboardInterrupt:
        again = f"yarrow tail {options.thread} {options.run} --after {view.last}"
        return _interrupted(context, yarrow, options.thread, options.run, again)
    return 0


_EVENT_COLOURS: Final = {"RUN": "bold", "STEP": "dim", "TEXT": "cyan", "TOOL": "yellow", "REASONING": "magenta"}


def _print_event(out: Console, event: Event) -> None:
    rest = {name: harmless(value) for name, value in event.data.items() if name not in {"type", "threadId", "runId"}}
    line = Text(f"{event.id:>5}  ", style="dim")
    line.append(f"{event.type:<22}", style=_EVENT_COLOURS.get(event.type.split("_")[0], "green"))
    line.append(" " + json.dumps(rest, ensure_ascii=False) if rest else "", style="default not dim")
    print_line(out, line)


def delete(context: Context, yarrow: Yarrow) -> int:
    thread = context.options.thread
    if not sure(context, "delete?"):
        return 0
    yarrow.delete_session(thread)
    if context.options.json:
        context.document({"threadId": thread, "deleted": True})
    else:
        context.out.print(context.words("deleted"))
    return 0


def sure(context: Context, question: str) -> bool:
    """Ask whether to do what cannot be undone; `--yes` says so before. Raises Failed where nobody can be asked."""
    if context.options.yes:
        return True
    if not context.is_interactive:
        raise Failed(context.words("say_yes"))
    return ask(context.words(question)).lower() in ("y", "yes")


def print_line(out: Console, line: Text) -> None:
    """Print one line, cut at the terminal's width; uncut in a pipe."""
    if out.is_terminal:
        line.truncate(out.width, overflow="ellipsis")
    out.print(line, soft_wrap=True)


def add_message(context: Context, yarrow: Yarrow) -> int:
    options = context.options
    added = yarrow.add_message(options.thread, options.run, options.message, message_id=options.id)
    if options.json:
        context.document(added)
    else:
        context.out.print(context.words("added"))
    return 0


def cancel(context: Context, yarrow: Yarrow) -> int:
    options = context.options
    accepted = yarrow.cancel(options.thread, options.run)
    if options.json:
        context.document({"threadId": options.thread, "runId": options.run, "accepted": accepted})
    else:
        context.out.print(context.words("canceled" if accepted else "already_ended"))
    return 0


def upload(context: Context, yarrow: Yarrow) -> int:
    options = context.options
    path = Path(options.file)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Failed(context.words("no_file", path=path)) from error
    attachment = yarrow.upload(options.thread or str(uuid.uuid4()), content, path.name)
    if options.json:
        context.document(attachment)
        return 0
    for name, value in attachment.items():
        context.out.print(Text(f"{name:<10}", style="dim").append(str(value), style="not dim"), soft_wrap=True)
    return 0
