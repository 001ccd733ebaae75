"""The terminal command `yarrow`."""

import sys


def main() -> int:
    """Run `yarrow`, which needs the extra `cli`."""
    try:
        import rich  # noqa: F401
    except ModuleNotFoundError:
        print("yarrow needs rich: pip install 'yarrow-client[cli]'", file=sys.stderr)  # noqa: T201
        return 2
    from yarrow_client.cli.command import run

    return run(sys.argv[1:])
