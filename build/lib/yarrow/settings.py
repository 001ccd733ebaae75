"""What a deployment configures, read from the environment in this one place.

`template.yaml` gives each function the variables it needs; a value is read when it is first asked for, so a function
that never asks for one need not have it.
"""

import json
import os
import re
from functools import cached_property
from pathlib import Path


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
    def bucket_name(self) -> str:
        """The S3 bucket of artifacts and blobs."""
        return os.environ["BUCKET_NAME"]

    @cached_property
    def url_signing_key(self) -> bytes:
        """The secret that seals signed URLs."""
        return os.environ["URL_SIGNING_KEY"].encode()

    @cached_property
    def uploads_need_session(self) -> bool:
        """Whether only an existing session takes uploads; otherwise an upload reserves the thread id (C25)."""
        return os.environ["UPLOADS_NEED_SESSION"] == "true"

    @cached_property
    def knowledge_bases(self) -> str:
        """The knowledge bases by id, as JSON; `yarrow.services.knowledge` says what it holds."""
        return os.environ.get("KNOWLEDGE_BASES", "{}")

    @cached_property
    def system_agents(self) -> Path | None:
        """The file that lists the agents; None for the one that comes with Yarrow."""
        path = os.environ.get("SYSTEM_AGENTS")
        return Path(path) if path else None

    @cached_property
    def default_agent(self) -> str:
        """The agent of a run that names none and implies none (C36)."""
        return os.environ.get("DEFAULT_AGENT", "divination")

    @cached_property
    def streams_per_user(self) -> int:
        """How many event streams a user may have open at once (EVT-06)."""
        return int(os.environ["STREAMS_PER_USER"])

    @cached_property
    def runs_per_user(self) -> int:
        """How many active runs a user may have at once; 0 for as many as they like."""
        return int(os.environ["RUNS_PER_USER"])

    @cached_property
    def runs_per_minute(self) -> int:
        """How many runs a user may submit a minute; 0 for as many as they like, as for each rate below."""
        return int(os.environ["RUNS_PER_MINUTE"])

    @cached_property
    def run_bytes_per_minute(self) -> int:
        """How many bytes those may have, as they are stored."""
        return int(os.environ["RUN_BYTES_PER_MINUTE"])

    @cached_property
    def streams_per_minute(self) -> int:
        """How many event streams a user may open a minute."""
        return int(os.environ["STREAMS_PER_MINUTE"])

    @cached_property
    def uploads_per_minute(self) -> int:
        """How many uploads a user may announce, and how many have looked at, a minute."""
        return int(os.environ["UPLOADS_PER_MINUTE"])

    @cached_property
    def signed_urls_per_minute(self) -> int:
        """How many URLs a user may have signed a minute."""
        return int(os.environ["SIGNED_URLS_PER_MINUTE"])

    @cached_property
    def tokens_per_user_per_day(self) -> int:
        """How many tokens models may use for a user a day (UTC); 0 for as many as they like."""
        return int(os.environ["TOKENS_PER_USER_PER_DAY"])

    @cached_property
    def oidc_issuer(self) -> str:
        """The issuer whose tokens identify callers."""
        return os.environ["OIDC_ISSUER"]

    @cached_property
    def oidc_audience(self) -> str:
        """The audience those tokens must carry."""
        return os.environ["OIDC_AUDIENCE"]

    @cached_property
    def remote_runners(self) -> tuple[str, ...]:
        """The functions, by name or ARN, whose runners are installed."""
        return tuple(filter(None, os.environ.get("REMOTE_RUNNERS", "").split(",")))

    @cached_property
    def runner_api_url(self) -> str:
        """Where remote runners call back."""
        return os.environ["RUNNER_API_URL"]

    @cached_property
    def runner_secrets(self) -> str:
        """What the names of runners' secrets begin with in Secrets Manager; empty where `runner_secret` has them."""
        return os.environ.get("RUNNER_SECRETS", "")

    def runner_secret(self, name: str) -> str | None:
        """A secret of a runner in the environment: `coze/api-key` is RUNNER_SECRET_COZE_API_KEY."""
        return os.environ.get("RUNNER_SECRET_" + re.sub(r"[^A-Za-z0-9]", "_", name).upper())

    @cached_property
    def transcriber(self) -> str:
        """Who recognises speech; `yarrow.media.transcription.recogniser` knows the names."""
        return os.environ.get("TRANSCRIBER", "amazon")

    @cached_property
    def transcription_seconds(self) -> int:
        """How long a recording may be."""
        return int(os.environ["TRANSCRIPTION_SECONDS"])

    @cached_property
    def transcription_seconds_per_day(self) -> int:
        """How many seconds of sound a user may have recognised a day; 0 for as many as they like."""
        return int(os.environ["TRANSCRIPTION_SECONDS_PER_DAY"])

    @cached_property
    def service_name(self) -> str:
        """The name of the deployment, by which its metrics are told from another one's."""
        return os.environ.get("POWERTOOLS_SERVICE_NAME", "yarrow")

    @cached_property
    def in_lambda(self) -> bool:
        """Whether Lambda runs this process, for one invocation at a time, and starts another one when it ends."""
        return "AWS_LAMBDA_RUNTIME_API" in os.environ

    @cached_property
    def cors_origin(self) -> str:
        """The origin browsers may call from; `*` for any."""
        return os.environ.get("CORS_ORIGIN", "*")

    @cached_property
    def help_lines(self) -> str:
        """Help lines by region in place of the agent's own, as JSON (`yarrow.protocol.help_lines`)."""
        return os.environ.get("HELP_LINES", "")

    @cached_property
    def models(self) -> dict[str, str | None]:
        """The model of each logical id (RNR-52), a JSON object such as `{"chat": "bedrock:amazon.nova-lite-v1:0"}`.

        An id without a model (null), and every id where nothing is configured, is served by the host's own stand-ins.
        """
        models: dict[str, str | None] = json.loads(os.environ.get("MODELS") or "{}")
        return models


settings = Settings()
