"""The pages of tools and knowledge: their packages, served by the local stack from their folders."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT
from tests.support.projects import answer
from tests.support.stack.process import running
from yarrow.protocol.runner.tools import TimeZones, ToolContext


def page(name: str) -> str:
    return (ROOT / f"docs/package-{name}.md").read_text(encoding="utf-8")


def package(name: str, into: Path) -> Path:
    """Write the files that a page shows, and return their folder."""
    shown: list[tuple[str, str]] = re.findall(
        r"^`([a-z]+/[\w.]+)`[^\n]*\n\n```\w+\n(.*?)^```", page(name), re.MULTILINE | re.DOTALL
    )
    for path, text in shown:
        (into / path).parent.mkdir(exist_ok=True)
        (into / path).write_text(text, encoding="utf-8")
    return into / shown[0][0].partition("/")[0]


def commands(name: str) -> tuple[str, str, str]:
    """Return the folder, the agent and the message of a page's two commands."""
    (folder,) = re.findall(r"^AGENT=(\w+) make run$", page(name), re.MULTILINE)
    ((agent, message),) = re.findall(r"^\.venv/bin/yarrow chat --agent (\w+) '(.*)'$", page(name), re.MULTILINE)
    return folder, agent, message


def result_of(url: str, agent: str, message: str) -> Any:
    events = answer(url, agent, message)
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    (result,) = (event for event in events if event["type"] == "TOOL_CALL_RESULT")
    return json.loads(result["content"])


@pytest.fixture
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with running(environment={"AGENT": str(package(request.param, tmp_path)), "MODELS": ""}) as url:
        yield url


@pytest.mark.parametrize("served", ["tools"], indirect=True)
def test_a_tool_of_a_package_is_called_by_the_agent_whose_block_names_it(served: str) -> None:
    """AGT-03."""
    folder, agent, message = commands("tools")
    assert folder == "orders"
    assert result_of(served, agent, message) == {"order": "A-7", "status": "shipped"}


@pytest.mark.parametrize("served", ["knowledge"], indirect=True)
def test_a_knowledge_base_of_a_package_is_searched_by_the_agent_whose_block_names_it(served: str) -> None:
    """AGT-03."""
    folder, agent, message = commands("knowledge")
    assert folder == "handbook"
    (passage, *_) = result_of(served, agent, message)["passages"]
    assert passage["id"] == "hours"
    assert "from nine to six" in passage["content"]


def test_a_tool_is_tested_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (call,) = re.findall(r"`(ToolContext\(.*?\))`\.", page("tools"))
    monkeypatch.syspath_prepend(str(package("tools", tmp_path)))
    from orders import STATUS, order_status  # type: ignore[import-not-found]

    context = eval(call, {"ToolContext": ToolContext, "TimeZones": TimeZones})  # noqa: S307 (a page of this repository)
    assert order_status(context, "A-7")["status"] == STATUS["A-7"]
    assert order_status(context, "B-1")["status"] == "unknown"
