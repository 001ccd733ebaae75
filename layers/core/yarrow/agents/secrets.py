"""Secret references in config: `api-key: {secret: NAME}` at any depth (SEC-05, RNR-26)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_SECRET: Final = re.compile(r"secret|passw|credential|api[-_]?key|private[-_]?key|token$", re.IGNORECASE)
"""The names of members with secrets."""

_CREDENTIAL: Final = re.compile(
    r"\b(?:sk-[\w-]{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|gh[pousr]_\w{36}|xox[abprs]-[\w-]{10,}"
    r"|yk_[0-9a-f]{16}_[\w-]{43}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)"
    r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY|://[^\s/@:]{0,256}:[^\s/@]{1,256}@",
    re.ASCII,
)
"""Values that are secrets whatever their names: keys of well-known services, JWTs, passwords in URLs."""

_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9/_.-]{0,62}[A-Za-z0-9])?")


def check(config: Mapping[str, Any]) -> None:
    """Raise ValueError for a plain value that is or is named like a secret, and for a malformed reference."""
    for name, value in _members(config):
        if _is_reference(value):
            if not isinstance(value["secret"], str) or not _NAME.fullmatch(value["secret"]):
                raise ValueError(f"config.{name}: the name of a secret must have 1 to 64 letters, digits and /_.-")
        elif (isinstance(name, str) and _SECRET.search(name)) or (isinstance(value, str) and _CREDENTIAL.search(value)):
            raise ValueError(
                f"config.{name} looks like a secret: keep it elsewhere and write {{secret: NAME}} here "
                "(docs/write-a-runner.md, Secrets)"
            )


def names(config: Mapping[str, Any]) -> set[str]:
    return {value["secret"] for _, value in _members(config) if _is_reference(value)}


def filled(config: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """Return the config with its secrets filled in; none may be missing."""
    return {name: _filled(value, values) for name, value in config.items()}


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    if _is_reference(value):
        return values[value["secret"]]
    if isinstance(value, dict):
        return filled(value, values)
    return [_filled(item, values) for item in value] if isinstance(value, list) else value


def _is_reference(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"secret"}


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    """Iterate over members with their names or indexes, except members of references."""
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, member in inner:
        yield name, member
        if not _is_reference(member):
            yield from _members(member)
