"""The packages of an AgentsLayer: beside those of the layers, at their versions."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import agents_layer

REQUIREMENTS = Path("agents.txt")


def test_what_a_layer_has_is_a_constraint_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def locked(requirements: Path, constraints: Path, options: Sequence[str]) -> dict[str, str]:
        assert (requirements, options) == (REQUIREMENTS, ["--platform", "x"])
        seen.extend(constraints.read_text(encoding="utf-8").splitlines())
        return {name: f"{name}==1 --hash=sha256:0\n" for name in ("langgraph", "pydantic", "openai")}

    monkeypatch.setattr(agents_layer, "locked", locked)
    options = ["--platform", "x"]
    assert agents_layer.needed(REQUIREMENTS, ["core", "models"], options) == ["langgraph==1 --hash=sha256:0\n"]
    assert {name.partition("==")[0] for name in seen} >= {"pydantic", "openai", "opentelemetry-api"}
    assert all("--hash" not in pin for pin in seen)
    beside_core = agents_layer.needed(REQUIREMENTS, ["core"], options)
    assert [line.partition("==")[0] for line in beside_core] == ["langgraph", "openai"]


def test_a_conflict_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(*_: object) -> dict[str, str]:
        raise subprocess.CalledProcessError(1, "pip")

    text = (
        "Collecting a\n\nThe conflict is caused by:\n    a depends on b<2\n    The user requested b==2\n\nTo fix this\n"
    )
    monkeypatch.setattr(agents_layer, "locked", fails)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, text, ""))
    assert agents_layer.main("agents.txt", "core", []) == 1
    assert capsys.readouterr().err.splitlines() == [
        "The conflict is caused by:",
        "    a depends on b<2",
        "    The user requested b==2",
        "these packages do not fit the layers: docs/agents-layer.md says what to do",
    ]
