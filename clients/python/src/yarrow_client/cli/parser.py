"""The arguments of `yarrow`: `texts` describes them, and says what is wrong with them, in the reader's language."""

import argparse
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from functools import partial
from importlib.metadata import version
from typing import Any, Final, NoReturn, cast

from yarrow_client.cli.completion import SHELLS
from yarrow_client.cli.outcomes import OUTCOMES
from yarrow_client.cli.prose import fold
from yarrow_client.cli.service import LOCAL
from yarrow_client.cli.texts.manual import EXAMPLES
from yarrow_client.cli.words import LANGUAGES, Words
from yarrow_client.starter import DEPLOYMENTS, FRAMEWORKS

_MATTERS: Final = ("其他", "事业", "财运", "感情", "学业", "健康", "出行", "寻物", "官司")
_WIDEST: Final = 80


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the example in a line, and begins with the reader's word for usage."""

    def __init__(self, words: Words, prog: str) -> None:
        super().__init__(prog)
        self._words = words

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, self._words("usage") if prefix is None else prefix)


class _Parser(argparse.ArgumentParser):
    """A parser whose headings and errors are in the language of `words`; argparse has them in its own."""

    def __init__(self, words: Words, **options: Any) -> None:
        super().__init__(formatter_class=partial(_Formatter, words), **options)
        self._words = words
        self._positionals.title, self._optionals.title = words("arguments"), words("options")

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {self._words('error', message=self._words.mistake(message))}\n")


def _describe(parser: argparse.ArgumentParser, command: str, words: Words) -> None:
    """Give each argument its help."""
    frameworks = "; ".join(f"{name}: {framework.title}" for name, framework in FRAMEWORKS.items())
    for action in parser._actions:  # argparse lists them nowhere else
        if not isinstance(action, argparse._SubParsersAction):
            name = action.option_strings[-1] if action.option_strings else action.dest
            action.help = words.argument(command, name, frameworks=frameworks)


def _output() -> argparse.ArgumentParser:
    """Build the options of every command; they stand before the command or after it, where the later one counts."""
    output = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    output.add_argument("--lang", choices=LANGUAGES)
    output.add_argument("--json", action="store_true", default=argparse.SUPPRESS)  # a flag has a default of its own
    return output


def _service(words: Words) -> argparse.ArgumentParser:
    """Build the options of commands that ask the service, which stand where those of `_output` do."""
    service = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    options = service.add_argument_group(words("service"))
    options.add_argument("--url")
    options.add_argument("--user")
    return service


def parser(words: Words) -> argparse.ArgumentParser:
    """Build the parser of the arguments."""
    output = _output()
    service = _service(words)
    width = min(shutil.get_terminal_size().columns, _WIDEST) - 1
    codes = words("exit_codes")
    codes = textwrap.fill(codes, width) if words.language == "en" else fold(codes, width)
    both = (_service(words), _output())
    whole = _Parser(words, prog="yarrow", description=words.command(""), epilog=codes, parents=both)
    # A command's own parser would write its defaults over what was said before the command, so it has none.
    whole.set_defaults(lang=words.language, json=False, url=os.environ.get("YARROW_URL", LOCAL), user="alice")
    whole.add_argument("--version", action="version", version=f"yarrow {version('yarrow-client')}")
    kind = cast("type[argparse.ArgumentParser]", partial(_Parser, words))
    title = words("commands")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND", title=title, parser_class=kind)

    def add(name: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        chosen = parents or (service, output)
        does = words.command(name)
        epilog = f"{words('example', example=EXAMPLES[name])}\n\n{codes}"
        return commands.add_parser(name, help=does, description=does, parents=chosen, epilog=epilog)

    casting = add("cast")
    casting.add_argument("question", nargs="?")
    how = casting.add_mutually_exclusive_group()
    how.add_argument("--lines")
    how.add_argument("--time", metavar="WHEN")
    casting.add_argument("--longitude", metavar="DEGREES")
    casting.add_argument("--matter", choices=_MATTERS, default=_MATTERS[0])
    casting.add_argument("--thread")
    for name in ("watch", "tail"):
        watching = add(name)
        watching.add_argument("thread")
        watching.add_argument("run")
        watching.add_argument("--after", type=int, default=0, metavar="N")
    history = add("history")
    history.add_argument("thread", nargs="?")
    history.add_argument("--after", metavar="THREAD")
    history.add_argument("--limit", type=int, default=20)
    asked = add("inbox")
    asked.add_argument("--after", metavar="QUESTION")
    asked.add_argument("--limit", type=int, default=20)
    answering = add("answer")
    answering.add_argument("question", nargs="?")
    way = answering.add_mutually_exclusive_group()
    way.add_argument("--yes", action="store_true")
    way.add_argument("--no", action="store_true")
    way.add_argument("--text")
    way.add_argument("--form", metavar="JSON")
    way.add_argument("--cancel", action="store_true")
    answering.add_argument("--reason")
    answering.add_argument("--arguments", metavar="JSON")
    telling = add("outcome")
    telling.add_argument("thread")
    telling.add_argument("outcome", choices=OUTCOMES)
    telling.add_argument("--note")
    telling.add_argument("--run", metavar="RUN")
    add("record")
    talk = add("chat")
    talk.add_argument("message", nargs="?")
    talk.add_argument("--thread")
    talk.add_argument("--agent")
    adding = add("add")
    adding.add_argument("thread")
    adding.add_argument("run")
    adding.add_argument("message")
    adding.add_argument("--id")
    cancel = add("cancel")
    cancel.add_argument("thread")
    cancel.add_argument("run")
    deleting = add("delete")
    deleting.add_argument("thread")
    deleting.add_argument("--yes", action="store_true")
    working = add("jobs")
    working.add_argument("job", nargs="?")
    way = working.add_mutually_exclusive_group()
    way.add_argument("--start", action="store_true")
    way.add_argument("--pause", action="store_true")
    way.add_argument("--resume", action="store_true")
    way.add_argument("--delete", action="store_true")
    working.add_argument("--yes", action="store_true")
    upload = add("upload")
    upload.add_argument("file")
    upload.add_argument("--thread")
    writing = add("new", output)
    writing.add_argument("name")
    writing.add_argument(
        "--framework",
        choices=FRAMEWORKS,
        default="plain",
    )
    writing.add_argument(
        "--deploy",
        choices=DEPLOYMENTS,
    )
    writing.add_argument("--yarrow", metavar="FOLDER")
    completing = add("completion", output)
    completing.add_argument("shell", choices=SHELLS)
    for name, command in commands.choices.items():
        _describe(command, name, words)
    _describe(whole, "", words)
    return whole
