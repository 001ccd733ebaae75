"""Who may do what: each role exactly what its function's code calls, by name, prefix and partition, and no more."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from local.intrinsics import Resolver
from local.translation import translate
from tests.support.paths import ROOT
from tests.support.reachable_calls import actions, names, operations, partitions, reached_from

TEMPLATE = ROOT / "template.yaml"
PARAMETERS = {
    "OidcIssuer": "https://issuer.example",
    "OidcAudience": "yarrow",
    "RemoteRunners": "arn:aws:lambda:us-east-1:123456789012:function:notes",
    "Encryption": "own-key",
    "ApnsApplicationArn": "arn:aws:sns:us-east-1:123456789012:app/APNS/notes",
    "ApnsSandboxApplicationArn": "arn:aws:sns:us-east-1:123456789012:app/APNS_SANDBOX/notes",
    "McpConnections": "true",
    "FcmApplicationArn": "arn:aws:sns:us-east-1:123456789012:app/GCM/notes",
}
ON_TABLE = "arn:aws:dynamodb:us-east-1:123456789012:table/yarrow-Table"
ON_BUCKET = "arn:aws:s3:::yarrow-inputs"
FORMS = f"{ON_BUCKET}/staged/?*/????????-????-????-????-????????????"
STREAM = f"{ON_TABLE}/stream/local"
CONNECTIONS = "arn:aws:execute-api:us-east-1:123456789012:local/live/POST/@connections/*"
TO_CLOSE = CONNECTIONS.replace("/POST/", "/DELETE/")
STATES = "arn:aws:states:us-east-1:123456789012:"
EXECUTIONS = (f"{STATES}execution:yarrow-runs:*", f"{STATES}execution:yarrow-turns:*")
MODELS = (
    "arn:aws:bedrock:*::foundation-model/*",
    "arn:aws:bedrock:*:123456789012:inference-profile/*",
    "arn:aws:bedrock:*:123456789012:application-inference-profile/*",
    "arn:aws:bedrock:*:123456789012:provisioned-model/*",
    "arn:aws:bedrock:*:123456789012:imported-model/*",
)
KNOWLEDGE = "arn:aws:bedrock:us-east-1:123456789012:knowledge-base/*"
JOBS = "arn:aws:transcribe:us-east-1:123456789012:transcription-job/yarrow-*"
SECRETS = "arn:aws:secretsmanager:us-east-1:123456789012:secret:yarrow/runners/*"
TRACES_SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:yarrow/runners/traces-??????"
CONNECTIONS_KEY = "arn:aws:kms:us-east-1:123456789012:key/yarrow-McpConnectionsKey"
LAMBDA = "arn:aws:lambda:us-east-1:123456789012:function:"

START_JOB = f"{LAMBDA}yarrow-start-job:live"
UNDELIVERED_JOBS = "arn:aws:sqs:us-east-1:123456789012:yarrow-UndeliveredJobs"
SCHEDULES = "arn:aws:scheduler:us-east-1:123456789012:schedule/yarrow-jobs/job-*"
CALL_START_JOB = "arn:aws:iam::123456789012:role/yarrow-CallStartJob"
EXPIRE_QUESTION = f"{LAMBDA}yarrow-questions:live"
UNDELIVERED_EVENTS = "arn:aws:sqs:us-east-1:123456789012:yarrow-UndeliveredEvents"
ENDED_RUNS = "arn:aws:sqs:us-east-1:123456789012:yarrow-EndedRuns"
TIMERS = "arn:aws:scheduler:us-east-1:123456789012:schedule/yarrow-questions/*"
WEBHOOK_ATTEMPTS = "arn:aws:sqs:us-east-1:123456789012:yarrow-WebhookAttempts"
UNDELIVERED_WEBHOOKS = "arn:aws:sqs:us-east-1:123456789012:yarrow-UndeliveredWebhooks"
NOTIFICATIONS = "arn:aws:sqs:us-east-1:123456789012:yarrow-NotificationQueue"
ENDPOINTS = tuple(
    f"arn:aws:sns:us-east-1:123456789012:endpoint/{platform}/notes/*" for platform in ("APNS", "APNS_SANDBOX", "GCM")
)
PUSH_TARGETS = (*(value for name, value in PARAMETERS.items() if name.endswith("ApplicationArn")), *ENDPOINTS)
RETRIES = "arn:aws:scheduler:us-east-1:123456789012:schedule/yarrow-webhooks/*"
SEND_ATTEMPTS = "arn:aws:iam::123456789012:role/yarrow-SendAttempts"
CALL_EXPIRE_QUESTION = "arn:aws:iam::123456789012:role/yarrow-CallExpireQuestion"

_Rights = set[tuple[str, str]]


def on(resource: str, *names: str) -> _Rights:
    return {(name, resource) for name in names}


def objects(prefix: str, *names: str) -> _Rights:
    """Return the rights to some actions on the objects under a prefix."""
    return on(f"{ON_BUCKET}/{prefix}/*", *(f"s3:{name}" for name in names))


LISTING = on(ON_BUCKET, "s3:ListBucket")
OF_RUNNERS = (
    objects("artifacts", "GetObject", "PutObject")
    | objects("agent-inputs", "GetObject")
    | objects("steps", "GetObject", "PutObject")
    | objects("storage", "GetObject", "PutObject", "DeleteObject")
    | LISTING
)
OF_SUBMITS = objects("agent-inputs", "GetObject") | LISTING
OBJECTS: dict[str, _Rights] = {
    "begin_upload": objects("staged", "PutObject"),
    "execute_run": OF_RUNNERS | objects("agent-inputs", "PutObject"),
    "expire_question": OF_SUBMITS,
    "export_traces": objects("steps", "GetObject") | LISTING,
    "finish_upload": objects("staged", "GetObject", "DeleteObject")
    | objects("agent-inputs", "GetObject", "PutObject")
    | LISTING,
    "get_history": objects("agent-inputs", "GetObject"),
    "interrupts": OF_SUBMITS,
    "jobs": OF_SUBMITS,
    "mcp": OF_SUBMITS,
    "runner_api": OF_RUNNERS,
    "send_message": objects("agent-inputs", "GetObject", "PutObject") | objects("artifacts", "GetObject") | LISTING,
    "sign_attachment": objects("agent-inputs", "GetObject"),
    "start_job": OF_SUBMITS,
    "submit_run": OF_SUBMITS,
    "transcribe": objects("staged", "GetObject", "DeleteObject")
    | objects("transcription", "GetObject", "PutObject", "DeleteObject")
    | LISTING,
    "workspace_command": objects("agent-inputs", "GetObject", "PutObject")
    | objects("artifacts", "GetObject")
    | LISTING,
    "workspace_push": OF_SUBMITS | objects("artifacts", "GetObject"),
}
"""By function that uses the bucket, its rights to what is in it; no analysis finds which prefix an operation is for."""

FOR_PLATFORM: dict[str, _Rights] = {
    "deliver_webhooks": on(WEBHOOK_ATTEMPTS, "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"),
    "export_traces": on(ENDED_RUNS, "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"),
    "send_notifications": on(NOTIFICATIONS, "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"),
    "end_run": on("arn:aws:sqs:us-east-1:123456789012:yarrow-UndeliveredEnds", "sqs:SendMessage"),
    "repair_schedules": on(UNDELIVERED_JOBS, "sqs:SendMessage"),
    "start_job": on(UNDELIVERED_JOBS, "sqs:SendMessage"),
    "publish_events": on(STREAM, "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
    | on(UNDELIVERED_EVENTS, "sqs:SendMessage"),
    "expire_question": on(UNDELIVERED_EVENTS, "sqs:SendMessage"),
    "workspace_push": on(STREAM, "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
    | on("arn:aws:sqs:us-east-1:123456789012:yarrow-UndeliveredPushes", "sqs:SendMessage"),
}
"""By function, its rights for what Lambda does in its name: read the stream or queue, put aside what it failed on."""

OF_RECORDS = {"publish_events": {"DEPLOYMENT_WEBHOOKS", "QUESTIONS#", "WEBHOOKS#"}}
"""By function, the partitions whose items it only gets in records of the table's stream."""

