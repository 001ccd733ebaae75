"""The agent's test: no stack, no key, no network. A model on loopback says what it is told."""

import pytest

from yarrow.testing import call, fake_model, run


def test_it_calls_its_tool_and_answers(monkeypatch):
    for module in ["strands", "openai"]:
        pytest.importorskip(module, reason="needs the packages of requirements.txt: make test installs them")
    with fake_model(call("add", a=2, b=3), "It is 5.") as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        from strands_agent import RUNNER  # it makes its client of these

        ran = run(RUNNER, "What is 2 and 3?")
    assert (ran.text, ran.tools, ran.failure) == ("It is 5.", ("add",), None)
    result = model.requests[-1]["messages"][-1]
    assert (result["role"], result["content"]) == ("tool", "5")
