"""The agent's test: no stack, no key, no network. The host's model says what it is told."""

from plain_agent import RUNNER

from yarrow.testing import run


def test_it_answers_with_what_the_model_says():
    assert run(RUNNER, "What is 2 and 3?", models=["It is 5."]).text == "It is 5."