ON: dict[str, tuple[str, ...]] = {
    "bedrock:InvokeModel": MODELS,
    "bedrock:InvokeModelWithResponseStream": MODELS,
    "bedrock:Rerank": ("*",),
    "bedrock:Retrieve": (KNOWLEDGE,),
    "events:PutEvents": ("arn:aws:events:us-east-1:123456789012:event-bus/yarrow-events",),
    **dict.fromkeys(("kms:Decrypt", "kms:Encrypt"), (CONNECTIONS_KEY,)),
    "lambda:InvokeFunction": (f"{LAMBDA}notes",),
    "scheduler:DeleteSchedule": (SCHEDULES,),
    "scheduler:ListSchedules": ("*",),
    "scheduler:UpdateSchedule": (SCHEDULES,),
    "secretsmanager:BatchGetSecretValue": ("*",),
    "secretsmanager:GetSecretValue": (SECRETS,),
    **dict.fromkeys(
        ("sns:CreatePlatformEndpoint", "sns:DeleteEndpoint", "sns:Publish", "sns:SetEndpointAttributes"), PUSH_TARGETS
    ),
    "states:StopExecution": EXECUTIONS,
    "transcribe:DeleteTranscriptionJob": (JOBS,),
    "transcribe:GetTranscriptionJob": (JOBS,),
    "transcribe:StartTranscriptionJob": ("*",),
    "xray:PutSpans": ("*",),
    "xray:PutTraceSegments": ("*",),
}
"""By action that functions use on the same resources, which these are."""

