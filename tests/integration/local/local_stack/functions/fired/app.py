"""What schedules invoke: stores when; one whose name says so never succeeds."""

import os
import uuid

import boto3

dynamodb = boto3.client("dynamodb")


def handler(event, context):
    if event.get("source") == "aws.scheduler":
        name, due = "nightly", event["time"]
    else:
        name, due = event["name"], event["due"]
    if name == "broken":
        raise RuntimeError("the function is broken")
    item = {"pk": {"S": f"fired {name} {uuid.uuid4()}"}, "due": {"S": due}}
    dynamodb.put_item(TableName=os.environ["TABLE_NAME"], Item=item)
