"""Who calls, as the authorizer passes it on."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.caller import Caller, folder_of


@pytest.mark.parametrize(
    ("caller", "context"),
    [
        (Caller("alice"), {"sub": "alice", "folder": "alice"}),
        (
            Caller("alice", "zh-CN", "Asia/Shanghai"),
            {"sub": "alice", "folder": "alice", "locale": "zh-CN", "zoneinfo": "Asia/Shanghai"},
        ),
        (
            Caller("alice", api_key="0123456789abcdef"),
            {"sub": "alice", "folder": "alice", "apiKey": "0123456789abcdef"},
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


@pytest.mark.parametrize("user", ["alice", "a1b2c3d4-5678-40ab-9cde-f0123456789a", "a.b_c-d", "...", "x" * 128])
def test_an_id_that_is_a_path_segment_is_its_own_folder(user: str) -> None:
    """SEC-07."""
    assert folder_of(user) == user


@pytest.mark.parametrize(
    "user",
    [
        "auth0|123",
        "a/b",
        "../x",
        "..",
        ".",
        "",
        "a b",
        "a%2Fb",
        "用户",
        "é",
        "alice\n",
        "x" * 129,
        "sha256-" + "a" * 64,
    ],
)
def test_any_other_id_has_a_folder_that_needs_no_encoding(user: str) -> None:
    """SEC-07: API Gateway would not encode it in S3's address."""
    assert re.fullmatch("sha256-[0-9a-f]{64}", folder_of(user))
    assert folder_of(user) != user


@given(st.text(), st.text())
def test_no_two_ids_have_one_folder(one: str, other: str) -> None:
    """SEC-03, SEC-07: whatever they are, and if one is the folder of the other."""
    assert (folder_of(one) == folder_of(other)) is (one == other)
    assert folder_of(folder_of(one)) == folder_of(one) if folder_of(one) == one else folder_of(folder_of(one)) != one
    for folder in (folder_of(one), folder_of(other)):
        assert re.fullmatch("[A-Za-z0-9._-]+", folder)
        assert folder not in (".", "..")