ONE_SECRET = {"export_traces": (TRACES_SECRET,)}
"""By function that reads no secret but one, which."""

INDEX = "sessions_by_activity"
STARTS = {"start_execution": f"{STATES}stateMachine:yarrow-runs", "start_turn": f"{STATES}stateMachine:yarrow-turns"}
"""By function of `runs.start_execution`, the machine whose executions it starts."""
SCHEDULERS: dict[str, _Rights] = {
    "yarrow.automation.schedules": on(SCHEDULES, "scheduler:CreateSchedule") | on(CALL_START_JOB, "iam:PassRole"),
    "yarrow.domain_events.question_timers": on(TIMERS, "scheduler:CreateSchedule")
    | on(CALL_EXPIRE_QUESTION, "iam:PassRole"),
    "yarrow.webhooks.queue": on(RETRIES, "scheduler:CreateSchedule") | on(SEND_ATTEMPTS, "iam:PassRole"),
}
"""By module that creates schedules, on what it does so, and the role that it passes."""
SENDERS: dict[str, _Rights] = {
    "yarrow.notifications.queue": on(NOTIFICATIONS, "sqs:SendMessage"),
    "yarrow.webhooks.queue": on(WEBHOOK_ATTEMPTS, "sqs:SendMessage"),
}
"""By module that sends to a queue, to which."""
TO_CONNECTIONS = {"post_to_connection": CONNECTIONS, "delete_connection": TO_CLOSE}


