"""What a deployment configures, read from the environment in this one place.

`template.yaml` gives each function the variables it needs; a value is read when it is first asked for, so a function
that never asks for one need not have it.
"""

import os
from functools import cached_property


class Settings:
    """Typed access to the environment. A missing variable raises KeyError with its name."""

    @cached_property
    def table_name(self) -> str:
        """The DynamoDB table."""
        return os.environ["TABLE_NAME"]

    @cached_property
    def state_machine_arn(self) -> str:
        """The state machine that executes runs."""
        return os.environ["STATE_MACHINE_ARN"]

    @cached_property
    def default_agent(self) -> str:
        """The agent of a run that names none and implies none (C36)."""
        return os.environ["DEFAULT_AGENT"]

    @cached_property
    def streams_per_user(self) -> int:
        """How many event streams a user may have open at once (EVT-06)."""
        return int(os.environ["STREAMS_PER_USER"])

    @cached_property
    def oidc_issuer(self) -> str:
        """The issuer whose tokens identify callers."""
        return os.environ["OIDC_ISSUER"]

    @cached_property
    def oidc_audience(self) -> str:
        """The audience those tokens must carry."""
        return os.environ["OIDC_AUDIENCE"]

    @cached_property
    def cors_origin(self) -> str:
        """The origin browsers may call from; `*` for any."""
        return os.environ.get("CORS_ORIGIN", "*")


settings = Settings()
