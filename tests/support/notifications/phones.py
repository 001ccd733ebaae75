"""Amazon SNS of the local stack behind botocore's clients, without HTTP, and the phones that it sends to."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from local.push_applications import PushApplications, SnsError
from tests.support.memory_aws.table import error

APPLICATIONS: Final = {
    "apns": "arn:aws:sns:eu-west-1:123456789012:app/APNS/notes",
    "apns_sandbox": "arn:aws:sns:eu-west-1:123456789012:app/APNS_SANDBOX/notes",
    "fcm": "arn:aws:sns:us-east-1:123456789012:app/GCM/notes",
}


class MemorySns:
    """SNS with the platform applications; `pushes` are what phones got, `calls` the actions that were called.

    `refuse` may raise an error of its own before a call.
    """

    def __init__(self) -> None:
        self.pushes: list[Mapping[str, Any]] = []
        self.calls: list[str] = []
        self.applications = PushApplications(APPLICATIONS.values(), self.pushes.append)
        self.refuse: Callable[[str], None] = lambda _: None

    def __getattr__(self, action: str) -> Callable[..., Any]:
        def call(**parameters: Any) -> Any:
            self.calls.append(action)
            self.refuse(action)
            try:
                return self.applications.call(action, _flat(parameters))
            except SnsError as refused:
                about = {"HTTPStatusCode": refused.status}
                raise error(action, refused.code, str(refused), ResponseMetadata=about) from refused

        return call

    @property
    def endpoints(self) -> list[str]:
        """The tokens that have an endpoint."""
        return [endpoint.token for endpoint in vars(self.applications)["_endpoints"].values()]


def _flat(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Write parameters as AWS's query protocol does."""
    found: dict[str, str] = {}
    for name, value in parameters.items():
        if isinstance(value, str):
            found[name] = value
            continue
        for number, (key, member) in enumerate(value.items(), 1):
            if isinstance(member, str):
                found |= {f"{name}.entry.{number}.key": key, f"{name}.entry.{number}.value": member}
            else:
                place = f"{name}.entry.{number}"
                found |= {f"{place}.Name": key, f"{place}.Value.StringValue": member["StringValue"]}
    return found
