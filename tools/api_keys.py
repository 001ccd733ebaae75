"""Manages API keys: `python -m tools.api_keys --stack STACK create USER LABEL`, `list`, `revoke ID`.

It uses the caller's AWS credentials and region. A key is shown once, when it is created. See `docs/identity.md`.
"""

import argparse
import sys
from collections.abc import Iterable

from tools.deployment import use
from yarrow.store import api_keys
from yarrow.store.api_keys import StoredApiKey
from yarrow.web.api_keys import create


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.api_keys", description=__doc__)
    parser.add_argument("--stack", required=True, help="the name of the deployment's stack")
    commands = parser.add_subparsers(dest="command", required=True)
    creating = commands.add_parser("create", help="create a key and print it once")
    creating.add_argument("user", help="the user it acts as: the `sub` of their tokens")
    creating.add_argument("label", help="a label for the key")
    creating.add_argument("--operate", action="store_true", help="let it see what all users use")
    listing = commands.add_parser("list", help="list all keys, or those of a user, without their secrets")
    listing.add_argument("user", nargs="?")
    revoking = commands.add_parser("revoke", help="revoke a key, or every key of a user")
    which = revoking.add_mutually_exclusive_group(required=True)
    which.add_argument("id", nargs="?")
    which.add_argument("--user")
    options = parser.parse_args(arguments)
    use(options.stack)
    match options.command:
        case "create":
            return _create(options.user, options.label, operates=options.operate)
        case "list":
            return _list(api_keys.every(options.user))
        case _:
            return _revoke([options.id] if options.id else [key.id for key in api_keys.every(options.user)])


def _create(user: str, label: str, *, operates: bool) -> int:
    try:
        _, key = create(user, label, operates=operates)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{key}\n")
    return 0


def _list(keys: Iterable[StoredApiKey]) -> int:
    for key in keys:
        state = f"revoked {key.revoked_at}" if key.revoked_at else "good, of an operator" if key.operates else "good"
        columns = (key.id, f"…{key.last_four}", key.user_id, key.label, f"created {key.created_at}", state)
        sys.stdout.write("\t".join(columns) + "\n")
    return 0


def _revoke(ids: Iterable[str]) -> int:
    unknown = [key_id for key_id in ids if not api_keys.revoke(key_id)]
    for key_id in unknown:
        sys.stderr.write(f"there is no key {key_id}\n")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
