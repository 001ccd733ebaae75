"""Who calls, as the authorizer passes it on."""

import pytest

from yarrow.protocol.caller import Caller


@pytest.mark.parametrize(
    ("caller", "context"),
    [
        (Caller("alice"), {"sub": "alice"}),
        (
            Caller("alice", "zh-CN", "Asia/Shanghai"),
            {"sub": "alice", "locale": "zh-CN", "zoneinfo": "Asia/Shanghai"},
        ),
    ],
)
def test_a_caller_survives_the_context_of_api_gateway(caller: Caller, context: dict[str, str]) -> None:
    """SEC-06, C37: strings only; a claim the credential has not is left out."""
    assert caller.to_authorizer() == context
    assert Caller.from_authorizer(context) == caller


def test_what_api_gateway_adds_to_the_context_is_not_read() -> None:
    """SEC-06."""
    context = {"sub": "alice", "principalId": "bob", "integrationLatency": "3"}
    assert Caller.from_authorizer(context) == Caller("alice")


@pytest.mark.parametrize(("claim", "zone"), [("Asia/Shanghai", "Asia/Shanghai"), ("Nowhere/At_All", None), ("", None)])
def test_a_zone_that_is_none_is_left_out(claim: str, zone: str | None) -> None:
    """C37, FWD-08."""
    assert Caller.from_authorizer({"sub": "alice", "zoneinfo": claim}).zoneinfo == zone
