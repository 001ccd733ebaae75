"""`yarrow new`: names, what is refused, and the texts in three languages."""

import json
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from yarrow_client.cli import command
from yarrow_client.cli.words import LANGUAGES
from yarrow_client.starter import FRAMEWORKS, NotAName, clone_near, files


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def new(*arguments: str) -> int:
    return command.run(["new", *arguments])


def test_a_project_is_written_and_the_next_command_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new("support", "--framework", "pydantic_ai", "--lang", "en") == 0
    assert {path.name for path in (here / "support").iterdir()} == set(files("support", "pydantic_ai"))
    shown = capsys.readouterr().out
    assert "support is an agent of Pydantic AI" in shown
    assert "support/test_support.py" in shown
    assert "cd support && make test run\n" in shown


def test_the_makefile_names_the_clone_that_the_command_is_from(here: Path) -> None:
    new("support")
    (named,) = [line for line in (here / "support/Makefile").read_text().splitlines() if line.startswith("YARROW ?= ")]
    assert (here / "support" / named.removeprefix("YARROW ?= ")).resolve() == ROOT


def test_without_a_clone_one_has_to_be_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("yarrow_client.starter.project.__file__", str(here / "site-packages/project.py"))
    assert clone_near(here) is None
    monkeypatch.setattr("yarrow_client.cli.new.clone_near", lambda _: None)
    new("support", "--lang", "en")
    assert "make test run YARROW=" in capsys.readouterr().out
    assert "YARROW ?= \n" in (here / "support/Makefile").read_text()


@pytest.mark.parametrize(
    ("name", "framework", "offered"),
    [
        ("My-Agent", "plain", "my_agent"),
        ("客服", "plain", "my_agent"),
        ("9lives", "plain", "my_agent"),
        ("class", "plain", "my_agent"),
        ("json", "plain", "json_agent"),
        ("assistant", "plain", "assistant_agent"),
        ("langgraph", "langgraph", "langgraph_agent"),
        ("ag_ui", "pydantic_ai", "ag_ui_agent"),
    ],
)
def test_a_name_that_would_not_work_is_refused_with_one_that_does(name: str, framework: str, offered: str) -> None:
    """A module of the agent's name would hide the package that the agent imports."""
    with pytest.raises(NotAName) as refused:
        files(name, framework)
    assert str(refused.value) == offered
    assert files(offered, framework)


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_are_told_in_each_language_and_write_nothing(
    language: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "support").mkdir()
    assert new("support", "--lang", language) == command.USAGE
    assert new("My-Agent", "--lang", language) == command.USAGE
    assert new("missing/support", "--lang", language) == command.USAGE
    exists, name, missing = capsys.readouterr().err.splitlines()
    assert exists.startswith("support ")
    assert "my_agent" in name
    assert "missing/support" in missing
    assert [path.name for path in here.rglob("*")] == ["support"]


def test_scripts_get_a_document(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new("support", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {"folder": "support", "files": sorted(files("support", "plain"))}


def test_the_help_names_every_framework(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        new("--help")
    shown = " ".join(capsys.readouterr().out.split())
    assert all(f"{name}: {framework.title}" in shown for name, framework in FRAMEWORKS.items())
    assert "--url" not in shown
