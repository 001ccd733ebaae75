"""The tasks of `machine.asl.json`."""

import os
import threading

import boto3

dynamodb = boto3.client("dynamodb")


def is_first(key):
    """Whether no sandbox has seen this key."""
    try:
        dynamodb.put_item(
            TableName=os.environ["TABLE_NAME"],
            Item={"pk": {"S": f"seen {key}"}},
            ConditionExpression="attribute_not_exists(pk)",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


class OutOfStockError(Exception):
    pass


class FlakyError(Exception):
    pass


def handler(event, context):
    match event["task"]:
        case "good":
            return {"answer": "done"}
        case "flaky" if is_first(event["key"]):
            raise FlakyError
        case "flaky":
            return {"answer": "done"}
        case "sold out":
            raise OutOfStockError("none left")
        case "replace":
            return {"instead of": event["error"]}
        case "endless":
            threading.Event().wait(60)
    raise ValueError("no such task")
