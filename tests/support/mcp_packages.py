"""The packages of npm with which the MCP server is tested, where they are installed."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

_INSTALLED: Final = ROOT / ".cache/mcp-clients"


def installed() -> Path:
    """Return the folder; skips the test without it."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    if not (_INSTALLED / ".ready").exists():
        pytest.skip("needs clients of the Model Context Protocol: make mcp-clients")
    return _INSTALLED
