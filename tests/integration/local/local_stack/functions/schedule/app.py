"""Makes or changes a schedule of the request's members, and tells what became of all of them."""

import json
import os

import boto3

scheduler, dynamodb, sqs = boto3.client("scheduler"), boto3.client("dynamodb"), boto3.client("sqs")


def handler(event, context):
    name = event["pathParameters"]["name"]
    if event["httpMethod"] == "POST":
        target = {
            "Arn": os.environ["FIRED_ARN"],
            "RoleArn": os.environ["ROLE_ARN"],
            "Input": json.dumps({"name": name, "due": "<aws.scheduler.scheduled-time>"}),
            "DeadLetterConfig": {"Arn": os.environ["UNDELIVERED_ARN"]},
        }
        schedule = {
            "GroupName": os.environ["GROUP"],
            "Name": name,
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "Target": target,
            **json.loads(event["body"]),
        }
        try:
            scheduler.update_schedule(**schedule)
        except scheduler.exceptions.ResourceNotFoundException:
            scheduler.create_schedule(**schedule)
        return {"statusCode": 204}
    items = dynamodb.scan(TableName=os.environ["TABLE_NAME"])["Items"]
    url = sqs.get_queue_url(QueueName=os.environ["UNDELIVERED_ARN"].rpartition(":")[2])["QueueUrl"]
    messages = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
    output = {
        "fired": sorted(item["due"]["S"] for item in items if item["pk"]["S"].startswith(f"fired {name}")),
        "undelivered": [json.loads(message["Body"]) for message in messages],
        "schedules": [
            schedule["Name"] for schedule in scheduler.list_schedules(GroupName=os.environ["GROUP"])["Schedules"]
        ],
    }
    return {"statusCode": 200, "body": json.dumps(output)}
