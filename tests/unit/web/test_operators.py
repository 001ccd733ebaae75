"""Whom a token makes an operator (EVB-05, EVB-12)."""

from typing import Any

import pytest

from yarrow.settings import settings
from yarrow.web import tokens


@pytest.mark.parametrize(
    ("claims", "operates"),
    [
        ({}, False),
        ({"scope": "openid yarrow/operate"}, True),
        ({"scope": "openid yarrow/operates"}, False),
        ({"scope": ["yarrow/operate"]}, False),
        ({"cognito:groups": ["staff", "yarrow/operate"]}, True),
        ({"cognito:groups": ["staff"]}, False),
        ({"cognito:groups": "yarrow/operate"}, False),
        ({"groups": ["yarrow/operate"], "custom:scope": "yarrow/operate"}, False),
    ],
)
def test_operators_have_the_scope_or_are_in_its_group_of_cognito(
    claims: dict[str, Any], operates: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-05: claims that users or other issuers might set themselves make nobody one."""
    monkeypatch.setattr(type(settings), "operator_scope", "yarrow/operate")
    caller = tokens._caller({"typ": "JWT"}, {"sub": "ada", "aud": "yarrow", **claims}, "yarrow")
    assert caller.operates is operates
