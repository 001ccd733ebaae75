"""The environment variables of the local process: what Lambda would set for every function, in one process."""

import os
from collections.abc import Iterable, Mapping

from local.stack import REGION, Function, TemplateError

# Amazon's own DynamoDB Local, or any other engine, can take the emulator's place; nothing else of the caller's AWS
# settings (profiles, sessions, endpoints) may reach a stack that is to be without an account.
_KEPT = "AWS_ENDPOINT_URL_DYNAMODB"
# Names the program that starts the function's process; here functions share this one.
_NOT_APPLIED = "AWS_LAMBDA_EXEC_WRAPPER"

KEY = "local"
"""The access key of everything here, and its secret."""

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
    """This environment without its AWS settings and with the local ones; loopback traffic never goes to a proxy."""
    kept = {name: value for name, value in environment.items() if not name.startswith("AWS_") or name == _KEPT}
    hosts = ",".join(filter(None, [environment.get("NO_PROXY", environment.get("no_proxy")), "127.0.0.1", "localhost"]))
    return kept | _FIXED | {"NO_PROXY": hosts, "no_proxy": hosts}


def of_functions(functions: Iterable[Function]) -> dict[str, str]:
    """The functions' own variables together. They share one process here, so two values for one name is an error."""
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
