"""`yarrow completion`: scripts by which shells complete commands, options and their choices, made of the parser."""

import argparse
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

SHELLS: Final = ("bash", "zsh", "fish")

_ZSH: Final = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"


@dataclass(frozen=True, slots=True)
class _Command:
    name: str
    help: str
    options: tuple[tuple[str, str], ...]
    """Each with its help."""
    choices: dict[str, tuple[str, ...]]
    """The values of an option, by its name; those of arguments are under the empty name."""
    valued: tuple[str, ...] = ()
    """The options that a value follows."""


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script for one of SHELLS, to be sourced."""
    commands, before = [*_commands(parser)], _command("", "", parser)
    if shell == "fish":
        return "\n".join(_fish(commands, before)) + "\n"
    bash = "\n".join(_bash(commands, before)) + "\n"
    return bash if shell == "bash" else _ZSH + bash


def _commands(parser: argparse.ArgumentParser) -> Iterator[_Command]:
    for action in parser._actions:  # argparse names its commands nowhere else
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help or "" for one in action._choices_actions}
            for name, command in action.choices.items():
                yield _command(name, helps[name], command)


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> _Command:
    options, valued = [], []
    choices: dict[str, tuple[str, ...]] = {}
    for action in parser._actions:
        options += [(one, action.help or "") for one in action.option_strings if one.startswith("--")]
        valued += [one for one in action.option_strings if action.nargs != 0]
        for one in action.option_strings or [""]:
            if action.choices:
                choices[one] = tuple(map(str, action.choices))
    return _Command(name, text, tuple(options), choices, tuple(valued))


def _bash(commands: list[_Command], before: _Command) -> Iterator[str]:
    """Write a function; it also serves zsh, by bashcompinit. Without an offer the shell completes files.

    Options may stand before the command: it is the first word that names one and is no option's value.
    """
    names = [one.name for one in commands]
    yield "_yarrow() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" offered="" command="" place'
    yield "  for ((place = 1; place < COMP_CWORD; place++)); do"
    yield '    case "${COMP_WORDS[place]}" in'
    yield f"      {'|'.join(before.valued)}) place=$((place + 1)) ;;"
    yield f'      {"|".join(names)}) command="${{COMP_WORDS[place]}}"; break ;;'
    yield from ("    esac", "  done", '  case "$command $before" in')
    for command in (before, *commands):
        for option, values in command.choices.items():
            if option:
                yield f"    {shlex.quote(f'{command.name} {option}')}) offered={shlex.quote(' '.join(values))} ;;"
    yield '    *) case "$command" in'
    for command in (before, *commands):
        offered = [*command.choices.get("", ()), *(name for name, _ in command.options)]
        yield f"      {shlex.quote(command.name)}) offered={shlex.quote(' '.join(offered))} ;;"
    yield from ("    esac ;;", "  esac")
    yield '  COMPREPLY=($(compgen -W "$offered" -- "$word"))'
    yield from ("}", "complete -o default -F _yarrow yarrow")


def _fish(commands: list[_Command], before: _Command) -> Iterator[str]:
    none = f"-n 'not __fish_seen_subcommand_from {' '.join(one.name for one in commands)}'"
    for command in (before, *commands):
        given = f"-n '__fish_seen_subcommand_from {command.name}'" if command.name else none
        if command.name:
            yield f"complete -c yarrow -f {none} -a {command.name} -d {_line(command.help)}"
        for name, text in command.options:
            values = command.choices.get(name)
            offered = f" -a {shlex.quote(' '.join(values))}" if values else ""
            taken = f" -x{offered}" if values else " -r" if name in command.valued else ""
            yield f"complete -c yarrow {given} -l {name.removeprefix('--')}{taken} -d {_line(text)}"
        if command.name and (values := command.choices.get("")):
            yield f"complete -c yarrow -f {given} -a {shlex.quote(' '.join(values))}"


def _line(text: str) -> str:
    r"""Quote a text for fish, whose single quotes take \' only."""
    return "'" + text.replace("%%", "%").replace("\\", "\\\\").replace("'", "\\'") + "'"
