"""Requests that schemathesis makes of the API's description, to the stack at `STACK`; `test_openapi` runs them."""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from schemathesis import Case, GenerationMode

from functions.openapi import REQUESTS
from tests.support.described_api import REQUEST_SECONDS, api, fitted, user_with_a_run

DIVINATION = REQUESTS["divination"]


@pytest.fixture(scope="module")
def alice() -> dict[str, str]:
    return user_with_a_run(os.environ["STACK"])


def with_its_cast(case: Case[Any]) -> Case[Any]:
    """A valid follow-up repeats the session's cast, if any (else 422), which no schema can say."""
    is_valid = case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
    body: Any = case.body
    match body:
        case {"forwardedProps": {"runtime_mode": "follow_up", "divinationPayload": {}} as props} if is_valid:
            cast = DIVINATION["forwardedProps"]["divinationPayload"]
            case.body = {**body, "forwardedProps": {**props, "divinationPayload": cast}}
    return case


def of_one_day(case: Case[Any]) -> Case[Any]:
    """Days are in order and not far apart, and a page follows one of the same days (else 422), which no schema says."""
    is_valid = case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
    if is_valid and case.path == "/api/v1/usage":
        query = dict(case.query or {})
        query.pop("after", None)
        day = query.get("from", query.get("to"))
        case.query = query if day is None else {**query, "from": day, "to": day}
    return case


@api.parametrize()
@settings(max_examples=5, deadline=REQUEST_SECONDS * 1000, suppress_health_check=[HealthCheck.too_slow])
def test_every_answer_is_described(case: Case[Any], alice: dict[str, str]) -> None:
    """ERR-01, ERR-02, ERR-11, SEC-01: never 5xx; what keeps to the schemas is taken, what breaks one is refused.

    Operations come in the order of the document, so the session is there until `delete_session` has its turn.
    """
    made = of_one_day(with_its_cast(fitted(case)))
    made.call_and_validate(base_url=os.environ["STACK"], headers=alice, timeout=REQUEST_SECONDS)
