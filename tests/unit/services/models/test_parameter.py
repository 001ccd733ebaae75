"""The parameter `Models`: what is wrong with it is said at a function's start, in one line that names it."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic_ai.providers import infer_provider_class

from yarrow.services.models import parameter
from yarrow.services.models.parameter import EXTRAS, INCLUDED, RERANK, VARIABLES, ModelsError, check
from yarrow.settings import settings

KEYS = {name: "x" for names in VARIABLES.values() for name in names}


def checked(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODELS", text)
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    settings.__dict__.pop("models", None)
    try:
        check()
    finally:
        monkeypatch.undo()
        settings.__dict__.pop("models", None)


@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"chat": null}', json.dumps({name: f"{name}:model:x@arn:aws" for name in INCLUDED})],
)
def test_what_the_layer_has_is_accepted(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-52."""
    checked(text, monkeypatch)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{chat: null}", "Models (MODELS) is not JSON: Expecting property name enclosed in double quotes: line 1"),
        ("[]", "Models (MODELS) is not a JSON object"),
        ("/nowhere/models.json", "Models (MODELS): /nowhere/models.json: No such file or directory"),
        ('{"chat": 5}', "Models (MODELS): chat: the model is neither text nor null"),
        ('{"chat": "gpt"}', "Models (MODELS): chat: gpt is not PROVIDER:MODEL"),
        ('{"chat": "openai:"}', "Models (MODELS): chat: openai: is not PROVIDER:MODEL"),
        ('{"chat": "antropic:x"}', "Models (MODELS): chat: there is no provider antropic; is it anthropic?"),
        ('{"chat": "https://x"}', "Models (MODELS): chat: there is no provider https"),
        ('{"chat": "xai:x"}', "Models (MODELS): chat: xai: needs the package pydantic-ai-slim[xai]"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(text: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-52."""
    with pytest.raises(ModelsError) as caught:
        checked(text, monkeypatch)
    assert str(caught.value).startswith(reason)
    assert "\n" not in str(caught.value)


def test_an_extra_that_is_installed_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-52."""
    monkeypatch.setattr(parameter, "find_spec", lambda _: object())
    checked('{"chat": "anthropic:x", "reading": "google:y"}', monkeypatch)


def test_the_providers_are_those_of_pydantic_ai() -> None:
    """RNR-52: what the layer has can be imported; the others say that they need the package."""
    for name in INCLUDED - {RERANK}:
        infer_provider_class(name)
    known = set(re.findall(r"'([a-z0-9-]+)'", inspect.getsource(infer_provider_class)))
    assert set(EXTRAS) | INCLUDED - {RERANK} <= known
    for name, (module, extra) in EXTRAS.items():
        if parameter._is_installed(module):
            infer_provider_class(name)
        else:
            with pytest.raises(ImportError, match=f"`{extra}` optional group"):
                infer_provider_class(name)


def test_the_check_imports_no_provider() -> None:
    """PERF-03: it is part of every cold start of the function that works on runs."""
    code = (
        "import sys; from yarrow.services.models.parameter import check; check(); print('pydantic_ai' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"OPENAI_API_KEY": "x", "MODELS": '{"chat": "openai:x"}', "PATH": str(Path(sys.executable).parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
