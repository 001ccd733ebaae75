"""The flagship run, byte for byte: what the journal held before runs went through a runner host, it holds now.

`vectors/divination_run.jsonl` was recorded with the code of commit 8ffebca, which called the divination agent directly.
A line is one session: its caller, and its runs with the request's body and every event as it was stored. Only the ids
of messages are random; `message-1` stands for a run's first. Since then one follow-up has got its
caution (CARE-04), and the words of readings and follow-ups answer the question first, with civil dates, note 神煞,
tell the month from these days and a later time from the one asked about, say that one may come back after the date,
take a "when" of unknown polarity as neither hope nor fear, weigh more what the asker's own line is, are said in one of
several ways by the cast, tell each reason once, in plain words first, and answer in the words of the question with one
reason, one time and one piece of advice, by the form of the question, and a follow-up by what it does in the
conversation.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from moto import mock_aws

from local import resources, template
from local.__main__ import TEMPLATE
from local.stack import REGION
from tests.support.functions.deployment import configured
from tests.support.journals import numbered
from tests.support.paths import ROOT
from yarrow.protocol.caller import Caller
from yarrow.runs.submit_run import submit_run
from yarrow.worker import execute_run

SESSIONS = [
    json.loads(line) for line in (ROOT / "tests/vectors/divination_run.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture
def _deployed() -> Iterator[None]:
    """What the template makes, in moto; no model is configured."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})
    with configured(stack, AWS_ENDPOINT_URL_DYNAMODB=f"https://dynamodb.{REGION}.amazonaws.com"), mock_aws():
        resources.create(stack)
        yield


@pytest.mark.usefixtures("_deployed")
@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["caller"]["locale"])
def test_a_divination_is_told_as_it_was_before_there_was_a_host(session: dict[str, Any]) -> None:
    """CMP-01, DIV-11, EVT-07, EVT-08, EVT-25, RNR-13, RNR-24: The recorded runs are casts and follow-ups, in Chinese
    and in English."""
    for run in session["runs"]:
        run_key = submit_run(json.dumps(run["body"]).encode(), Caller("alice", **session["caller"])).task_id
        execute_run.work(run_key)
        assert _with_placeholders([line for _, line in numbered(run_key)]) == run["events"]


def _with_placeholders(lines: list[str]) -> list[str]:
    ids = dict.fromkeys(event["messageId"] for event in map(json.loads, lines) if "messageId" in event)
    for number, message_id in enumerate(ids, 1):
        lines = [line.replace(message_id, f"message-{number}") for line in lines]
    return lines
