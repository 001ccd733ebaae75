"""Who calls: what the authorizer found in the credential, and nothing from the body (SEC-06)."""

from collections.abc import Mapping
from dataclasses import dataclass

from yarrow.protocol.time_zones import is_time_zone


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
        """Write that context; API Gateway carries only strings."""
        claims = {"sub": self.user_id, "locale": self.locale, "zoneinfo": self.zoneinfo}
        return {name: value for name, value in claims.items() if value is not None}
