"""The guide for clients names the versions that the tests install."""

import json
import re

import pytest

from tests.support.paths import ROOT

INSTALLED: dict[str, str] = json.loads((ROOT / "tests/clients/package.json").read_text(encoding="utf-8"))[
    "dependencies"
]
PAGE = (ROOT / "docs/clients.md").read_text(encoding="utf-8")
TESTED = " ".join(re.findall(r"^Tested in .*?\n$", PAGE, re.MULTILINE | re.DOTALL)[0].split())


def test_every_released_client_of_ag_ui_is_named() -> None:
    versions = [text.rpartition("@")[2] for text in INSTALLED.values() if "@ag-ui/client@" in text]
    assert len(versions) >= 3
    assert f"`@ag-ui/client` {', '.join(versions)};" in TESTED


@pytest.mark.parametrize(
    ("package", "named"),
    [
        ("@copilotkit/runtime", "runtime"),
        ("@copilotkit/react-core", "react-core"),
        ("@assistant-ui/react-ag-ui", "react-ag-ui"),
        ("@tanstack/ai-client", "ai-client"),
    ],
)
def test_a_front_end_is_named_with_its_version(package: str, named: str) -> None:
    assert re.search(rf"\b{named} {re.escape(INSTALLED[package])}\b", TESTED)
