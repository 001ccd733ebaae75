"""DynamoDB's JSON over HTTP, as SDKs send it."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from local.dynamodb import service
from local.dynamodb.database import Database

KEY = {"pk": {"S": "卦"}}


@pytest.fixture
def client() -> TestClient:
    database = Database()
    database.call(
        "CreateTable",
        {
            "TableName": "t",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        },
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await service.serve(database, scope, receive, send)

    return TestClient(app)


def call(client: TestClient, operation: str, request: Any) -> tuple[int, Any]:
    response = client.post("/", content=json.dumps(request), headers={"X-Amz-Target": f"DynamoDB_20120810.{operation}"})
    assert response.headers["content-type"] == "application/x-amz-json-1.0"
    return response.status_code, response.json()


def test_bytes_are_in_base64_wherever_they_are(client: TestClient) -> None:
    item = {**KEY, "b": {"B": "AP8="}, "inside": {"M": {"B": {"L": [{"B": "AP8="}, {"BS": ["AP8="]}]}}}}
    assert call(client, "PutItem", {"TableName": "t", "Item": item}) == (200, {})
    assert call(client, "GetItem", {"TableName": "t", "Key": KEY}) == (200, {"Item": item})
    sized = {"ConditionExpression": "size(b) = :two", "ExpressionAttributeValues": {":two": {"N": "2"}}}
    assert call(client, "DeleteItem", {"TableName": "t", "Key": KEY, **sized}) == (200, {})


def test_an_error_has_its_code_and_its_message(client: TestClient) -> None:
    status, error = call(client, "GetItem", {"TableName": "none", "Key": KEY})
    assert (status, error["__type"].rpartition("#")[2]) == (400, "ResourceNotFoundException")
    assert "none" in error["message"]


@pytest.mark.parametrize("body", ["", "[]", "{", '{"TableName": "t", "Key": 1}', '{"Key": {}}'])
def test_what_cannot_be_read_is_refused(client: TestClient, body: str) -> None:
    response = client.post("/", content=body, headers={"X-Amz-Target": "DynamoDB_20120810.GetItem"})
    assert response.status_code == 400
    assert response.json()["__type"].endswith(("SerializationException", "ValidationException"))
