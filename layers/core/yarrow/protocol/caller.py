"""Who calls: what the authorizer found in the credential, and nothing from the body (SEC-06)."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from yarrow.formats.time_zones import is_time_zone

_PLAIN: Final = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}")
_HASHED: Final = re.compile(r"sha256-[0-9a-f]{64}")


def folder_of(user_id: str) -> str:
    """The user's folder: one path segment for each id, of letters, digits, dots, hyphens and underscores alone.

    API Gateway puts it into S3's address as it is; an id may hold anything, such as the `|` of Auth0.
    """
    if _PLAIN.fullmatch(user_id) and not is_hashed(user_id):
        return user_id
    return f"sha256-{hashlib.sha256(user_id.encode()).hexdigest()}"


def is_hashed(folder: str) -> bool:
    """Whether a folder is that of an id which is no path segment itself."""
    return _HASHED.fullmatch(folder) is not None


@dataclass(frozen=True, slots=True)
class Caller:
    """A user by id, with the OIDC claims `locale` and `zoneinfo` where the credential has them (C37).

    `zoneinfo` is an IANA zone or nothing, whatever the claim said.
    """

    user_id: str
    locale: str | None = None
    zoneinfo: str | None = None

    @classmethod
    def from_authorizer(cls, context: Mapping[str, str]) -> "Caller":
        """Read the context that the authorizer of the API gave the request."""
        zone = context.get("zoneinfo")
        return cls(context["sub"], context.get("locale"), zone if is_time_zone(zone) else None)

    def to_authorizer(self) -> dict[str, str]:
        """Write that context; API Gateway carries only strings. `folder` is for its own mappings."""
        claims = {
            "sub": self.user_id,
            "folder": folder_of(self.user_id),
            "locale": self.locale,
            "zoneinfo": self.zoneinfo,
        }
        return {name: value for name, value in claims.items() if value is not None}
