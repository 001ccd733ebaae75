"""The schema of a run input and the code that checks it by hand agree: what one takes, the other takes.

What JSON Schema cannot say is left out of it here as in `run_input_schema`.
"""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from openapi_schema_validator import OAS31Validator
from schemathesis import Case, GenerationMode

from functions.openapi import ref
from tests.support.described_api import api, fitted
from tests.support.effort import examples
from tests.support.run_bodies import (
    CLIENT_TIME,
    DIVINATION,
    PICTURE,
    WHOLE,
    admitted,
    answer,
    body,
    places,
    props,
    user,
    without,
)
from tools.make_openapi import document


def schema(name: str) -> OAS31Validator:
    described = ref(name) | {"components": document()["components"]}
    return OAS31Validator(described, format_checker=OAS31Validator.FORMAT_CHECKER)


OF_AGENT = {"divination": "DivinationRunInput", "assistant": "AgentRunInput"}
SCHEMAS = {agent: schema(name) for agent, name in OF_AGENT.items()}
ANY = schema("RunAgentInput")
REQUESTS = api.find_operation_by_id("submit_run").as_strategy(generation_mode=GenerationMode.POSITIVE)


@given(REQUESTS)
@settings(max_examples=examples(24), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_the_schema_allows_is_accepted(case: Case[Any]) -> None:
    """RUN-01, RUN-21, FWD-02, DIV-01 … DIV-07: of every agent, and by the one whose it is."""
    case = fitted(case)
    assert isinstance(case.body, dict)
    assume("resume" not in case.body)  # an answer to questions has no messages
    admitted(case.body, case.query["agent"])


def plain(**changes: Any) -> dict[str, Any]:
    """What every agent takes, with other members."""
    return without(body(forwardedProps={"runtime_mode": "chat"}), "state", "tools", "context") | changes


EDGES: dict[str, dict[str, Any]] = {
    "the longest names": body(runId="r" * 128, parentRunId="p" * 128),
    "the longest question": body(messages=[user("字" * 10_000)]),
    "an empty question": body(messages=[user("")]),
    "no blocks": body(messages=[user([])]),
    "three pictures": body(messages=[user([dict(PICTURE)] * 3)]),
    "200 messages": body(messages=[user("?"), *({"id": "s", "role": "system", "content": ""} for _ in range(199))]),
    "upper case": body(threadId="550E8400-E29B-41D4-A716-446655440000"),
    "nulls": body(parentRunId=None, forwardedProps=props(client_time=None)),
    "the first moment": body(forwardedProps=props(client_time=dict(CLIENT_TIME) | {"client_epoch_ms": 1 - 2**53})),
}


@pytest.mark.parametrize("sent", EDGES.values(), ids=list(EDGES))
def test_the_edge_of_a_limit_is_within_the_schema(sent: dict[str, Any]) -> None:
    """RUN-05, RUN-08, RUN-09, RUN-13."""
    admitted(sent)
    assert SCHEMAS["divination"].is_valid(sent)
    assert ANY.is_valid(sent)


OF_ANY_AGENT: dict[str, dict[str, Any]] = {
    "no more than a message": plain(),
    "all of it": plain(state=[], tools=[], context=[], parentRunId=None),
    "nulls": plain(state=None, tools=None, context=None),
    "a picture alone": plain(messages=[user([dict(PICTURE)])]),
    "a text beside one that is blank": plain(messages=[user([{"type": "text", "text": text} for text in ("", "?")])]),
    "a job": plain(forwardedProps={"runtime_mode": "automation", "client_time": dict(CLIENT_TIME)}),
}


@pytest.mark.parametrize("sent", OF_ANY_AGENT.values(), ids=list(OF_ANY_AGENT))
def test_what_asks_for_nothing_of_its_own_is_taken_from_any_agent(sent: dict[str, Any]) -> None:
    """RUN-01, FWD-01, C36: by the assistant; it is no divination."""
    admitted(sent, "assistant")
    assert ANY.is_valid(sent)
    assert SCHEMAS["assistant"].is_valid(sent)
    assert not SCHEMAS["divination"].is_valid(sent)


BEYOND_ANY_AGENT: dict[str, dict[str, Any]] = {
    "nothing said": plain(messages=[user("")]),
    "blanks": plain(messages=[user([{"type": "text", "text": " \u3000\n"}])]),
    "no blocks": plain(messages=[user([])]),
    "a member of another agent's": plain(forwardedProps=props()),
    "a member of nobody's": plain(forwardedProps={"runtime_mode": "chat", "model": "x"}),
    "another mode": plain(forwardedProps={"runtime_mode": "dream"}),
    "tools that are none": plain(tools=[{"name": "t"}]),
}


@pytest.mark.parametrize("sent", BEYOND_ANY_AGENT.values(), ids=list(BEYOND_ANY_AGENT))
def test_what_no_agent_takes_is_outside_the_schema_of_any(sent: dict[str, Any]) -> None:
    """FWD-01, FWD-02, RUN-15."""
    assert answer(json.dumps(sent).encode(), "assistant") == 422
    assert not SCHEMAS["assistant"].is_valid(sent)


BEYOND: dict[str, dict[str, Any]] = {
    "a longer runId": body(runId="r" * 129),
    "no runId": body(runId=""),
    "another threadId": body(threadId="thread-1"),
    "a longer question": body(messages=[user("字" * 10_001)]),
    "four pictures": body(messages=[user([dict(PICTURE)] * 4)]),
    "201 messages": body(messages=[user("?"), *({"id": "s", "role": "system", "content": ""} for _ in range(200))]),
    "two questions": body(messages=[user("?"), user("?")]),
    "an answer first": body(messages=[{"id": "a", "role": "assistant"}, user("?")]),
    "no messages": body(messages=[]),
    "a picture that is none": body(messages=[user([dict(PICTURE) | {"mimeType": "text/plain"}])]),
    "a picture without url": body(messages=[user([dict(PICTURE) | {"url": ""}])]),
    "a picture with data": body(messages=[user([dict(PICTURE) | {"data": "AAAA"}])]),
    "another mode": body(forwardedProps=props(runtime_mode="automation")),
    "another member": body(forwardedProps=props(model="x")),
    "a later moment": body(forwardedProps=props(client_time=dict(CLIENT_TIME) | {"client_epoch_ms": 2**53})),
    "a blank follow-up": body(messages=[user(" ")], forwardedProps=props(runtime_mode="follow_up")),
    "no cast": body(forwardedProps={"runtime_mode": "chat"}),
    "state that is no object": body(state=[]),
    "no tools": body(tools=None),
}


@pytest.mark.parametrize("sent", BEYOND.values(), ids=list(BEYOND))
def test_what_goes_beyond_a_limit_is_outside_the_schema(sent: dict[str, Any]) -> None:
    """RUN-04 … RUN-14, RUN-21, FWD-01, FWD-02, FWD-06."""
    assert answer(json.dumps(sent).encode()) == 422
    assert not SCHEMAS["divination"].is_valid(sent)


WHOLE_OF_ANY_AGENT = WHOLE | {"forwardedProps": without(WHOLE["forwardedProps"], "divinationPayload")}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=8), values, max_size=3),
    max_leaves=6,
)


