"""The caller, from the verified credential and never from the body (SEC-06)."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from yarrow.formats.time_zones import is_time_zone

_PLAIN: Final = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}")
_HASHED: Final = re.compile(r"sha256-[0-9a-f]{64}")


def folder_of(user_id: str) -> str:
    """Return a path segment that is safe in S3 URLs; ids such as Auth0's, with `|`, are hashed."""
    if _PLAIN.fullmatch(user_id) and not is_hashed(user_id):
        return user_id
    return f"sha256-{hashlib.sha256(user_id.encode()).hexdigest()}"


def is_hashed(folder: str) -> bool:
    return _HASHED.fullmatch(folder) is not None


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller. `locale`, `zoneinfo`, an IANA zone, and `name` are OIDC claims (C37). One who `operates`
    sees what all users use.
    """

    user_id: str
    locale: str | None = None
    zoneinfo: str | None = None
    name: str | None = field(default=None, repr=False)
    operates: bool = False
    api_key: str | None = None
    """The id of the API key that is its credential, if one is."""

    @classmethod
    def from_authorizer(cls, context: Mapping[str, str]) -> "Caller":
        zone = context.get("zoneinfo")
        return cls(
            context["sub"],
            context.get("locale"),
            zone if is_time_zone(zone) else None,
            context.get("name"),
            operates=context.get("operates") == "true",
            api_key=context.get("apiKey"),
        )

    def to_authorizer(self) -> dict[str, str]:
        """Return the authorizer's context, strings only. `folder` is for API Gateway's mappings."""
        claims = {
            "sub": self.user_id,
            "folder": folder_of(self.user_id),
            "locale": self.locale,
            "zoneinfo": self.zoneinfo,
            "name": self.name,
            "operates": "true" if self.operates else None,
            "apiKey": self.api_key,
        }
        return {name: value for name, value in claims.items() if value is not None}
