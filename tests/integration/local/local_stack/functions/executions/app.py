"""Starts and stops executions over HTTP; a read waits for the event that says how one ended."""

import json
import os
import threading

import boto3

arrived = threading.Condition()
table = boto3.client("dynamodb")


def handler(event, context):
    if "detail-type" in event:
        with arrived:
            table.put_item(
                TableName=os.environ["TABLE_NAME"],
                Item={"pk": {"S": event["detail"]["name"]}, "event": {"S": json.dumps(event)}},
            )
            arrived.notify_all()
        return None
    step_functions = boto3.client("stepfunctions")
    machine, name = os.environ["STATE_MACHINE_ARN"], event["pathParameters"]["name"]
    match event["httpMethod"]:
        case "POST":
            answer = step_functions.start_execution(stateMachineArn=machine, name=name, input=event["body"])[
                "executionArn"
            ]
        case "DELETE":
            execution = machine.replace(":stateMachine:", ":execution:") + ":" + name
            step_functions.stop_execution(executionArn=execution)
            answer = step_functions.describe_execution(executionArn=execution)["status"]
        case "GET":
            with arrived:
                arrived.wait_for(lambda: read(name), timeout=10)
            answer = read(name)
    return {"statusCode": 200, "body": json.dumps(answer)}


def read(name):
    item = table.get_item(TableName=os.environ["TABLE_NAME"], Key={"pk": {"S": name}}).get("Item")
    return item and json.loads(item["event"]["S"])
