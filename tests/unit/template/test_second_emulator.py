"""The template as `make test-package` deploys it: changed for what the emulator lacks, and nowhere else."""

import json
import re
from typing import Any

import pytest

from local.translation import translate
from tests.packaged import lacking
from tests.packaged.lacking import LACKS, Addresses
from tests.support.paths import ROOT

EMULATOR = Addresses("http://127.0.0.1:4566", "http://127.0.0.1:9000", "/layer")
CHANGED_IN_PLACE = {
    "AWS::ApiGateway::Deployment",
    "AWS::ApiGateway::RestApi",
    "AWS::ApiGatewayV2::Authorizer",
    "AWS::Lambda::Alias",
    "AWS::Lambda::Function",
    "AWS::Scheduler::Schedule",  # of the probe, which has the address of the API
}


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    return translate(ROOT / "template.yaml", {})


def test_each_change_finds_what_it_is_for(template: dict[str, Any]) -> None:
    _, changes = lacking.adapted(template, EMULATOR)
    assert set(changes) == {lack.feature for lack in LACKS if lack.change}
    assert all(changes.values()), changes


def test_only_what_the_emulator_lacks_is_taken_out(template: dict[str, Any]) -> None:
    changed, _ = lacking.adapted(template, EMULATOR)
    before, after = template["Resources"], changed["Resources"]
    gone = {before[name]["Type"] for name in before.keys() - after.keys()}
    assert gone == {
        "AWS::CodeDeploy::Application",
        "AWS::CodeDeploy::DeploymentGroup",
        "AWS::CloudWatch::Alarm",
        "AWS::CloudWatch::Dashboard",
        "AWS::Logs::QueryDefinition",
    }
    assert {after[name]["Type"] for name in after.keys() - before.keys()} == {"AWS::ApiGateway::GatewayResponse"}
    other = {before[name]["Type"] for name in before.keys() & after.keys() if before[name] != after[name]}
    assert other <= CHANGED_IN_PLACE, other - CHANGED_IN_PLACE


def test_nothing_refers_to_what_was_taken_out(template: dict[str, Any]) -> None:
    changed, _ = lacking.adapted(template, EMULATOR)
    gone = template["Resources"].keys() - changed["Resources"].keys()
    conditional = {"ApiFailing", "RequestsFailing", "RunsFailing"}  # alarms that deployments name, in a condition
    assert gone & set(re.findall(r"\w+", json.dumps(changed))) <= conditional


def test_no_function_gets_an_address_of_aws(template: dict[str, Any]) -> None:
    """The sign-in page is for browsers."""
    changed, _ = lacking.adapted(template, EMULATOR)
    functions = [resource for resource in changed["Resources"].values() if resource["Type"] == "AWS::Lambda::Function"]
    assert not re.search(r"//[^\"]*\.execute-api\.|cognito-idp", json.dumps(functions))


def test_the_record_has_the_table() -> None:
    record = (ROOT / "docs/decisions/second-emulator.md").read_text(encoding="utf-8")
    assert lacking.table() in record
