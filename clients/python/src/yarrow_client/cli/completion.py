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


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script for one of SHELLS, to be sourced."""
    commands = [*_commands(parser)]
    if shell == "fish":
        return "\n".join(_fish(commands)) + "\n"
    bash = "\n".join(_bash(commands)) + "\n"
    return bash if shell == "bash" else _ZSH + bash


def _commands(parser: argparse.ArgumentParser) -> Iterator[_Command]:
    for action in parser._actions:  # argparse names its commands nowhere else
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help or "" for one in action._choices_actions}
            for name, command in action.choices.items():
                yield _command(name, helps[name], command)


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> _Command:
    options = []
    choices: dict[str, tuple[str, ...]] = {}
    for action in parser._actions:
        options += [(one, action.help or "") for one in action.option_strings if one.startswith("--")]
        for one in action.option_strings or [""]:
            if action.choices:
                choices[one] = tuple(map(str, action.choices))
    return _Command(name, text, tuple(options), choices)


def _bash(commands: list[_Command]) -> Iterator[str]:
    """Write a function; it also serves zsh, by bashcompinit. Without an offer the shell completes files."""
    yield "_yarrow() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" offered=""'
    yield '  if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f"    offered={shlex.quote(' '.join([*(one.name for one in commands), '--help', '--version']))}"
    yield "  else"
    yield '    case "${COMP_WORDS[1]} $before" in'
    for command in commands:
        for option, values in command.choices.items():
            if option:
                yield f"      {shlex.quote(f'{command.name} {option}')}) offered={shlex.quote(' '.join(values))} ;;"
    yield '      *) case "${COMP_WORDS[1]}" in'
    for command in commands:
        offered = [*command.choices.get("", ()), *(name for name, _ in command.options)]
        yield f"        {command.name}) offered={shlex.quote(' '.join(offered))} ;;"
    yield from ("      esac ;;", "    esac", "  fi")
    yield '  COMPREPLY=($(compgen -W "$offered" -- "$word"))'
    yield from ("}", "complete -o default -F _yarrow yarrow")


def _fish(commands: list[_Command]) -> Iterator[str]:
    yield "complete -c yarrow -n __fish_use_subcommand -l help -l version"
    for command in commands:
        help_ = _line(command.help)
        yield f"complete -c yarrow -f -n __fish_use_subcommand -a {command.name} -d {help_}"
        given = f"-n '__fish_seen_subcommand_from {command.name}'"
        for name, text in command.options:
            values = command.choices.get(name)
            taken = f" -x -a {shlex.quote(' '.join(values))}" if values else ""
            yield f"complete -c yarrow {given} -l {name.removeprefix('--')}{taken} -d {_line(text)}"
        if values := command.choices.get(""):
            yield f"complete -c yarrow -f {given} -a {shlex.quote(' '.join(values))}"


def _line(text: str) -> str:
    r"""Quote a text for fish, whose single quotes take \' only."""
    return "'" + text.replace("%%", "%").replace("\\", "\\\\").replace("'", "\\'") + "'"
