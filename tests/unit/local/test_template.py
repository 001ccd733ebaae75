"""The SAM template becomes a stack, completely or not at all."""

import json
from pathlib import Path

import pytest

from local.environment import of_functions
from local.stack import LambdaIntegration, MockIntegration, Stack, TemplateError
from local.template import load
from tests.support.paths import ROOT

FIXTURE = ROOT / "tests/integration/local/local_stack" / "template.yaml"
ISSUER = {"OidcIssuer": "http://127.0.0.1:3000/local", "OidcAudience": "yarrow"}


@pytest.fixture(scope="module")
def product() -> Stack:
    return load(ROOT / "template.yaml", ISSUER)


@pytest.fixture(scope="module")
def fixture() -> Stack:
    return load(FIXTURE, ISSUER)


class TestProduct:
    def test_every_function_has_a_folder_with_its_handler(self, product: Stack) -> None:
        folders = {function.folder for function in product.functions.values()}
        assert folders == {path.parent for path in (ROOT / "functions").glob("*/app.py")}
        assert {function.handler for function in product.functions.values()} == {"app.handler"}

    def test_every_route_but_a_preflight_asks_the_authorizer(self, product: Stack) -> None:
        for route in product.api.routes:
            open_to_anyone = isinstance(route.integration, MockIntegration) or route.path in (
                *("/", "/console/{proxy+}", "/openapi.json", "/.well-known/oauth-protected-resource/mcp"),
            )
            of_runs = route.path.endswith(("/events", "/stream", "/steps", "/diagnostics", "/cancel"))
            by_key = route.path in ("/send-message", "/send-message/capabilities", "/api/v1/usage", "/mcp") or of_runs
            by_key |= route.path.startswith(("/api/v1/webhooks", "/api/v1/operations"))
            is_form = route.method == "POST" and route.path.endswith(("/attachments", "/transcribe"))
            expected = "JwtOrApiKey" if by_key else "JwtForForm" if is_form else "Jwt"
            assert route.authorizer == (None if open_to_anyone else expected), route

    def test_events_are_streamed_for_fifteen_minutes(self, product: Stack) -> None:
        routes = {(route.method, route.path): route.integration for route in product.api.routes}
        assert routes["GET", "/api/v1/agent/runs/{threadId}/events"] == LambdaIntegration(
            "yarrow-StreamEventsFunction", streaming=True, timeout=900
        )

    def test_functions_share_one_environment_with_every_name_resolved(self, product: Stack) -> None:
        environment = of_functions(product.functions.values())
        assert environment["TABLE_NAME"] == "yarrow-Table"
        assert environment["OIDC_ISSUER"] == "http://127.0.0.1:3000/local"
        assert environment["STATE_MACHINE_ARN"] in {machine.arn for machine in product.state_machines}
        assert "AWS_LAMBDA_EXEC_WRAPPER" not in environment

    def test_the_state_machine_has_its_substitutions(self, product: Stack) -> None:
        for machine in product.state_machines:
            function = json.loads(machine.definition)["States"]["Work"]["Parameters"]["FunctionName"]
            assert function == "arn:aws:lambda:us-east-1:123456789012:function:yarrow-ExecuteRunFunction"

    def test_the_backstop_waits_for_failed_executions_of_the_machines(self, product: Stack) -> None:
        (rule,) = product.rules
        assert rule.targets == ("yarrow-EndRunFunction",)
        assert rule.pattern["detail"]["status"] == ["FAILED", "TIMED_OUT", "ABORTED"]
        assert {*rule.pattern["detail"]["stateMachineArn"]} == {machine.arn for machine in product.state_machines}

    def test_items_of_the_table_expire(self, product: Stack) -> None:
        assert [table.ttl_attribute for table in product.tables] == ["expires_at"]


