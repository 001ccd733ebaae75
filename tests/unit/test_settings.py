"""Settings that are objects are a variable's value or a file that it names."""

from pathlib import Path

import pytest

from yarrow.settings import Settings

HELP = '{"TW": {"emergency": ["119"], "lines": [{"name": "安心專線", "number": "1925"}]}}'


@pytest.mark.parametrize("in_file", [False, True])
def test_an_object_is_the_variable_or_the_file_that_it_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, in_file: bool
) -> None:
    """CMP-12: Lambda takes 4 KB of variables, a layer has room for more."""
    values = {"AGENTS_HELP_LINES": HELP, "MODELS": '{"chat": null}', "KNOWLEDGE_BASES": '{"a": {}}'}
    for name, value in values.items():
        if in_file:
            (tmp_path / name).write_text(value, encoding="utf-8")
        monkeypatch.setenv(name, str(tmp_path / name) if in_file else value)
    settings = Settings()
    assert settings.agent_config == {"help_lines": HELP}
    assert settings.models == {"chat": None}
    assert settings.knowledge_bases == '{"a": {}}'


def test_without_variables_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AGENTS_HELP_LINES", "MODELS", "KNOWLEDGE_BASES"):
        monkeypatch.setenv(name, "")
    settings = Settings()
    assert (settings.agent_config, settings.models, settings.knowledge_bases) == ({}, {}, "{}")


def test_a_file_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AGENTS_HELP_LINES", str(tmp_path / "missing.json"))
    with pytest.raises(FileNotFoundError, match=r"missing\.json"):
        _ = Settings().agent_config
