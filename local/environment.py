"""Builds the environment variables that Lambda would set for the functions."""

import os
from collections.abc import Iterable, Mapping

from local.stack import REGION, Function, TemplateError

# DynamoDB Local or another engine can replace the emulator's tables. The caller's other AWS settings (profiles,
# sessions, endpoints) must not reach the stack.
_KEPT = "AWS_ENDPOINT_URL_DYNAMODB"
# Lambda starts a function's process with it; here functions share this process.
_NOT_APPLIED = "AWS_LAMBDA_EXEC_WRAPPER"

KEY = "local"
"""The only access key, equal to its secret."""

_FIXED = {
    "AWS_REGION": REGION,
    "AWS_DEFAULT_REGION": REGION,
    "AWS_ACCESS_KEY_ID": KEY,
    "AWS_SECRET_ACCESS_KEY": KEY,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "POWERTOOLS_METRICS_DISABLED": "true",
    "POWERTOOLS_TRACE_DISABLED": "true",
}


def isolated(environment: Mapping[str, str]) -> dict[str, str]:
    """Return this environment with local AWS settings only; loopback traffic bypasses proxies."""
    kept = {name: value for name, value in environment.items() if not name.startswith("AWS_") or name == _KEPT}
    hosts = ",".join(filter(None, [environment.get("NO_PROXY", environment.get("no_proxy")), "127.0.0.1", "localhost"]))
    return kept | _FIXED | {"NO_PROXY": hosts, "no_proxy": hosts}


def of_functions(functions: Iterable[Function]) -> dict[str, str]:
    """Merge the functions' variables; conflicting values are an error, since functions share a process or its forks."""
    together: dict[str, tuple[str, str]] = {}
    for function in functions:
        for name, value in function.environment.items():
            other, earlier = together.setdefault(name, (function.name, value))
            if value != earlier:
                raise TemplateError(
                    f"{name} is {earlier!r} for {other} and {value!r} for {function.name}; "
                    "functions that run in one process need one value"
                )
    return {name: value for name, (_, value) in together.items() if name != _NOT_APPLIED}
