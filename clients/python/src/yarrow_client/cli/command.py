"""The arguments of `yarrow`, and its exit codes."""

import argparse
import io
import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Final, TextIO, cast

from rich.console import Console

from yarrow_client.cli.actions import Context, Failed, cancel, cast_and_read, delete, tail, upload, watch
from yarrow_client.cli.chat import chat
from yarrow_client.cli.completion import SHELLS, script
from yarrow_client.cli.history import history
from yarrow_client.cli.inbox import answer, inbox
from yarrow_client.cli.input import harmless
from yarrow_client.cli.jobs import jobs
from yarrow_client.cli.new import new
from yarrow_client.cli.outcomes import OUTCOMES, outcome, record
from yarrow_client.cli.service import LOCAL, Tokens, Unset
from yarrow_client.cli.words import LANGUAGES, Words, language_of
from yarrow_client.errors import Dropped, Refused
from yarrow_client.starter import DEPLOYMENTS, FRAMEWORKS
from yarrow_client.sync_client import Yarrow

FINISHED, RUN_FAILED, USAGE, REFUSED, DROPPED, INTERRUPTED = 0, 1, 2, 3, 4, 130
_CODES: Final = (
    "exit codes: 0 done, 1 the run ended with an error, 2 wrong arguments, 3 refused by the service, "
    "4 no connection, 130 interrupted"
)
_MATTERS: Final = ("其他", "事业", "财运", "感情", "学业", "健康", "出行", "寻物", "官司")

_ACTIONS: Final[dict[str, Callable[[Context, Yarrow], int]]] = {
    "cast": cast_and_read,
    "watch": watch,
    "tail": tail,
    "history": history,
    "inbox": inbox,
    "answer": answer,
    "outcome": outcome,
    "record": record,
    "chat": chat,
    "cancel": cancel,
    "delete": delete,
    "jobs": jobs,
    "upload": upload,
}


EXAMPLES: Final = {
    "cast": 'yarrow cast "Will the move go well?" --time now',
    "watch": "yarrow watch THREAD RUN",
    "tail": "yarrow tail THREAD RUN --after 12",
    "history": "yarrow history --limit 5",
    "inbox": "yarrow inbox",
    "answer": "yarrow answer --yes",
    "outcome": 'yarrow outcome THREAD came-true --note "a week later"',
    "record": "yarrow record",
    "chat": 'yarrow chat "What time is it?"',
    "cancel": "yarrow cancel THREAD RUN",
    "delete": "yarrow delete THREAD",
    "jobs": "yarrow jobs JOB --start",
    "upload": "yarrow upload picture.png",
    "new": "yarrow new support --framework langgraph",
    "completion": "yarrow completion bash >> ~/.bashrc",
}


