"""Prints the `server.json` of a deployment's MCP server, for a registry: `python -m tools.mcp_registry NAME DOMAIN`.

NAME is in a namespace of yours, such as `com.example/yarrow`; DOMAIN is the deployment's own domain name. Source: the
MCP registry's `server.schema.json` of 2025-12-11.
"""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
PROJECT: Final = Path(__file__).parent.parent / "pyproject.toml"

_NAME: Final = re.compile(r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+")
_DOMAIN: Final = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}")


def document(name: str, domain: str, *, title: str = "Yarrow", description: str = "") -> dict[str, Any]:
    """Return the document. Raises ValueError for what a registry would refuse."""
    if not _NAME.fullmatch(name) or not 3 <= len(name) <= 200:
        raise ValueError("NAME must be a namespace and a name, such as com.example/yarrow")
    if not _DOMAIN.fullmatch(domain):
        raise ValueError("DOMAIN must be a domain name in lower case")
    text = description or "Agents as tools, and Liu Yao hexagrams that are cast and read by the classical rules."
    if len(text) > 100 or len(title) > 100:
        raise ValueError("title and description have at most 100 characters")
    credential = {
        "name": "Authorization",
        "description": "Bearer and an API key, for clients that do not sign in",
        "isRequired": False,
        "isSecret": True,
    }
    return {
        "$schema": SCHEMA,
        "name": name,
        "title": title,
        "description": text,
        "version": str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]),
        "remotes": [{"type": "streamable-http", "url": f"https://{domain}/mcp", "headers": [credential]}],
    }


def main(arguments: list[str] | None = None) -> int:
    """Print the document; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.mcp_registry", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("domain")
    parser.add_argument("--title", default="Yarrow")
    parser.add_argument("--description", default="", help="what the server is for, in at most 100 characters")
    options = parser.parse_args(arguments)
    try:
        found = document(options.name, options.domain, title=options.title, description=options.description)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
