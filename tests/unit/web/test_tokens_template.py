"""Whose tokens a deployment takes: the parameters of the template, and what follows from them."""

import re
from typing import Any

import pytest
from samtranslator.yaml_helper import yaml_parse

from local.__main__ import TEMPLATE
from local.intrinsics import Resolver
from local.stack import REGION
from yarrow.store.api_keys import PARTITION

ISSUER = "https://issuer.example/tenant"


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    document: dict[str, Any] = yaml_parse(TEMPLATE.read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize(
    ("issuer", "audience", "accepted"),
    [("", "", True), (ISSUER, "yarrow", True), (ISSUER, "", False), ("", "yarrow", False)],
)
def test_an_issuer_and_an_audience_come_together(
    template: dict[str, Any], issuer: str, audience: str, accepted: bool
) -> None:
    """SEC-01: a deployment that would take no token, or any of the issuer's, is refused."""
    resolver = Resolver(template, {"OidcIssuer": issuer, "OidcAudience": audience})
    kept = [
        not resolver.resolve(rule["RuleCondition"])
        or all(resolver.resolve(assertion["Assert"]) for assertion in rule["Assertions"])
        for rule in template["Rules"].values()
    ]
    assert all(kept) is accepted


@pytest.mark.parametrize(
    ("issuer", "accepted"),
    [
        ("", True),
        (ISSUER, True),
        ("https://issuer.example/", True),
        ("http://issuer.example", False),
        ("https://issuer.example?a=b", False),
        ("https://issuer.example/ x", False),
        ("issuer.example", False),
    ],
)
def test_an_issuer_is_an_https_address(template: dict[str, Any], issuer: str, accepted: bool) -> None:
    """SEC-01."""
    pattern = template["Parameters"]["OidcIssuer"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, issuer)) is accepted


@pytest.mark.parametrize("own_pool", [True, False])
def test_without_an_issuer_the_stack_has_a_user_pool_whose_tokens_count(
    template: dict[str, Any], own_pool: bool
) -> None:
    """SEC-01: and it says where its users are made and sign in."""
    arguments = {} if own_pool else {"OidcIssuer": ISSUER, "OidcAudience": "yarrow"}
    pool = {
        name: {"Type": "AWS::IAM::Role", "Condition": "OwnUserPool", "Properties": {"RoleName": name.lower()}}
        for name in ("UserPool", "UserPoolClient")  # in the place of what has no name here
    }
    resolver = Resolver(template | {"Resources": template["Resources"] | pool}, arguments)
    resolved = resolver.resolve(template["Resources"]["AuthorizeFunction"]["Properties"]["Environment"]["Variables"])
    variables = {name: value for name, value in resolved.items() if name.startswith("OIDC_")}
    if own_pool:
        assert variables == {
            "OIDC_ISSUER": f"https://cognito-idp.{REGION}.amazonaws.com/userpool",
            "OIDC_AUDIENCE": "userpoolclient",
        }
    else:
        assert variables == {"OIDC_ISSUER": ISSUER, "OIDC_AUDIENCE": "yarrow"}
    for name in ("UserPool", "UserPoolClient"):
        assert template["Resources"][name]["Condition"] == "OwnUserPool"
        assert template["Outputs"][f"{name}Id"]["Condition"] == "OwnUserPool"
    assert resolver.holds("OwnUserPool") is own_pool


def test_the_authorizer_reads_the_api_keys_and_counts_forms_and_nothing_else(template: dict[str, Any]) -> None:
    """SEC-02, SEC-05."""
    (policy,) = template["Resources"]["AuthorizeFunction"]["Properties"]["Policies"]
    keys, forms = policy["Statement"]
    assert keys["Action"] == "dynamodb:GetItem"
    assert keys["Condition"] == {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": [PARTITION]}}
    assert forms["Action"] == "dynamodb:UpdateItem"
    assert forms["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["USER#*", "LIMITS#*"]}}
