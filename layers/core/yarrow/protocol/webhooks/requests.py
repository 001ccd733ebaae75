"""Bodies of requests to `/api/v1/webhooks` (EVB-04)."""

import re
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from yarrow.protocol import request_body
from yarrow.protocol.problems import Code
from yarrow.protocol.webhooks.kinds import Kind, Part, Status

MAX_BODY_BYTES: Final = 16_384
MAX_URL_LENGTH: Final = 2_048
MAX_AGENTS: Final = 20
MAX_DESCRIPTION_LENGTH: Final = 200
MAX_OVERLAP_HOURS: Final = 72
DEFAULT_OVERLAP_HOURS: Final = 24

_NAME: Final = r"[a-z][a-z0-9_-]{0,63}"
_UUID: Final = r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
_LABEL: Final = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_PORT: Final = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}"
_REST: Final = r"([/?][!\"$-\[\]-~]*)?"
_URL: Final = rf"^https://({_LABEL}\.)+[A-Za-z][A-Za-z0-9-]{{0,62}}(:({_PORT}))?{_REST}$"
"""No addresses: the last part of a name begins with a letter, so none of the forms of an IPv4 address is one."""

_LOCAL_URL: Final = re.compile(rf"http://(127\.0\.0\.1|localhost)(:({_PORT}))?{_REST}", re.ASCII)

_Body = TypeVar("_Body", bound=BaseModel)


def _checked(url: str) -> str:
    """Return the URL if it has the form of a receiver's. Which addresses its host has is checked at each delivery."""
    if re.fullmatch(_URL, url, re.ASCII) is None and not is_local(url):
        raise ValueError("must be an https URL of a host's name, without user or fragment")
    return url


def _unique(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


Url = Annotated[str, Field(max_length=MAX_URL_LENGTH, json_schema_extra={"pattern": _URL}), AfterValidator(_checked)]
Events = Annotated[tuple[Kind, ...], Field(min_length=1, max_length=20), AfterValidator(_unique)]
Agents = Annotated[
    tuple[Annotated[str, Field(pattern=f"^{_NAME}$")], ...],
    Field(min_length=1, max_length=MAX_AGENTS),
    AfterValidator(_unique),
]
Include = Annotated[tuple[Part, ...], Field(max_length=2), AfterValidator(_unique)]
Description = Annotated[str, Field(max_length=MAX_DESCRIPTION_LENGTH)]


_UNSENT: Final[Any] = None
"""Stands for a member that was not sent and may not be null."""


class _Request(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


class WebhookFields(_Request):
    """A new webhook: which events of which agents it sends where. Without `agents` it sends those of all.

    `include: ["answer"]` adds the text of a run's answer to `run.completed`; otherwise bodies have no content.
    """

    id: Annotated[str, Field(pattern=_UUID, description="Chosen by the client, to repeat the request.")] | None = None
    url: Url
    events: Events
    agents: Agents | None = None
    include: Include = ()
    description: Description | None = None


class WebhookChange(_Request):
    """Members that replace those of a webhook. `agents: null` means all; `status` disables and enables it."""

    url: Url = _UNSENT
    events: Events = _UNSENT
    agents: Agents | None = None
    include: Include = _UNSENT
    description: Description | None = None
    status: Status = _UNSENT

    @property
    def members(self) -> dict[str, Any]:
        """Those that were sent."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class SecretRotation(_Request):
    """How long bodies are signed with the earlier secret as well; 0 ends it at once."""

    overlap_hours: Annotated[int, Field(strict=True, ge=0, le=MAX_OVERLAP_HOURS)] = DEFAULT_OVERLAP_HOURS


def read_new(raw: bytes) -> WebhookFields:
    """Read a new webhook. Raises Problem 413 or 422."""
    return _read(raw, WebhookFields)


def read_change(raw: bytes) -> WebhookChange:
    """Read a change. Raises Problem 413 or 422."""
    return _read(raw, WebhookChange)


def read_rotation(raw: bytes) -> SecretRotation:
    """Read how a secret is rotated; the body may be empty. Raises Problem 413 or 422."""
    return _read(raw or b"{}", SecretRotation)


def is_local(url: str) -> bool:
    """Return whether the URL is of this machine, which only the local stack may send to."""
    return _LOCAL_URL.fullmatch(url) is not None


def _read(raw: bytes, body: type[_Body]) -> _Body:
    request_body.check_size(raw, MAX_BODY_BYTES, "webhook")
    return request_body.read(raw, body, Code.WEBHOOK_INVALID)
