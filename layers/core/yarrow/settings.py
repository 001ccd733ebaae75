"""The deployment's settings, read from the environment here only.

`template.yaml` sets the variables of each function. A value is read on first use, so a function needs only what it
uses.
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
        """The HMAC key of signed URLs."""
        return os.environ["URL_SIGNING_KEY"].encode()

    @cached_property
    def uploads_need_session(self) -> bool:
        """Whether uploads need an existing session; otherwise an upload reserves the thread id (C25)."""
        return os.environ["UPLOADS_NEED_SESSION"] == "true"

    @cached_property
    def knowledge_bases(self) -> str:
        """The knowledge bases by id, as JSON (`yarrow.services.knowledge`)."""
        return os.environ.get("KNOWLEDGE_BASES", "{}")

    @cached_property
    def system_agents(self) -> Path | None:
        """The file of agents; None for the bundled one."""
        path = os.environ.get("SYSTEM_AGENTS")
        return Path(path) if path else None

    @cached_property
    def default_agent(self) -> str:
        """The agent of a run that neither names nor implies one (C36)."""
        return os.environ.get("DEFAULT_AGENT", "divination")

    @cached_property
    def streams_per_user(self) -> int:
        """Open event streams per user (EVT-06)."""
        return int(os.environ["STREAMS_PER_USER"])

    @cached_property
    def runs_per_user(self) -> int:
        """Active runs per user; 0 for no limit."""
        return int(os.environ["RUNS_PER_USER"])

    @cached_property
    def runs_per_minute(self) -> int:
        """Submits per user and minute; 0 for no limit, as for each rate below."""
        return int(os.environ["RUNS_PER_MINUTE"])

    @cached_property
    def run_bytes_per_minute(self) -> int:
        """Stored bytes of those, per user and minute."""
        return int(os.environ["RUN_BYTES_PER_MINUTE"])

    @cached_property
    def streams_per_minute(self) -> int:
        """Event streams opened per user and minute."""
        return int(os.environ["STREAMS_PER_MINUTE"])

    @cached_property
    def uploads_per_minute(self) -> int:
        """Uploads announced, and uploads finished, per user and minute."""
        return int(os.environ["UPLOADS_PER_MINUTE"])

    @cached_property
    def signed_urls_per_minute(self) -> int:
        """URLs signed per user and minute."""
        return int(os.environ["SIGNED_URLS_PER_MINUTE"])

    @cached_property
    def tokens_per_user_per_day(self) -> int:
        """Model tokens per user and day (UTC); 0 for no limit."""
        return int(os.environ["TOKENS_PER_USER_PER_DAY"])

    @cached_property
    def oidc_issuer(self) -> str:
        """The issuer of the callers' tokens."""
        return os.environ["OIDC_ISSUER"]

    @cached_property
    def oidc_audience(self) -> str:
        """The required audience of those tokens."""
        return os.environ["OIDC_AUDIENCE"]

    @cached_property
    def remote_runners(self) -> tuple[str, ...]:
        """The functions of remote runners, by name or ARN."""
        return tuple(filter(None, os.environ.get("REMOTE_RUNNERS", "").split(",")))

    @cached_property
    def runner_api_url(self) -> str:
        """The base URL for callbacks of remote runners."""
        return os.environ["RUNNER_API_URL"]

    @cached_property
    def runner_secrets(self) -> str:
        """The name prefix of runners' secrets in Secrets Manager; empty if they come from `runner_secret`."""
        return os.environ.get("RUNNER_SECRETS", "")

    def runner_secret(self, name: str) -> str | None:
        """A runner's secret from the environment: `coze/api-key` is RUNNER_SECRET_COZE_API_KEY."""
        return os.environ.get("RUNNER_SECRET_" + re.sub(r"[^A-Za-z0-9]", "_", name).upper())

    @cached_property
    def transcriber(self) -> str:
        """The transcription engine (`yarrow.media.transcription.recogniser`)."""
        return os.environ.get("TRANSCRIBER", "amazon")

    @cached_property
    def transcription_seconds(self) -> int:
        """The longest recording, in seconds."""
        return int(os.environ["TRANSCRIPTION_SECONDS"])

    @cached_property
    def transcription_seconds_per_day(self) -> int:
        """Seconds transcribed per user and day; 0 for no limit."""
        return int(os.environ["TRANSCRIPTION_SECONDS_PER_DAY"])

    @cached_property
    def service_name(self) -> str:
        """The deployment's name, a dimension of its metrics."""
        return os.environ.get("POWERTOOLS_SERVICE_NAME", "yarrow")

    @cached_property
    def in_lambda(self) -> bool:
        """Whether this process runs in Lambda: one invocation at a time, restarted when it exits."""
        return "AWS_LAMBDA_RUNTIME_API" in os.environ

    @cached_property
    def cors_origin(self) -> str:
        """The origin allowed by CORS; `*` for any."""
        return os.environ.get("CORS_ORIGIN", "*")

    @cached_property
    def help_lines(self) -> str:
        """Help lines by region that replace the bundled ones, as JSON (`yarrow.protocol.help_lines`)."""
        return os.environ.get("HELP_LINES", "")

    @property
    def agent_config(self) -> dict[str, str]:
        """The parameters that agents may have in their config, as JSON, where they are set."""
        return {"help_lines": self.help_lines} if self.help_lines else {}

    @cached_property
    def models(self) -> dict[str, str | None]:
        """Models by logical id (RNR-52), a JSON object such as `{"chat": "bedrock:amazon.nova-lite-v1:0"}`.

        An id set to null, and every id if the setting is missing, is served by the host's stand-ins.
        """
        models: dict[str, str | None] = json.loads(os.environ.get("MODELS") or "{}")
        return models


settings = Settings()