@st.composite
def mutations(draw: st.DrawFn) -> dict[str, Any]:
    """A request of the documents with some members replaced, by a neighbour's value or any other, or left out."""
    sent: dict[str, Any] = deepcopy(
        draw(st.sampled_from([json.loads(DIVINATION) | {"threadId": body()["threadId"]}, WHOLE, WHOLE_OF_ANY_AGENT]))
    )
    for _ in range(draw(st.integers(1, 2))):
        *parents, last = draw(st.sampled_from(places(sent)))
        target: Any = sent
        for parent in parents:
            target = target[parent]
        match draw(st.sampled_from(("replace", "leave out", "repeat"))):
            case "replace":
                target[last] = draw(JSON)
            case "leave out":
                del target[last]
            case _ if isinstance(target, list):
                target.append(deepcopy(target[last]))
        if not places(sent):
            break
    return sent


@given(mutations())
@example(json.loads(DIVINATION) | {"threadId": body()["threadId"]})
@settings(max_examples=examples(160), deadline=None)
def test_what_is_accepted_is_within_the_schema(sent: dict[str, Any]) -> None:
    """RUN-01, RUN-15: nothing the code takes is refused by who believes the schema."""
    for agent, described in SCHEMAS.items():
        if answer(json.dumps(sent).encode(), agent) == 202:
            described.validate(sent)
            ANY.validate(sent)