def needed(function: str) -> _Rights:
    """What the code of a function calls, on what; every right beyond that is one too many."""
    found = OBJECTS.get(function, set()) | FOR_PLATFORM.get(function, set())
    for action in actions(function):
        if action.startswith("dynamodb:"):
            found |= on(ON_TABLE, action)
        elif action == "secretsmanager:GetSecretValue" and function in ONE_SECRET:
            found |= {(action, resource) for resource in ONE_SECRET[function]}
        elif action in ON:
            found |= {(action, resource) for resource in ON[action]}
        elif action == "states:StartExecution":
            reached = reached_from(function)
            found |= {(action, STARTS[name]) for name in STARTS if ("yarrow.runs.start_execution", name) in reached}
        elif action in ("scheduler:CreateSchedule", "iam:PassRole"):
            modules = {module for module, _ in reached_from(function)}
            found |= {right for module in modules & set(SCHEDULERS) for right in SCHEDULERS[module]}
        elif action == "sqs:SendMessage":
            modules = {module for module, _ in reached_from(function)}
            found |= {right for module in modules & set(SENDERS) for right in SENDERS[module]}
        elif action == "execute-api:ManageConnections":
            called = {operation for service, operation in operations(function) if service == "connections"}
            found |= {(action, TO_CONNECTIONS[operation]) for operation in called}
        else:
            assert action.startswith("s3:"), action
    if names(function, INDEX):
        found |= on(f"{ON_TABLE}/index/{INDEX}", "dynamodb:Query")
    return found


OF_SERVICES: dict[str, _Rights] = {
    "BackUp": set(),
    "CallDailySweep": on(f"{LAMBDA}yarrow-RepairSchedulesFunction", "lambda:InvokeFunction")
    | on(UNDELIVERED_JOBS, "sqs:SendMessage"),
    "CallExpireQuestion": on(EXPIRE_QUESTION, "lambda:InvokeFunction") | on(UNDELIVERED_EVENTS, "sqs:SendMessage"),
    "CallProbe": on(f"{LAMBDA}yarrow-ProbeFunction", "lambda:InvokeFunction"),
    "CallStartJob": on(START_JOB, "lambda:InvokeFunction") | on(UNDELIVERED_JOBS, "sqs:SendMessage"),
    "CodeDeployService": set(),
    "RunMachine": on(f"{LAMBDA}yarrow-ExecuteRunFunction", "lambda:InvokeFunction")
    | on(
        "*",
        "logs:CreateLogDelivery",
        "logs:DeleteLogDelivery",
        "logs:DescribeLogGroups",
        "logs:DescribeResourcePolicies",
        "logs:GetLogDelivery",
        "logs:ListLogDeliveries",
        "logs:PutResourcePolicy",
        "logs:UpdateLogDelivery",
    ),
    "SendAttempts": on(WEBHOOK_ATTEMPTS, "sqs:SendMessage") | on(UNDELIVERED_WEBHOOKS, "sqs:SendMessage"),
    "StageUploads": on(FORMS, "s3:PutObject"),
}
"""By role of another service, every right it has."""

MANAGED = {
    "AWSBackupServiceRolePolicyForBackup": "with BackupDays: back the table up",
    "AWSBackupServiceRolePolicyForS3Backup": "with BackupDays: back the bucket up",
    "AWSCodeDeployRoleForLambda": "moves an alias from one version to the next, and looks at alarms",
    "AWSLambdaBasicExecutionRole": "SAM's: write logs",
    "AWSXrayWriteOnlyAccess": "SAM's: send traces",
}