class TestFixture:
    def test_gateway_responses_keep_status_headers_and_templates(self, fixture: Stack) -> None:
        response = fixture.api.gateway_responses["MISSING_AUTHENTICATION_TOKEN"]
        assert response.status == 404
        assert response.headers["Content-Type"] == "application/problem+json"
        assert "$context.path" in response.templates["application/problem+json"]
        assert fixture.api.gateway_responses["DEFAULT_4XX"].status is None

    def test_the_authorizer_names_its_function_headers_and_lifetime(self, fixture: Stack) -> None:
        authorizer = fixture.api.authorizers["Token"]
        assert authorizer.function == "yarrow-AuthorizeFunction"
        assert (authorizer.identity_headers, authorizer.ttl) == (("Authorization",), 300)

    def test_a_route_can_be_public_and_have_a_timeout_of_its_own(self, fixture: Stack) -> None:
        routes = {route.path: route for route in fixture.api.routes if route.method == "GET"}
        assert routes["/public"].authorizer is None
        assert routes["/slow"].integration == LambdaIntegration("yarrow-EchoFunction", streaming=False, timeout=0.05)

    def test_a_preflight_is_answered_by_the_gateway(self, fixture: Stack) -> None:
        (preflight,) = (r.integration for r in fixture.api.routes if (r.method, r.path) == ("OPTIONS", "/echo"))
        assert isinstance(preflight, MockIntegration)
        assert preflight.headers["Access-Control-Allow-Methods"] == "GET,POST"

    def test_binary_media_types_are_known(self, fixture: Stack) -> None:
        assert fixture.api.binary_media_types == ("image/png",)

    def test_a_resource_whose_condition_fails_is_not_made(self, fixture: Stack) -> None:
        assert (
            load(FIXTURE, {}).functions["yarrow-AuthorizeFunction"].environment["OIDC_ISSUER"].startswith("https://cog")
        )
        assert fixture.functions["yarrow-AuthorizeFunction"].environment["OIDC_ISSUER"] == ISSUER["OidcIssuer"]


@pytest.mark.parametrize(
    ("original", "replacement", "complaint"),
    [
        ("Type: AWS::S3::Bucket", "Type: AWS::EFS::FileSystem", "AWS::EFS::FileSystem has no local"),
        ("DefinitionUri: machine", "Type: EXPRESS\n      DefinitionUri: machine", "only standard state machines"),
        ("FunctionPayloadType: REQUEST", "FunctionPayloadType: TOKEN", "Token is not a REQUEST authorizer"),
        ("Headers: [Authorization]", "QueryStrings: [token]", "the identity source .* is not a header"),
        ("BillingMode: PAY_PER_REQUEST", "KinesisStreamSpecification: {}", "property KinesisStreamSpecification"),
        ("Pattern:\n", "InputPath: $.detail\n            Pattern:\n", "the target's InputPath"),
        ("AllowMethods: \"'GET,POST'\"", "AllowMethods: context.path", "context.path is not a literal"),
        ("Handler: app.handler", "Handle: app.handler", "Handle"),
    ],
)
def test_what_is_not_understood_stops_the_start(
    tmp_path: Path, original: str, replacement: str, complaint: str
) -> None:
    text = FIXTURE.read_text()
    assert original in text
    (tmp_path / "template.yaml").write_text(text.replace(original, replacement))
    (tmp_path / "machine.asl.json").write_text((FIXTURE.parent / "machine.asl.json").read_text())
    with pytest.raises(TemplateError, match=complaint):
        load(tmp_path / "template.yaml", ISSUER)


def test_an_unknown_integration_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "template.yaml").write_text(
        """
        Transform: AWS::Serverless-2016-10-31
        Resources:
          Api:
            Type: AWS::Serverless::Api
            Properties:
              StageName: live
              DefinitionBody:
                openapi: 3.0.1
                paths: { /files: { put: { x-amazon-apigateway-integration: { type: http, uri: s3 } } } }
        """
    )
    with pytest.raises(TemplateError, match="PUT /files: an integration of type http cannot be served locally"):
        load(tmp_path / "template.yaml", {})


def test_a_template_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"cannot read .*nowhere\.yaml: No such file"):
        load(tmp_path / "nowhere.yaml", {})
