"""All of a WebSocket API: its authorizer, which plays the part that the query names, and its three routes."""

import json
import os

import boto3

connections = boto3.client("apigatewaymanagementapi", endpoint_url=os.environ["WORKSPACE_ENDPOINT"])
table = boto3.client("dynamodb")


def handler(event, context):
    if event.get("type") == "REQUEST":
        return authorize(event, (event.get("queryStringParameters") or {}).get("as", "nobody"))
    match event["requestContext"]["eventType"]:
        case "CONNECT":
            return {"statusCode": int(event["queryStringParameters"].get("status", 200))}
        case "MESSAGE":
            return receive(event)
        case "DISCONNECT":
            put(event["requestContext"]["connectionId"], told=json.dumps(event))
    return None


def authorize(event, part):
    if part == "nobody":
        raise Exception("Unauthorized")  # noqa: TRY002 (API Gateway's word for a 401)
    if part == "crash":
        raise RuntimeError("the authorizer is broken")
    effect = "Deny" if part == "deny" else "Allow"
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": event["methodArn"]}
    return {
        "principalId": part,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": {"user": part},
    }


def receive(event):
    own = event["requestContext"]["connectionId"]
    if event["isBase64Encoded"]:
        return answer(own, event)
    match event["body"].split(" "):
        case ["size", _]:
            answer(own, {"size": len(event["body"])})
        case ["crash"]:
            raise RuntimeError("the function is broken")
        case ["post", size]:
            answer(own, attempt(lambda: connections.post_to_connection(ConnectionId=own, Data=b"x" * int(size))))
        case ["post", size, connection]:
            answer(own, attempt(lambda: connections.post_to_connection(ConnectionId=connection, Data=b"x" * int(size))))
        case ["get", connection]:
            answer(own, attempt(lambda: connections.get_connection(ConnectionId=connection)))
        case ["delete", connection]:
            answer(own, attempt(lambda: connections.delete_connection(ConnectionId=connection)))
        case ["put", pk, count]:
            for number in range(int(count)):
                put(pk if pk == "same" else f"{pk}-{number}", connection=own, number=str(number))
        case ["told", pk]:
            item = table.get_item(TableName=os.environ["TABLE_NAME"], Key={"pk": {"S": pk}}).get("Item")
            answer(own, item and json.loads(item["told"]["S"]))
        case _:
            answer(own, event)
    return {"statusCode": 200}


def put(pk, **attributes):
    item = {name: {"S": value} for name, value in {"pk": pk, **attributes}.items()}
    table.put_item(TableName=os.environ["TABLE_NAME"], Item=item)


def attempt(call):
    try:
        return {name: str(value) for name, value in call().items() if name != "ResponseMetadata"}
    except connections.exceptions.ClientError as error:
        return {"error": error.response["Error"]["Code"]}


def answer(connection, document):
    connections.post_to_connection(ConnectionId=connection, Data=json.dumps(document).encode())