def parser() -> argparse.ArgumentParser:
    """Build the parser of the arguments."""
    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("--lang", choices=LANGUAGES, default=language_of(), help="default: the locale's")
    output.add_argument("--json", action="store_true", help="print JSON: a document, or one event a line")
    service = argparse.ArgumentParser(add_help=False)
    options = service.add_argument_group("service")
    options.add_argument("--url", default=os.environ.get("YARROW_URL", LOCAL), help="of the service (YARROW_URL)")
    options.add_argument("--user", default="alice", help="user on a local stack, instead of YARROW_TOKEN")
    whole = argparse.ArgumentParser(
        prog="yarrow",
        description="Cast and read hexagrams, talk with an agent or write one, watch runs.",
        epilog=_CODES,
    )
    whole.add_argument("--version", action="version", version=f"yarrow {version('yarrow-client')}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, help_: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        chosen = parents or (service, output)
        epilog = f"example: {EXAMPLES[name]}\n\n{textwrap.fill(_CODES, 79)}"
        form = argparse.RawDescriptionHelpFormatter  # keeps the example in a line
        return commands.add_parser(
            name, help=help_, description=help_, parents=chosen, epilog=epilog, formatter_class=form
        )

    casting = add("cast", "throw three coins six times and read the hexagram")
    casting.add_argument("question", nargs="?")
    how = casting.add_mutually_exclusive_group()
    how.add_argument("--lines", help="instead of coins: 6, 7, 8 or 9 for each line, the lowest first, such as 789687")
    how.add_argument("--time", metavar="WHEN", help="instead of coins: `now`, or a time such as 2026-04-03T20:30")
    casting.add_argument(
        "--longitude", metavar="DEGREES", help="by the true solar time there; east is positive, such as 87.6 or -74"
    )
    casting.add_argument(
        "--matter", choices=_MATTERS, default=_MATTERS[0], help="default: the one that the question implies"
    )
    casting.add_argument("--thread", help="the id of a new session; a UUID")
    for name, help_ in (
        ("watch", "stream a run from its start"),
        ("tail", "list the stored events of a run"),
    ):
        watching = add(name, help_)
        watching.add_argument("thread")
        watching.add_argument("run")
        watching.add_argument("--after", type=int, default=0, metavar="N", help="after the event N")
    history = add("history", "list sessions, or read one")
    history.add_argument("thread", nargs="?")
    history.add_argument("--after", metavar="THREAD", help="list the sessions after this one")
    history.add_argument("--limit", type=int, default=20)
    asked = add("inbox", "list what agents ask you")
    asked.add_argument("--after", metavar="QUESTION", help="list the questions after this one")
    asked.add_argument("--limit", type=int, default=20)
    answering = add("answer", "answer what an agent asks, and watch it go on")
    answering.add_argument("question", nargs="?", help="its id, of `yarrow inbox`; default: the newest one")
    way = answering.add_mutually_exclusive_group()
    way.add_argument("--yes", action="store_true")
    way.add_argument("--no", action="store_true")
    way.add_argument("--text", help="a text, or the value of a choice")
    way.add_argument("--form", metavar="JSON", help="what a form asks for")
    way.add_argument("--cancel", action="store_true", help="give no answer")
    answering.add_argument("--reason", help="with --no")
    answering.add_argument("--arguments", metavar="JSON", help="with --yes: call the tool with these instead")
    telling = add("outcome", "record how the reading of a session turned out")
    telling.add_argument("thread")
    telling.add_argument("outcome", choices=OUTCOMES)
    telling.add_argument("--note", help="at most 500 characters")
    telling.add_argument("--run", metavar="RUN", help="the run of the reading; default: the latest")
    add("record", "count how readings turned out")
    talk = add("chat", "talk with an agent")
    talk.add_argument("message", nargs="?", help="send this message and exit; without it, talk until Ctrl-D")
    talk.add_argument("--thread", help="continue this session with its agent, e.g. to ask about a cast")
    talk.add_argument("--agent", help="the agent of a new session; default: the assistant")
    cancel = add("cancel", "end a run")
    cancel.add_argument("thread")
    cancel.add_argument("run")
    deleting = add("delete", "delete a session")
    deleting.add_argument("thread")
    deleting.add_argument("--yes", action="store_true", help="do not ask")
    working = add("jobs", "list automation jobs, or the runs of one")
    working.add_argument("job", nargs="?", help="its id")
    way = working.add_mutually_exclusive_group()
    way.add_argument("--start", action="store_true", help="run it now, and watch")
    way.add_argument("--pause", action="store_true")
    way.add_argument("--resume", action="store_true")
    way.add_argument("--delete", action="store_true")
    working.add_argument("--yes", action="store_true", help="do not ask before it is deleted")
    upload = add("upload", "upload a file")
    upload.add_argument("file")
    upload.add_argument("--thread", help="the session of the attachment; default: a new one")
    writing = add("new", "write the project of an agent, with its test", output)
    writing.add_argument("name", help="of the agent, and of the new folder")
    writing.add_argument(
        "--framework",
        choices=FRAMEWORKS,
        default="plain",
        help="; ".join(f"{name}: {framework.title}" for name, framework in FRAMEWORKS.items()),
    )
    writing.add_argument(
        "--deploy",
        choices=DEPLOYMENTS,
        help="in a layer of the Yarrow stack, or as a function of its own; default: what suits the framework",
    )
    writing.add_argument("--yarrow", metavar="FOLDER", help="the clone of Yarrow that runs it; default: this one")
    completing = add("completion", "print a script that completes commands and options in a shell", output)
    completing.add_argument("shell", choices=SHELLS)
    return whole


def run(arguments: Sequence[str]) -> int:
    """Run a command, and return the exit code."""
    known = parser()
    options = known.parse_args(arguments)
    if (
        options.command == "jobs"
        and options.job is None
        and any((options.start, options.pause, options.resume, options.delete))
    ):
        known.error("name the job, of yarrow jobs")
    if options.command == "completion":
        sys.stdout.write(script(options.shell, known))
        return FINISHED
    words = Words(options.lang)
    out, err = _console(sys.stdout), _console(sys.stderr)
    context = Context(options, words, out, err)
    try:
        if options.command == "new":
            return new(context)
        tokens = Tokens(options.url, options.user, words)
        with Yarrow(options.url, tokens, on_wait=context.waits) as yarrow:
            return _ACTIONS[options.command](context, yarrow)
    except Failed as failed:
        _say(err, str(failed))
        return USAGE
    except Refused as refused:
        _say(err, words("refused", message=str(refused), code=refused.code or refused.status))
        return REFUSED
    except Unset as unset:
        _say(err, str(unset))
        return USAGE
    except Dropped as dropped:
        _say(err, words("dropped", message=str(dropped)))
        return DROPPED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the pipe, such as `head`, has ended.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINISHED


class _WithoutPadding(io.TextIOBase):
    """Strips trailing spaces from the lines of a file."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(re.sub(r"[ \t]+(?=\n)", "", text))

    def flush(self) -> None:
        self._file.flush()


def _console(file: TextIO) -> Console:
    return Console(highlight=False, file=file if file.isatty() else cast(TextIO, _WithoutPadding(file)))


def _say(console: Console, text: str) -> None:
    console.print(harmless(text), style="red", markup=False, soft_wrap=True)
