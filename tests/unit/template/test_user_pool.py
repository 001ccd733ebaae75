"""The user pool that the stack makes where no issuer is given: what it costs, and who sends its mails."""

from typing import Any

import pytest

from local.intrinsics import Resolver
from local.translation import translate
from tests.support.paths import ROOT

TEMPLATE = ROOT / "template.yaml"
IDENTITY = "arn:aws:ses:eu-west-1:123456789012:identity/example.com"


def pool(**parameters: str) -> dict[str, Any]:
    template = translate(TEMPLATE, parameters)
    resolved: dict[str, Any] = Resolver(template, parameters).resolve(template["Resources"]["UserPool"]["Properties"])
    return resolved


@pytest.mark.parametrize(("arguments", "tier"), [({}, "LITE"), ({"UserPoolTier": "PLUS"}, "PLUS")])
def test_the_pool_is_of_the_cheapest_plan_unless_another_is_wanted(arguments: dict[str, str], tier: str) -> None:
    """A million users a month are 4,635 USD on Lite and 14,850 on Essentials."""
    assert pool(**arguments)["UserPoolTier"] == tier


def test_the_pool_uses_nothing_that_lite_has_not() -> None:
    """Cognito's "User pool feature plans": passkeys, one-time passwords by mail, remembered passwords and customised
    access tokens are of Essentials, threat protection is of Plus; authenticator apps are of Lite."""
    properties = pool()
    assert properties["EnabledMfas"] == ["SOFTWARE_TOKEN_MFA"]
    assert not properties.keys() & {
        "LambdaConfig",
        "UserPoolAddOns",
        "WebAuthnRelyingPartyID",
        "WebAuthnUserVerification",
    }
    assert set(properties["Policies"]) == {"PasswordPolicy"}
    assert "PasswordHistorySize" not in properties["Policies"]["PasswordPolicy"]
    client = translate(TEMPLATE, {})["Resources"]["UserPoolClient"]["Properties"]
    assert set(client["ExplicitAuthFlows"]) == {"ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"}
    assert "RefreshTokenRotation" not in client


@pytest.mark.parametrize(
    ("arguments", "configuration"),
    [
        ({}, {"EmailSendingAccount": "COGNITO_DEFAULT"}),
        ({"MailIdentity": IDENTITY}, {"EmailSendingAccount": "DEVELOPER", "SourceArn": IDENTITY}),
        (
            {"MailIdentity": IDENTITY, "MailFrom": "Yarrow <no-reply@example.com>"},
            {"EmailSendingAccount": "DEVELOPER", "SourceArn": IDENTITY, "From": "Yarrow <no-reply@example.com>"},
        ),
    ],
)
def test_mails_come_from_an_identity_of_the_deployments_if_it_has_one(
    arguments: dict[str, str], configuration: dict[str, str]
) -> None:
    """Cognito itself sends 50 mails a day."""
    assert pool(**arguments)["EmailConfiguration"] == configuration