_KEYS = "objects have ids of their own; what they are for is the prefix"
WILDCARDS = {
    f"{ON_BUCKET}/agent-inputs/*": _KEYS,
    f"{ON_BUCKET}/artifacts/*": _KEYS,
    f"{ON_BUCKET}/staged/*": _KEYS,
    f"{ON_BUCKET}/steps/*": _KEYS,
    FORMS: _KEYS,
    f"{ON_BUCKET}/storage/*": _KEYS,
    f"{ON_BUCKET}/transcription/*": _KEYS,
    CONNECTIONS: "a connection has an id of its own; of this API alone, and no more than posting",
    TO_CLOSE: "a connection has an id of its own; of this API alone, and no more than closing it",
    SCHEDULES: "a schedule has the id of its job after this",
    TIMERS: "a timer has the id of its question after this",
    **dict.fromkeys(ENDPOINTS, "an endpoint has an id of its own; of the deployment's applications alone"),
    RETRIES: "a schedule has the id of its delivery after this",
    "scheduler:ListSchedules *": "IAM knows no resource for it: of the account's schedules it shows names and targets",
    **dict.fromkeys(EXECUTIONS, "an execution's name is made of the key of its run"),
    **dict.fromkeys(MODELS, "which models are used, and in which region, is a parameter that may change"),
    KNOWLEDGE: "which knowledge bases are used is a parameter that may change",
    SECRETS: "which secrets agents name is theirs to say; they are of this deployment by the prefix",
    "secretsmanager:BatchGetSecretValue *": "IAM knows no resource for it; secretsmanager:GetSecretValue says which",
    JOBS: "a job has a random name after this",
    "bedrock:Rerank *": "IAM knows no resource for it; which models may rerank, bedrock:InvokeModel says",
    "xray:PutSpans *": "IAM knows no resource for it; it writes traces, and reads none",
    "xray:PutTraceSegments *": "IAM knows no resource for it; it writes traces, and reads none",
    "transcribe:StartTranscriptionJob *": "IAM knows no resource for it; a condition names the bucket it writes to",
    **dict.fromkeys(
        sorted(f"{action} *" for action, resource in OF_SERVICES["RunMachine"] if resource == "*"),
        "Step Functions needs it to log, and IAM knows no resource for it",
    ),
}
"""By what has a `*` in it, why that is as narrow as it can be."""


@dataclass(frozen=True)
class Statement:
    """What one statement allows whom; `condition` as in the template."""

    role: str
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    condition: Mapping[str, Any]


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    return translate(TEMPLATE, PARAMETERS)


@pytest.fixture(scope="module")
def statements(template: dict[str, Any]) -> list[Statement]:
    resolver = Resolver(template, PARAMETERS)
    return [
        Statement(role, as_tuple(statement["Action"]), as_tuple(statement["Resource"]), statement.get("Condition", {}))
        for role, document in documents(template["Resources"])
        for statement in resolver.resolve(document)["Statement"]
        if statement["Effect"] == "Allow"
    ]


