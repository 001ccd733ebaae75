"""What a stack makes for a parameter alone: domains, backups, a budget; and where their addresses appear."""

import json
from typing import Any

import pytest

from local.intrinsics import Resolver
from local.template import load
from local.translation import translate
from tests.support.paths import ROOT
from yarrow.settings import Settings

TEMPLATE = ROOT / "template.yaml"
ISSUER = {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"}
DOMAIN = {
    "DomainName": "api.example.com",
    "WorkspaceDomainName": "workspaces.example.com",
    "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/a",
}
ZONE = {"HostedZoneId": "Z0123456789"}
BACKUP = {"BackupDays": "35"}
PROBE = {"ProbeMinutes": "5"}
BUDGET = {"MonthlyBudget": "100", "AlarmEmail": "ops@example.com"}

DOMAINS = {"Domain", "DomainMapping", "WorkspaceDomain", "WorkspaceDomainMapping"}
RECORDS = {"DomainRecord", "WorkspaceDomainRecord"}
PROBES = {"Probing", "CallProbe", "ProbeOverdue"}
BACKUPS = {"BackupVault", "BackupPlan", "BackupSelection", "BackUp", "BackupsFailing"}


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    return translate(TEMPLATE, {})


def made(template: dict[str, Any], **parameters: str) -> set[str]:
    resolver = Resolver(template, parameters)
    ours = DOMAINS | RECORDS | BACKUPS | PROBES | {"Budget"}
    assert ours <= template["Resources"].keys()
    return {name for name in ours if resolver.exists(name)}


@pytest.mark.parametrize(
    ("parameters", "wanted"),
    [
        ({}, set()),
        (DOMAIN, DOMAINS),
        (DOMAIN | ZONE, DOMAINS | RECORDS),
        (DOMAIN | {"WorkspaceDomainName": ""} | ZONE, {"Domain", "DomainMapping", "DomainRecord"}),
        (BACKUP, BACKUPS),
        (BUDGET, {"Budget"}),
        (PROBE, PROBES),
    ],
)
def test_a_parameter_makes_what_it_is_for(
    template: dict[str, Any], parameters: dict[str, str], wanted: set[str]
) -> None:
    """By default nothing: each costs, or needs what only its owner has."""
    assert made(template, **parameters) == wanted


def environment(variable: str, **parameters: str) -> set[str]:
    functions = load(TEMPLATE, ISSUER | parameters).functions.values()
    return {function.environment[variable] for function in functions if variable in function.environment}


def test_what_models_are_asked_is_kept_by_a_parameter_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-10: by default no function is told to keep it; `execute_run`, which grants runs what they may, decides."""
    monkeypatch.delenv("RUN_CONTENTS", raising=False)
    assert environment("RUN_CONTENTS") == set()
    assert not Settings().keeps_contents
    functions = load(TEMPLATE, ISSUER | {"RunContents": "true"}).functions.values()
    told = {function.name: function.environment for function in functions if "RUN_CONTENTS" in function.environment}
    assert told.keys() == {"yarrow-ExecuteRunFunction"}
    monkeypatch.setenv("RUN_CONTENTS", told["yarrow-ExecuteRunFunction"]["RUN_CONTENTS"])
    assert Settings().keeps_contents


def test_with_domains_their_addresses_are_handed_out(template: dict[str, Any]) -> None:
    """To pages with a ticket, to the console and the sign-in that returns to it, and by the outputs."""
    assert environment("WORKSPACE_URL", **DOMAIN) == {"wss://workspaces.example.com"}
    assert environment("CONSOLE_URL", **DOMAIN) == {"https://api.example.com/"}
    own = DOMAIN | {"ConsoleUrl": "https://app.example.com/console/"}
    assert environment("CONSOLE_URL", **own) == {"https://app.example.com/console/"}
    resolver = Resolver(template, DOMAIN)
    client = template["Resources"]["UserPoolClient"]["Properties"]
    for member in ("CallbackURLs", "LogoutURLs"):
        assert resolver.resolve(client[member]) == ["https://api.example.com/"]
    assert resolver.resolve(template["Outputs"]["ApiUrl"]["Value"]) == "https://api.example.com"
    assert resolver.resolve(template["Outputs"]["ConsoleUrl"]["Value"]) == "https://api.example.com/"
    assert resolver.resolve(template["Outputs"]["WorkspaceUrl"]["Value"]) == "wss://workspaces.example.com"


def test_without_a_domain_addresses_are_those_of_api_gateway(template: dict[str, Any]) -> None:
    assert environment("CONSOLE_URL") == {""}
    (url,) = environment("WORKSPACE_URL")
    assert url.endswith(".amazonaws.com/live")
    resolver = Resolver(template, {})
    assert resolver.resolve(template["Outputs"]["ApiUrl"]["Value"]).endswith(".amazonaws.com/live")
    urls = template["Resources"]["UserPoolClient"]["Properties"]["CallbackURLs"]
    assert resolver.resolve({"CallbackURLs": urls}) == {}


def test_what_the_stack_calls_itself_keeps_its_own_addresses() -> None:
    """Posts to pages and callbacks of runners are signed for API Gateway's addresses."""
    assert environment("WORKSPACE_ENDPOINT", **DOMAIN) == environment("WORKSPACE_ENDPOINT")
    assert environment("RUNNER_API_URL", **DOMAIN) == environment("RUNNER_API_URL")


def test_a_domain_leads_to_the_stage_of_its_api(template: dict[str, Any]) -> None:
    resources = template["Resources"]
    mapping, sockets = resources["DomainMapping"]["Properties"], resources["WorkspaceDomainMapping"]["Properties"]
    assert "BasePath" not in mapping
    assert "ApiMappingKey" not in sockets
    assert (mapping["RestApiId"], mapping["Stage"]) == ({"Ref": "Api"}, {"Ref": "ApiliveStage"})
    assert (sockets["ApiId"], sockets["Stage"]) == ({"Ref": "WorkspaceApi"}, {"Ref": "WorkspaceStage"})
    resolver = Resolver(template, DOMAIN)
    assert resolver.resolve(resources["Domain"]["Properties"]["SecurityPolicy"]) == "TLS_1_2"


def test_backups_are_of_the_table_in_use_and_the_bucket(template: dict[str, Any]) -> None:
    """A bucket is backed up only with versions, which it has for nothing else."""
    resources = template["Resources"]
    for parameters, table in ((BACKUP, "yarrow-Table"), (BACKUP | {"RestoredTable": "restored"}, "restored")):
        resolver = Resolver(template, parameters)
        selected = resolver.resolve(resources["BackupSelection"]["Properties"]["BackupSelection"]["Resources"])
        assert [text.rpartition(":")[2] for text in selected] == [f"table/{table}", "yarrow-inputs"]
        bucket = resolver.resolve(resources["Inputs"]["Properties"]["VersioningConfiguration"])
        assert bucket == {"Status": "Enabled"}
    assert "VersioningConfiguration" not in Resolver(template, {}).resolve(
        {"VersioningConfiguration": resources["Inputs"]["Properties"]["VersioningConfiguration"]}
    )


@pytest.mark.parametrize("vault", ["", "arn:aws:backup:eu-west-1:210987654321:backup-vault:copies"])
def test_a_backup_is_copied_where_the_parameter_says(template: dict[str, Any], vault: str) -> None:
    resolver = Resolver(template, BACKUP | {"BackupCopyVault": vault})
    (rule,) = template["Resources"]["BackupPlan"]["Properties"]["BackupPlan"]["BackupPlanRule"]
    copies = resolver.resolve({"CopyActions": rule["CopyActions"]}).get("CopyActions", [])
    assert [copy["DestinationBackupVaultArn"] for copy in copies] == [vault] * bool(vault)
    assert resolver.resolve(rule["Lifecycle"]) == {"DeleteAfterDays": "35"}


@pytest.mark.parametrize(("parameters", "host"), [({}, "local.execute-api"), (DOMAIN, "api.example.com")])
def test_the_probe_calls_the_address_that_clients_call(
    template: dict[str, Any], parameters: dict[str, str], host: str
) -> None:
    resolver = Resolver(template, PROBE | parameters)
    schedule = resolver.resolve(template["Resources"]["Probing"]["Properties"])
    assert schedule["ScheduleExpression"] == "rate(5 minutes)"
    url = json.loads(schedule["Target"]["Input"])["url"]
    assert url == resolver.resolve(template["Outputs"]["ApiUrl"]["Value"])
    assert url.startswith(f"https://{host}")


def test_the_probes_alarm_counts_by_the_schedules_interval(template: dict[str, Any]) -> None:
    """CloudFormation cannot multiply, so a table has the seconds of each value."""
    minutes = template["Parameters"]["ProbeMinutes"]["AllowedValues"]
    seconds = {int(key): period["Period"] for key, period in template["Mappings"]["Seconds"].items()}
    assert seconds == {minute: 60 * minute or 300 for minute in minutes}


def test_a_budget_tells_before_and_at_its_end(template: dict[str, Any]) -> None:
    resolver = Resolver(template, BUDGET)
    budget = resolver.resolve(template["Resources"]["Budget"]["Properties"])
    output = {
        (subscriber["Notification"]["NotificationType"], subscriber["Notification"]["Threshold"]): subscriber[
            "Subscribers"
        ]
        for subscriber in budget["NotificationsWithSubscribers"]
    }
    mail = [{"SubscriptionType": "EMAIL", "Address": "ops@example.com"}]
    assert output == {("ACTUAL", 80): mail, ("FORECASTED", 100): mail}
    assert "CostFilters" not in budget["Budget"]
    of_stack = Resolver(template, BUDGET | {"BudgetScope": "stack"}).resolve(
        template["Resources"]["Budget"]["Properties"]
    )
    assert of_stack["Budget"]["CostFilters"] == {"TagKeyValue": ["aws:cloudformation:stack-name$yarrow"]}


REFUSED = [
    ({"DomainName": "api.example.com"}, "CertificateArn is required with DomainName and WorkspaceDomainName"),
    ({"WorkspaceDomainName": "w.example.com"}, "CertificateArn is required with DomainName and WorkspaceDomainName"),
    (ZONE, "HostedZoneId is of use with DomainName or WorkspaceDomainName only"),
    ({"BackupCopyVault": "arn"}, "BackupDays is required with BackupCopyVault"),
    ({"MonthlyBudget": "100"}, "AlarmEmail is required with MonthlyBudget"),
]


@pytest.mark.parametrize(("parameters", "wanted"), [*REFUSED, (DOMAIN | ZONE | BACKUP | BUDGET, "")])
def test_what_does_not_fit_together_is_refused(
    template: dict[str, Any], parameters: dict[str, str], wanted: str
) -> None:
    resolver = Resolver(template, parameters)
    refusals = [
        assertion["AssertDescription"]
        for rule in template["Rules"].values()
        if resolver.resolve(rule.get("RuleCondition", True))
        for assertion in rule["Assertions"]
        if not resolver.resolve(assertion["Assert"])
    ]
    assert refusals == [wanted] * bool(wanted)


# ---- Notifications ---------------------------------------------------------------------------------------------------
APPLICATIONS = {
    "ApnsApplicationArn": "arn:aws:sns:us-west-2:123456789012:app/APNS/notes",
    "ApnsSandboxApplicationArn": "arn:aws:sns:eu-west-1:123456789012:app/APNS_SANDBOX/notes",
    "FcmApplicationArn": "arn:aws:sns:eu-west-1:123456789012:app/GCM/notes",
}


def of_sns(template: dict[str, Any], parameters: dict[str, str]) -> set[tuple[str, str]]:
    """The rights of all functions in SNS: actions and resources."""
    resolver = Resolver(template, parameters)
    roles = [item["Properties"] for item in template["Resources"].values() if item["Type"] == "AWS::IAM::Role"]
    policies = [resolver.resolve(policy["PolicyDocument"]) for role in roles for policy in role.get("Policies", ())]
    return {
        (action, resource)
        for policy in policies
        for statement in policy["Statement"]
        for action in [statement["Action"]] * isinstance(statement["Action"], str) or statement["Action"]
        if action.startswith("sns:")
        for resource in statement["Resource"]
    }


@pytest.mark.parametrize("name", APPLICATIONS)
def test_an_application_alone_has_apps_notified_by_it(template: dict[str, Any], name: str) -> None:
    """EVB-10, SEC-07: With rights to that application and its endpoints, and to no other."""
    parameters = {name: APPLICATIONS[name]}
    resolver = Resolver(template, parameters)
    assert resolver.exists("SendNotificationsOfQueue")
    assert resolver.exists("EventsToNotifications")
    application = APPLICATIONS[name]
    found = of_sns(template, parameters)
    assert {resource for _, resource in found} == {application, application.replace(":app/", ":endpoint/") + "/*"}
    actions = ("CreatePlatformEndpoint", "DeleteEndpoint", "Publish", "SetEndpointAttributes")
    assert {action for action, _ in found} == {f"sns:{action}" for action in actions}


def test_without_applications_nothing_is_asked_of_sns(template: dict[str, Any]) -> None:
    """EVB-10."""
    assert of_sns(template, {"WebPushContact": "mailto:ops@example.com"}) == set()
    assert not Resolver(template, {}).exists("SendNotificationsOfQueue")
    assert not Resolver(template, {}).exists("EventsToNotifications")
