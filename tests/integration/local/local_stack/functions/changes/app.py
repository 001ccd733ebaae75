"""Gets the table's changes and tells the connection that caused them; fails as an item's key says, the first time."""

import json
import os

import boto3

connections = boto3.client("apigatewaymanagementapi", endpoint_url=os.environ["WORKSPACE_ENDPOINT"])
dynamodb = boto3.client("dynamodb")


def is_first(number):
    """Whether no sandbox has seen this change."""
    try:
        dynamodb.put_item(
            TableName=os.environ["TABLE_NAME"],
            Item={"pk": {"S": f"seen {number}"}},
            ConditionExpression="attribute_not_exists(pk)",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


def handler(event, context):
    for record in event["Records"]:
        change = record["dynamodb"]
        item = {name: value["S"] for name, value in change["NewImage"].items()}
        first = is_first(change["SequenceNumber"])
        if first and item["pk"].startswith("crash"):
            raise RuntimeError("the function is broken")
        if item["pk"].startswith("never") or (first and item["pk"].startswith("report")):
            return {"batchItemFailures": [{"itemIdentifier": change["SequenceNumber"]}]}
        output = {"event": record["eventName"], "keys": change["Keys"], **item}
        connections.post_to_connection(ConnectionId=item["connection"], Data=json.dumps(output).encode())
    return {"batchItemFailures": []}
