"""Runs a command of `yarrow`, and its exit codes."""

import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Final, TextIO, cast

from rich.console import Console

from yarrow_client.cli.actions import Context, Failed, add_message, cancel, cast_and_read, delete, tail, upload, watch
from yarrow_client.cli.chat import chat
from yarrow_client.cli.completion import script
from yarrow_client.cli.history import history
from yarrow_client.cli.inbox import answer, inbox
from yarrow_client.cli.input import harmless
from yarrow_client.cli.jobs import jobs
from yarrow_client.cli.new import new
from yarrow_client.cli.outcomes import outcome, record
from yarrow_client.cli.parser import parser
from yarrow_client.cli.service import Tokens, Unset
from yarrow_client.cli.words import Words, language_asked
from yarrow_client.errors import Dropped, Refused
from yarrow_client.sync_client import Yarrow

FINISHED, RUN_FAILED, USAGE, REFUSED, DROPPED, INTERRUPTED = 0, 1, 2, 3, 4, 130
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
    "add": add_message,
    "cancel": cancel,
    "delete": delete,
    "jobs": jobs,
    "upload": upload,
}


def run(arguments: Sequence[str]) -> int:
    """Run a command, and return the exit code."""
    words = Words(language_asked(arguments))
    known = parser(words)
    options = known.parse_args(arguments)
    if (
        options.command == "jobs"
        and options.job is None
        and any((options.start, options.pause, options.resume, options.delete))
    ):
        known.error(words("name_the_job"))
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
        code = refused.code or refused.status
        _say(err, words("refused", message=words.problem(code, str(refused)), code=code))
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
