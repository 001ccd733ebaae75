"""What the template says of uploads: where API Gateway stores them, who may touch what, and when leftovers go."""

import asyncio
from fnmatch import fnmatchcase
from typing import Any

import pytest

from local.api_gateway import storage
from local.api_gateway.definition import read_routes
from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.routing import Match
from local.environment import of_functions
from local.intrinsics import Resolver
from local.stack import Stack, StorageIntegration, TemplateError
from local.template import load
from local.translation import translate
from tests.support.paths import ROOT
from yarrow.store.uploads import staged_key

TEMPLATE = ROOT / "template.yaml"


@pytest.fixture(scope="module")
def stack() -> Stack:
    return load(TEMPLATE, {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"})


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    from samtranslator.yaml_helper import yaml_parse

    parsed: dict[str, Any] = yaml_parse(TEMPLATE.read_text(encoding="utf-8"))["Resources"]
    return parsed


@pytest.fixture
def upload(stack: Stack) -> StorageIntegration:
    (found,) = (route for route in stack.api.routes if route.path == "/api/v1/agent/attachments" and route.authorizer)
    assert isinstance(found.integration, StorageIntegration)
    return found.integration


def test_a_form_is_stored_where_the_function_looks_for_it(stack: Stack, upload: StorageIntegration) -> None:
    """ATT-01, C28, SEC-06: under the user that the authorizer found."""
    assert upload.key.replace("{user}", "alice") == staged_key("alice", "{upload}")
    assert upload.parameters == {"user": "context.authorizer.folder", "upload": "context.requestId"}
    assert upload.headers == {"Content-Type": "method.request.header.Content-Type"}
    assert (upload.bucket, upload.required_headers) == (stack.buckets[0], ("Content-Type",))


def test_the_client_is_sent_on_or_told_that_storage_failed(upload: StorageIntegration) -> None:
    """ATT-04, ERR-06: for what S3 itself answers."""
    stored, failed = upload.answers["200"], upload.answers["default"]
    assert (stored.status, stored.computed) == (303, {"Location": "$context.path/uploads/$context.requestId"})
    assert (failed.status, failed.headers["Retry-After"]) == (503, "1")
    assert '"code":"AGENT_ATTACHMENT_STORAGE_UNAVAILABLE"' in failed.template


UPLOAD_ID = "0f4e1c3a-5b6d-4e7f-8a9b-0c1d2e3f4a5b"


@pytest.mark.parametrize(
    ("chosen", "is_stored"),
    [
        (UPLOAD_ID, True),
        ("1", False),
        ("..", False),
        (f"../bob/{UPLOAD_ID}", False),
        (f"..%2Fbob%2F{UPLOAD_ID}", False),
        (f"{UPLOAD_ID}/x", False),
        (f"{UPLOAD_ID}?acl", False),
        ('"}', False),
    ],
)
def test_a_client_that_chooses_the_request_id_stays_in_its_folder(
    stack: Stack, resources: dict[str, Any], monkeypatch: pytest.MonkeyPatch, chosen: str, *, is_stored: bool
) -> None:
    """SEC-06, SEC-07: API Gateway takes `context.requestId` from the header `x-amzn-RequestId`."""
    keys: list[str] = []

    def put(_bucket: str, key: str, _body: bytes, _content_type: str) -> int:
        keys.append(key)
        return 200

    monkeypatch.setattr(storage, "_put", put)
    for route in stack.api.routes:
        if isinstance(route.integration, StorageIntegration):
            headers = [(b"x-amzn-requestid", chosen.encode()), (b"content-type", b"multipart/form-data; boundary=b")]
            call = ProxyCall.of(scope(route.path, headers))
            answer = asyncio.run(
                storage.store(stack.api, route.integration, call, Match(route, {}), {"folder": "alice"}, b"")
            )
            assert (answer.status == 303) is is_stored
    assert keys == ([staged_key("alice", UPLOAD_ID)] * 2 if is_stored else [])
    if "?" not in chosen:  # a query is no part of a key; it would be another action, which the role does not have
        key = f"staged/alice/{chosen.replace('%2F', '/')}"
        assert may_put(resources["StageUploads"], key) is is_stored
    assert not may_put(resources["StageUploads"], staged_key("alice", UPLOAD_ID).replace("alice", ""))


def scope(path: str, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    return {
        "method": "POST",
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 3000),
        "http_version": "1.1",
    }


def may_put(role: dict[str, Any], key: str) -> bool:
    """By IAM's rules: `*` and `?` match slashes too, and a Deny decides."""
    (policy,) = role["Properties"]["Policies"]
    effects = {
        statement["Effect"]
        for statement in policy["PolicyDocument"]["Statement"]
        if fnmatchcase(f"${{Inputs.Arn}}/{key}", statement["Resource"]["Fn::Sub"])
    }
    return effects == {"Allow"}


def s3_rights(policies: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Actions on S3 and what they are allowed on."""
    return {
        (action, str(statement["Resource"]))
        for policy in policies
        for statement in policy.get("PolicyDocument", policy)["Statement"]
        if statement["Effect"] == "Allow"
        for action in ([statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"])
        if action.startswith("s3:")
    }


FORMS = "{'Fn::Sub': '${Inputs.Arn}/staged/?*/????????-????-????-????-????????????'}"
STAGED, KEPT = "{'Fn::Sub': '${Inputs.Arn}/staged/*'}", "{'Fn::Sub': '${Inputs.Arn}/agent-inputs/*'}"


@pytest.mark.parametrize(
    ("name", "rights"),
    [
        ("StageUploads", {("s3:PutObject", FORMS)}),
        ("BeginUploadFunction", {("s3:PutObject", STAGED)}),
        (
            "FinishUploadFunction",
            {
                ("s3:GetObject", STAGED),
                ("s3:DeleteObject", STAGED),
                ("s3:GetObject", KEPT),
                ("s3:PutObject", KEPT),
                ("s3:ListBucket", "{'Fn::GetAtt': ['Inputs', 'Arn']}"),
            },
        ),
        ("SignAttachmentFunction", {("s3:GetObject", KEPT)}),
    ],
)
def test_each_may_do_what_it_does_and_no_more(
    resources: dict[str, Any], name: str, rights: set[tuple[str, str]]
) -> None:
    """SEC-07: Rights are by prefix."""
    assert s3_rights(resources[name]["Properties"]["Policies"]) == rights


def test_what_nobody_finishes_expires(resources: dict[str, Any]) -> None:
    """ATT-04: after a day, and nothing else does by this rule."""
    rules = resources["Inputs"]["Properties"]["LifecycleConfiguration"]["Rules"]
    always = [rule for rule in rules if "Fn::If" not in rule]
    (rule,) = (rule for rule in always if rule["Prefix"] == "staged/")
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", 1)
    assert not any("agent-inputs/".startswith(rule["Prefix"]) for rule in always if "ExpirationInDays" in rule)


@pytest.mark.parametrize(("days", "expires"), [("0", []), ("90", ["90"])])
def test_an_attachment_expires_if_the_deployment_says_so(days: str, expires: list[str]) -> None:
    """ATT-01: by default it is kept."""
    parameters = {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow", "AttachmentDays": days}
    template = translate(TEMPLATE, parameters)
    bucket = Resolver(template, parameters).resolve(template["Resources"]["Inputs"]["Properties"])
    rules = bucket["LifecycleConfiguration"]["Rules"]
    found = [rule for rule in rules if "ExpirationInDays" in rule and "agent-inputs/".startswith(rule["Prefix"])]
    assert [(item["Prefix"], item["ExpirationInDays"]) for item in found] == [
        ("agent-inputs/", expire) for expire in expires
    ]


def test_the_signing_key_is_a_secret_that_every_function_shares(stack: Stack, resources: dict[str, Any]) -> None:
    """SGN-04, SEC-05: The stack creates it."""
    assert resources["UrlSigningKey"]["Properties"]["GenerateSecretString"]["PasswordLength"] == 64
    assert len(of_functions(stack.functions.values())["URL_SIGNING_KEY"]) == 64


# ---- What the local gateway does not understand ----------------------------------------------------------------------
def integration(**changes: Any) -> dict[str, Any]:
    of_service = {
        "type": "aws",
        "httpMethod": "PUT",
        "uri": "arn:aws:apigateway:us-east-1:s3:path/bucket/staged/{user}",
        "requestParameters": {"integration.request.path.user": "context.authorizer.sub"},
        "responses": {"default": {"statusCode": "204"}},
    }
    return {"paths": {"/x": {"post": {"x-amazon-apigateway-integration": of_service | changes}}}}


def test_an_integration_may_be_as_small_as_this() -> None:
    (route,) = read_routes(integration())
    assert isinstance(route.integration, StorageIntegration)
    assert (route.integration.bucket, route.integration.key) == ("bucket", "staged/{user}")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"httpMethod": "GET"}, "only a PUT to a bucket"),
        ({"uri": "arn:aws:apigateway:us-east-1:sqs:path/1/queue"}, "only a PUT to a bucket"),
        ({"requestParameters": {"integration.request.path.user": "method.request.body"}}, "method.request.body"),
        ({"requestParameters": {"integration.request.querystring.x": "context.requestId"}}, "querystring.x"),
        ({"responses": {"default": {"statusCode": 200, "responseTemplates": {"application/json": "#if(1)"}}}}, "#if"),
        (
            {"responses": {"default": {"statusCode": 200, "responseParameters": {"method.response.header.X": "y"}}}},
            "y is not a literal",
        ),
    ],
)
def test_what_is_not_understood_stops_the_start(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(TemplateError, match=complaint):
        read_routes(integration(**changes))
