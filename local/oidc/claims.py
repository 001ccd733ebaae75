"""The claims about a user in a token of the local issuer."""

from typing import Annotated
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from yarrow.web.tokens import LOCALE, NAME, SUBJECT


def _time_zone(name: str) -> str:
    if name not in available_timezones():
        raise ValueError("not the name of an IANA time zone")
    return name


class Identity(BaseModel):
    """The claims of a token, as in OpenID Connect."""

    model_config = ConfigDict(extra="forbid", strict=True)

    sub: Annotated[str, Field(pattern=f"^{SUBJECT.pattern}$")]
    locale: Annotated[str, Field(pattern=f"^{LOCALE.pattern}$")] | None = None
    zoneinfo: Annotated[str, AfterValidator(_time_zone)] | None = None
    name: Annotated[str, Field(pattern=f"^({NAME.pattern})$")] | None = None
    scope: Annotated[str, Field(max_length=256)] | None = None
