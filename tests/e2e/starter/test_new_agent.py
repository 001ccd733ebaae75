"""Projects of `yarrow new`: their own tests, and their agents on the local stack with a model on loopback."""

import subprocess
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.projects import SECONDS, answer, needs, own_test_of, pieces, served, written
from tools.make_examples import name_of
from yarrow.testing import call, fake_model
from yarrow.testing.__main__ import ANSWER
from yarrow_client.starter import FRAMEWORKS

SERVED = [name for name, framework in FRAMEWORKS.items() if framework.deployment != "image"]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_new_project_passes_its_own_test(framework: str, tmp_path: Path) -> None:
    """AGT-04."""
    needs(framework)
    assert "1 passed" in own_test_of(written(tmp_path, framework))


@pytest.mark.parametrize("framework", [name for name, entry in FRAMEWORKS.items() if entry.modules])
def test_without_its_framework_the_test_is_skipped_and_says_what_is_needed(framework: str, tmp_path: Path) -> None:
    folder = written(tmp_path, framework)
    missing = FRAMEWORKS[framework].modules[-1]
    (folder / f"{missing}.py").write_text(f"raise ModuleNotFoundError('No module named {missing}', name='{missing}')\n")
    shown = own_test_of(folder)
    assert "1 skipped" in shown
    assert "needs the packages of requirements.txt: make test installs them" in " ".join(shown.split())


@pytest.mark.parametrize("framework", SERVED)
def test_an_example_is_served_and_streams_what_its_model_says(framework: str, tmp_path: Path) -> None:
    """AGT-04: as an agent of the local stack, with the grants of its block."""
    needs(framework)
    uses_tool = FRAMEWORKS[framework].test == "tool"
    says = (call("add", a=2, b=3), "It is 5.") if uses_tool else ("It is 5.",)
    folder = ROOT / "examples" / name_of(framework)
    with fake_model(*says) as model:
        key = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": model.url}
        with served(folder, tmp_path, **key) as url:
            events = answer(url, folder.name, "What is 2 and 3?")
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    assert "".join(pieces(events)) == "It is 5."
    assert len(pieces(events)) > 1 or framework == "plain"
    assert [event["toolCallName"] for event in events if event["type"] == "TOOL_CALL_START"] == ["add"] * uses_tool
    assert "What is 2 and 3?" in str(model.requests[0]["messages"][-1]["content"])


def test_without_a_key_a_script_answers_says_so_and_calls_tools(tmp_path: Path) -> None:
    with served(written(tmp_path, "pydantic_ai"), tmp_path) as url:
        assert "".join(pieces(answer(url, "my_agent", "hello"))) == ANSWER
        called = answer(url, "my_agent", '/call add {"a": 2, "b": 3}')
    assert "".join(pieces(called)) == "The tool returned: 5"


def test_a_clone_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path, "plain")
    command = ["make", "-C", str(folder), "test", "YARROW=/nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode != 0
    assert "there is no clone of Yarrow at /nowhere: make YARROW=/path/to/yarrow" in done.stderr


@pytest.mark.parametrize("fits", [True, False])
def test_packages_that_clash_with_the_tested_versions_are_installed_without_these(fits: bool, tmp_path: Path) -> None:
    """As those of Strands, which asks for an older mcp than the tests of MCP tools."""
    folder = written(tmp_path, "agui")
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\ncase "$*" in *--constraint*) exit {int(not fits)};; esac\n'
    )
    python.chmod(0o755)
    command = ["make", "-C", str(folder), ".packages", f"PYTHON={python}", "READY=requirements.txt"]
    subprocess.run(command, capture_output=True, check=True, timeout=SECONDS)
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert ["--constraint" in line for line in calls] == ([True] if fits else [True, False])
    assert all(line.endswith("--requirement requirements.txt") for line in calls)