def documents(resources: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the roles by name, without `Role`, with each policy of theirs."""
    for name, resource in resources.items():
        properties = resource.get("Properties", {})
        match resource["Type"]:
            case "AWS::IAM::Role":
                yield from (
                    (name.removesuffix("Role"), policy["PolicyDocument"]) for policy in properties.get("Policies", ())
                )
            case "AWS::IAM::Policy":
                (role,) = properties["Roles"]
                yield role["Ref"].removesuffix("Role"), properties["PolicyDocument"]


def as_tuple(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def folder_of(template: dict[str, Any], role: str) -> str:
    key: str = template["Resources"][role]["Properties"]["Code"]["S3Key"]
    return Path(key).name


FOLDERS = sorted(path.parent.name for path in ROOT.glob("functions/*/app.py"))


def role_of(folder: str) -> str:
    """The logical id of a function, which is its role's without `Role`."""
    return "".join(map(str.capitalize, folder.split("_"))) + "Function"


def test_every_role_is_of_a_function_or_in_the_table(template: dict[str, Any]) -> None:
    """SEC-07."""
    roles = {name for name, resource in template["Resources"].items() if resource["Type"] == "AWS::IAM::Role"}
    assert {role.removesuffix("Role") for role in roles} == {*OF_SERVICES, *map(role_of, FOLDERS)}
    assert all(folder_of(template, role_of(folder)) == folder for folder in FOLDERS)
    assert set(OBJECTS) | set(FOR_PLATFORM) <= set(FOLDERS)


def test_every_policy_is_of_the_current_language(template: dict[str, Any]) -> None:
    """Without a version IAM takes that of 2008, which knows no variables."""
    runner = translate(TEMPLATE.parent / "examples/remote_runner/template.yaml", {"CoreLayer": "a", "RunnerApi": "b"})
    found = [*policies(template["Resources"]), *policies(runner["Resources"])]
    assert len(found) > len(FOLDERS)
    without = [item["Statement"][0]["Action"] for item in found if item.get("Version") != "2012-10-17"]
    assert without == ["sqs:SendMessage"] * 4  # SAM's own, for the queues of functions that are called asynchronously


def policies(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every policy document in a piece of a template."""
    match value:
        case {"Statement": list()}:
            yield value
        case dict():
            yield from (policy for member in value.values() for policy in policies(member))
        case list():
            yield from (policy for item in value for policy in policies(item))


def granted(statements: list[Statement], role: str) -> _Rights:
    return {
        (action, resource)
        for statement in statements
        if statement.role == role
        for action in statement.actions
        for resource in statement.resources
    }


@pytest.mark.parametrize("role", sorted(OF_SERVICES))
def test_a_role_of_a_service_has_the_rights_of_the_table(statements: list[Statement], role: str) -> None:
    """SEC-07."""
    assert granted(statements, role) == OF_SERVICES[role]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_function_is_granted_what_its_code_calls(statements: list[Statement], folder: str) -> None:
    """SEC-07: no right that is not used, none that is used missing."""
    found = granted(statements, role_of(folder))
    assert found == needed(folder)
    on_objects = {action for action, _ in found if action.startswith("s3:")}
    assert on_objects == {action for action in actions(folder) if action.startswith("s3:")}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_function_touches_the_partitions_its_code_names(statements: list[Statement], folder: str) -> None:
    """SEC-07: of the table; whose partition of that kind, the code decides, for a function serves all users."""
    on_items = [
        statement for statement in statements if statement.role == role_of(folder) and ON_TABLE in statement.resources
    ]
    keys = {
        key.removesuffix("*")
        for item in on_items
        for condition in item.condition.values()
        for key in as_tuple(condition["dynamodb:LeadingKeys"])
    }
    assert keys == partitions(folder) - OF_RECORDS.get(folder, set())
    assert all(item.condition for item in on_items)


def test_each_wildcard_has_a_reason(statements: list[Statement]) -> None:
    """SEC-07: Each reason has a wildcard, too."""
    found = {
        f"{action} *" if resource == "*" else resource
        for statement in statements
        for action in statement.actions
        for resource in statement.resources
        if "*" in action + resource
    }
    assert found == set(WILDCARDS)
    assert not any("*" in action for statement in statements for action in statement.actions)


def test_listing_is_limited_to_what_a_function_reads(statements: list[Statement]) -> None:
    """SEC-07: a request without a prefix asks for one object, or lists all, which is accepted (docs/operations.md): no
    smaller right tells a 404 from a 403."""
    for statement in statements:
        if "s3:ListBucket" in statement.actions:
            prefixes = as_tuple(statement.condition["StringLikeIfExists"]["s3:prefix"])
            read = {
                resource.removeprefix(f"{ON_BUCKET}/")
                for other in statements
                if other.role == statement.role and "s3:GetObject" in other.actions
                for resource in other.resources
            }
            assert set(prefixes) <= read, statement.role


def test_managed_policies_are_few(template: dict[str, Any]) -> None:
    attached = {
        (arn["Fn::Sub"] if isinstance(arn, dict) else arn).rpartition("/")[2]
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::IAM::Role"
        for arn in resource["Properties"].get("ManagedPolicyArns", ())
    }
    assert attached == set(MANAGED)


def test_the_key_is_used_through_the_services_that_keep_data(template: dict[str, Any]) -> None:
    """SEC-05: by who may use what they keep, by logs and alarms; directly by administrators alone."""
    policy = template["Resources"]["DataKey"]["Properties"]["KeyPolicy"]["Statement"]
    administration, through, logs, alarms = policy
    assert administration["Principal"] == {"AWS": {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:root"}}
    assert set(through["Condition"]["StringEquals"]) == {"kms:CallerAccount", "kms:ViaService"}
    services = [item["Fn::Sub"].partition(".")[0] for item in through["Condition"]["StringEquals"]["kms:ViaService"]]
    assert services == ["dynamodb", "lambda", "s3", "secretsmanager"]
    assert set(logs["Condition"]["ArnLike"]) == {"kms:EncryptionContext:aws:logs:arn"}
    assert alarms["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_alarms_of_this_stack_alone_are_told_on_its_topic(template: dict[str, Any]) -> None:
    """SEC-07."""
    allowed, _ = template["Resources"]["AlarmTopicPublishers"]["Properties"]["PolicyDocument"]["Statement"]
    assert (allowed["Principal"], allowed["Action"]) == ({"Service": "cloudwatch.amazonaws.com"}, "sns:Publish")
    assert allowed["Condition"]["ArnLike"]["aws:SourceArn"]["Fn::Sub"].endswith(":alarm:${AWS::StackName}-*")


OF_THE_ACCOUNT = {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}
BOUND_TO: dict[str, dict[str, Any]] = {
    "BackUp": {"StringEqualsIfExists": OF_THE_ACCOUNT},
    "CallDailySweep": {"StringEquals": OF_THE_ACCOUNT, "ArnEquals": "ScheduledTasks:Arn"},
    "CallExpireQuestion": {"StringEquals": OF_THE_ACCOUNT, "ArnEquals": "QuestionTimers:Arn"},
    "CallProbe": {"StringEquals": OF_THE_ACCOUNT, "ArnEquals": "ScheduledTasks:Arn"},
    "CallStartJob": {"StringEquals": OF_THE_ACCOUNT, "ArnEquals": "JobSchedules:Arn"},
    "RunMachineRole": {
        "StringEquals": OF_THE_ACCOUNT,
        "ArnLike": ("stateMachine:${AWS::StackName}-runs", "stateMachine:${AWS::StackName}-turns"),
    },
    "SendAttempts": {"StringEquals": OF_THE_ACCOUNT, "ArnEquals": "WebhookRetries:Arn"},
    "StageUploads": {"StringEqualsIfExists": OF_THE_ACCOUNT},
}
"""By role that a service other than Lambda takes, what it must act for."""


def test_a_service_takes_a_role_for_this_stack_alone(template: dict[str, Any]) -> None:
    """SEC-07: No other account's schedule, state machine or API may use it (confused deputy). Lambda and CodeDeploy
    name no source."""
    without = {"codedeploy.amazonaws.com", "lambda.amazonaws.com"}
    bound = {}
    for name, resource in template["Resources"].items():
        if resource["Type"] != "AWS::IAM::Role":
            continue
        (statement,) = resource["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        if set(as_tuple(statement["Principal"]["Service"])) <= without:
            assert "Condition" not in statement, name
        else:
            bound[name] = statement["Condition"]
    assert bound.keys() == BOUND_TO.keys()
    for name, condition in bound.items():
        assert condition.keys() == BOUND_TO[name].keys(), name
        for operator, wanted in BOUND_TO[name].items():
            if isinstance(wanted, dict):
                assert condition[operator] == wanted, name
            else:
                named = condition[operator]["aws:SourceArn"]
                sources = named if isinstance(named, list) else [named]
                for source, end in zip(sources, as_tuple(wanted), strict=True):
                    assert text_of(source).endswith(end), name


def text_of(source: Mapping[str, Any]) -> str:
    """An ARN that a condition compares `aws:SourceArn` with: its text, or the resource and attribute it refers to."""
    match source:
        case {"Fn::Sub": str(text)}:
            return text
        case {"Fn::GetAtt": [resource, attribute]}:
            return f"{resource}:{attribute}"
    raise AssertionError(source)
