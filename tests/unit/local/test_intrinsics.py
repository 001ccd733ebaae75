"""CloudFormation's intrinsic functions give what CloudFormation would."""

from typing import Any

import pytest

from local.intrinsics import Resolver
from local.stack import TemplateError

TEMPLATE = {
    "Parameters": {"Colour": {"Default": "red"}, "Size": {"Default": 3}},
    "Conditions": {
        "Red": {"Fn::Equals": [{"Ref": "Colour"}, "red"]},
        "NotRed": {"Fn::Not": [{"Condition": "Red"}]},
        "Both": {"Fn::And": [{"Condition": "Red"}, {"Condition": "NotRed"}]},
        "Either": {"Fn::Or": [{"Condition": "Red"}, {"Condition": "NotRed"}]},
    },
    "Resources": {
        "Table": {"Type": "AWS::DynamoDB::Table"},
        "Named": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": {"Fn::Sub": "of-${Colour}"}}},
        "Bucket": {"Type": "AWS::S3::Bucket"},
        "Machine": {"Type": "AWS::StepFunctions::StateMachine"},
        "Work": {"Type": "AWS::Lambda::Function"},
        "Pool": {"Type": "AWS::Cognito::UserPool", "Condition": "NotRed"},
        "Topic": {"Type": "AWS::SNS::Topic"},
    },
}


@pytest.fixture
def resolver() -> Resolver:
    return Resolver(TEMPLATE, {})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"Ref": "Colour"}, "red"),
        ({"Ref": "Size"}, "3"),
        ({"Ref": "AWS::Region"}, "us-east-1"),
        ({"Ref": "Table"}, "yarrow-Table"),
        ({"Ref": "Named"}, "of-red"),
        ({"Ref": "Bucket"}, "yarrow-bucket"),
        ({"Ref": "Machine"}, "arn:aws:states:us-east-1:123456789012:stateMachine:yarrow-Machine"),
        ({"Fn::GetAtt": ["Machine", "Name"]}, "yarrow-Machine"),
        ({"Fn::GetAtt": "Work.Arn"}, "arn:aws:lambda:us-east-1:123456789012:function:yarrow-Work"),
        ({"Fn::Sub": "${Table.Arn}/index/*"}, "arn:aws:dynamodb:us-east-1:123456789012:table/yarrow-Table/index/*"),
        ({"Fn::Sub": "${Colour}, not ${!Colour}"}, "red, not ${Colour}"),
        ({"Fn::Sub": ["${Name} is ${Colour}", {"Name": {"Ref": "Table"}}]}, "yarrow-Table is red"),
        ({"Fn::Join": ["/", ["a", {"Ref": "Colour"}]]}, "a/red"),
        ({"Fn::If": ["Red", {"Ref": "Table"}, {"Ref": "Pool"}]}, "yarrow-Table"),
        ({"Fn::If": ["Both", "yes", "no"]}, "no"),
        ({"Fn::If": ["Either", "yes", "no"]}, "yes"),
        ({"a": {"Fn::If": ["NotRed", "b", {"Ref": "AWS::NoValue"}]}, "c": [{"Ref": "AWS::NoValue"}, 1]}, {"c": [1]}),
    ],
)
def test_a_value_is_resolved(resolver: Resolver, value: Any, expected: Any) -> None:
    assert resolver.resolve(value) == expected


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({"Ref": "Nothing"}, "Nothing is neither"),
        ({"Ref": "Pool"}, "Pool is neither"),
        ({"Ref": "Topic"}, "AWS::SNS::Topic has no local value"),
        ({"Fn::GetAtt": ["Table", "Colour"]}, "Fn::GetAtt Table.Colour"),
        ({"Fn::ImportValue": "x"}, "Fn::ImportValue is not supported"),
        ({"Fn::If": ["Blue", 1, 2]}, "no condition Blue"),
    ],
)
def test_what_cannot_be_resolved_is_named(resolver: Resolver, value: Any, complaint: str) -> None:
    with pytest.raises(TemplateError, match=complaint):
        resolver.resolve(value)


def test_a_given_parameter_replaces_the_default() -> None:
    assert Resolver(TEMPLATE, {"Colour": "blue"}).holds("NotRed")


@pytest.mark.parametrize(
    ("template", "parameters", "complaint"),
    [
        (TEMPLATE, {"Shape": "round"}, "no parameter Shape"),
        ({"Parameters": {"Needed": {}}, "Resources": {}}, {}, "no value for the parameter Needed"),
    ],
)
def test_parameters_and_template_must_agree(template: Any, parameters: dict[str, str], complaint: str) -> None:
    with pytest.raises(TemplateError, match=complaint):
        Resolver(template, parameters)
