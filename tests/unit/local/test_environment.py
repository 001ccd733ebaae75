"""The environment of the local process."""

from pathlib import Path

import pytest

from local.environment import isolated, of_functions
from local.stack import Function, TemplateError


def function(name: str, **environment: str) -> Function:
    return Function(name, f"arn:{name}", Path(name), "app.handler", environment, timeout=3, memory=128)


def test_nothing_of_the_callers_aws_account_remains() -> None:
    caller = {
        "AWS_PROFILE": "work",
        "AWS_SESSION_TOKEN": "secret",
        "AWS_ENDPOINT_URL_S3": "https://s3",
        "HOME": "/home",
    }
    environment = isolated(caller)
    assert environment["HOME"] == "/home"
    assert environment["AWS_ACCESS_KEY_ID"] == "local"
    assert {"AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3"}.isdisjoint(environment)


def test_another_dynamodb_can_take_the_emulators_place() -> None:
    name = "AWS_ENDPOINT_URL_DYNAMODB"
    assert isolated({name: "http://127.0.0.1:8000"})[name] == "http://127.0.0.1:8000"


def test_loopback_is_reached_without_the_callers_proxy() -> None:
    assert isolated({"NO_PROXY": "example.com"})["NO_PROXY"] == "example.com,127.0.0.1,localhost"


def test_functions_share_their_variables_except_what_starts_a_process() -> None:
    functions = [function("a", X="1", AWS_LAMBDA_EXEC_WRAPPER="/opt/run"), function("b", X="1", Y="2")]
    assert of_functions(functions) == {"X": "1", "Y": "2"}


def test_two_values_for_one_name_are_an_error() -> None:
    with pytest.raises(TemplateError, match="X is '1' for a and '2' for b"):
        of_functions([function("a", X="1"), function("b", X="2")])
