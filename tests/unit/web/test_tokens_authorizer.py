"""The authorizer itself: the header it reads, the policy it gives, and what it tells the log."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.authorize.app import handler
from local.api_gateway.authorizer import allows
from tests.support.functions.calls import NO_CONTEXT
from tests.support.paths import ROOT
from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller
from yarrow.web import tokens
from yarrow.web.tokens import InvalidTokenError

EVENT = json.loads((ROOT / "events/authorizer_request.json").read_text(encoding="utf-8"))
STAGE = "arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/live"


class Records(logging.Handler):
    """All that is logged, whatever of it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += str(vars(record))


@pytest.fixture
def log() -> Iterator[Records]:
    records = Records()
    ours = logging.getLogger(logger.name)
    ours.addHandler(records)
    yield records
    ours.removeHandler(records)


@pytest.fixture(autouse=True, scope="module")
def known() -> Iterator[None]:
    """One token is good; what that takes is tested elsewhere."""

    def identify(authorization: str) -> Caller:
        if tokens.bearer(authorization) != "good":
            raise InvalidTokenError("unknown key")
        return Caller("alice", "zh-CN")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "identify", identify)
        yield


def request(*authorization: str, name: str = "Authorization", resource: str = "/api/v1/agent/runs") -> dict[str, Any]:
    return {**EVENT} | {"resource": resource, "multiValueHeaders": {name: list(authorization)}}


def refused(event: dict[str, Any]) -> bool:
    """Whether API Gateway is told to answer 401."""
    try:
        handler(event, NO_CONTEXT)
    except Exception as error:  # noqa: BLE001 - its message is all that API Gateway sees
        return str(error) == "Unauthorized"
    return False


@pytest.mark.parametrize("name", ["Authorization", "authorization", "AUTHORIZATION"])
def test_a_token_opens_the_whole_stage_so_that_the_answer_holds_for_every_route(name: str) -> None:
    """SEC-01: API Gateway keeps it by the header alone."""
    decision = handler(request("Bearer good", name=name), NO_CONTEXT)
    assert decision["context"] == {"sub": "alice", "folder": "alice", "locale": "zh-CN"}
    assert decision["principalId"] == "alice"
    for call in ("GET/api/v1/agent/history", "DELETE/api/v1/agent/sessions/7", "POST/send-message"):
        assert allows(decision["policyDocument"], f"{STAGE}/{call}")
    for elsewhere in ("a1b2c3d4e5/test/GET/x", "zzzzzzzzzz/live/GET/x"):
        assert not allows(decision["policyDocument"], f"arn:aws:execute-api:eu-west-1:123456789012:{elsewhere}")


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(EVENT | {"multiValueHeaders": None}, id="no headers"),
        pytest.param(request(), id="no value"),
        pytest.param(request("Bearer good", "Bearer good"), id="two values"),
        pytest.param(
            EVENT | {"multiValueHeaders": {"Authorization": ["Bearer good"], "authorization": ["Bearer bad"]}},
            id="two spellings",
        ),
        pytest.param(request("Bearer bad"), id="another token"),
        pytest.param(request("Bearer yk_0123456789abcdef_" + "a" * 43), id="an API key on another route"),
        pytest.param(request("Bearer yk_", resource="/send-message"), id="no API key"),
        pytest.param(request("Bearer yk_0123456789abcdef_" + "a" * 44, resource="/send-message"), id="one byte more"),
        pytest.param(request("Bearer YK_0123456789abcdef_" + "a" * 43, resource="/send-message"), id="in capitals"),
    ],
)
def test_what_identifies_nobody_is_unauthorized(event: dict[str, Any]) -> None:
    """SEC-01, SEC-02."""
    assert refused(event)


@given(st.text() | st.text("yk_0123456789abcdef-. =", max_size=80).map("Bearer {}".format), st.booleans())
def test_any_other_header_is_unauthorized(value: str, door: bool) -> None:
    """SEC-01: never an error of another kind, which would be a 503."""
    assert refused(request(value, resource="/send-message" if door else "/api/v1/agent/runs"))


def test_the_log_is_told_why_and_nothing_of_the_credential(log: Records) -> None:
    """SEC-05."""
    for value in ("Bearer confidential", "Basic confidential", "Bearer yk_confidential"):
        assert refused(request(value))
    assert "unknown key" in log.text
    assert "confidential" not in log.text
