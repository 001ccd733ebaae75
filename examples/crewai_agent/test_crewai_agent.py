"""The agent's test: no stack, no key, no network. A model on loopback says what it is told."""

import pytest

from yarrow.testing import fake_model, run


def test_it_answers_with_what_its_model_says(monkeypatch):
    for module in ["crewai"]:
        pytest.importorskip(module, reason="needs the packages of requirements.txt: make test installs them")
    with fake_model("It is 5.") as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        from crewai_agent import RUNNER  # it makes its client of these

        ran = run(RUNNER, "What is 2 and 3?")
    assert (ran.text, ran.failure) == ("It is 5.", None)
    assert "What is 2 and 3?" in model.requests[-1]["messages"][-1]["content"]
