"""The deployment's settings: environment variables of `template.yaml`, read on first use, here only."""

import json
import os
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path


class Settings:
    """A missing variable raises KeyError. Rates and limits are per user; 0 is no limit, except `streams_per_user`."""

    @cached_property
    def table_name(self) -> str:
        return os.environ["TABLE_NAME"]

    @cached_property
    def state_machine_arn(self) -> str:
        """The state machine of first turns."""
        return os.environ["STATE_MACHINE_ARN"]

    @cached_property
    def turn_machine_arn(self) -> str:
        """The state machine of later turns, as `template.yaml` names it."""
        return f"{self.state_machine_arn.removesuffix('-runs')}-turns"

    @cached_property
    def bucket_name(self) -> str:
        """The bucket of artifacts and blobs."""
        return os.environ["BUCKET_NAME"]

    @cached_property
    def url_signing_key(self) -> bytes:
        return os.environ["URL_SIGNING_KEY"].encode()

    @cached_property
    def uploads_need_session(self) -> bool:
        """Whether an upload needs a session; otherwise it reserves the thread id (C25)."""
        return os.environ["UPLOADS_NEED_SESSION"] == "true"

    @cached_property
    def knowledge_bases(self) -> str:
        """JSON by id (`yarrow.services.knowledge`)."""
        return _text("KNOWLEDGE_BASES") or "{}"

    @cached_property
    def system_agents(self) -> Path | None:
        """The path of the agents' file; None for the bundled one."""
        path = os.environ.get("SYSTEM_AGENTS")
        return Path(path) if path else None

    @cached_property
    def default_agent(self) -> str:
        """The agent of runs that neither name nor imply one (C36); empty if they have to."""
        return os.environ.get("DEFAULT_AGENT", "")

    @cached_property
    def agui_agent(self) -> str:
        """The default agent of `/send-message`, if the deployment has it (C36)."""
        return os.environ.get("AGUI_AGENT", "")

    @cached_property
    def default_locale(self) -> str:
        """The locale of users whose credential names none (C37)."""
        return os.environ.get("DEFAULT_LOCALE", "en")

    @cached_property
    def streams_per_user(self) -> int:
        """How many streams may be open at once (EVT-06)."""
        return int(os.environ["STREAMS_PER_USER"])

    @cached_property
    def runs_per_user(self) -> int:
        return int(os.environ["RUNS_PER_USER"])

    @cached_property
    def runs_per_session(self) -> int:
        """How many runs a session may ever have, however they ended (FUP-07)."""
        return int(os.environ.get("RUNS_PER_SESSION", "0"))

    @cached_property
    def runs_per_minute(self) -> int:
        return int(os.environ["RUNS_PER_MINUTE"])

    @cached_property
    def run_bytes_per_minute(self) -> int:
        """The bytes that submits store."""
        return int(os.environ["RUN_BYTES_PER_MINUTE"])

    @cached_property
    def streams_per_minute(self) -> int:
        return int(os.environ["STREAMS_PER_MINUTE"])

    @cached_property
    def stream_bytes_per_minute(self) -> int:
        """The bytes of streams that are held open, and as many of chunks."""
        return int(os.environ["STREAM_BYTES_PER_MINUTE"])

    @cached_property
    def long_poll_seconds(self) -> int:
        """The longest wait for events (Durable Streams)."""
        return int(os.environ["LONG_POLL_SECONDS"])

    @cached_property
    def uploads_per_minute(self) -> int:
        """Uploads that are announced, and as many that are finished."""
        return int(os.environ["UPLOADS_PER_MINUTE"])

    @cached_property
    def requests_per_minute(self) -> int:
        """The requests to each route that has no rate of its own in `access.limits`."""
        return int(os.environ["REQUESTS_PER_MINUTE"])

    @cached_property
    def history_bytes_per_minute(self) -> int:
        """Sent by the history route."""
        return int(os.environ["HISTORY_BYTES_PER_MINUTE"])

    @cached_property
    def attachment_bytes_per_user(self) -> int:
        return int(os.environ["ATTACHMENT_BYTES_PER_USER"])

    @cached_property
    def signed_urls_per_minute(self) -> int:
        return int(os.environ["SIGNED_URLS_PER_MINUTE"])

    @cached_property
    def workspace_tickets_per_minute(self) -> int:
        return int(os.environ["WORKSPACE_TICKETS_PER_MINUTE"])

    @cached_property
    def workspace_commands_per_minute(self) -> int:
        return int(os.environ.get("WORKSPACE_COMMANDS_PER_MINUTE", "300"))

    @cached_property
    def workspace_frames_per_minute(self) -> int:
        """Frames of all kinds, commands and heartbeats."""
        return int(os.environ["WORKSPACE_FRAMES_PER_MINUTE"])

    @cached_property
    def workspace_connections_per_user(self) -> int:
        """Open, to one workspace."""
        return int(os.environ.get("WORKSPACE_CONNECTIONS_PER_USER", "20"))

    @cached_property
    def workspace_url(self) -> str:
        """`wss://…`."""
        return os.environ["WORKSPACE_URL"]

    @cached_property
    def workspace_endpoint(self) -> str:
        """API Gateway's `@connections` for that address."""
        return os.environ["WORKSPACE_ENDPOINT"]

    @cached_property
    def workspace_reconnects(self) -> bool:
        """A ticket used with a `clientTag` reopens that client's connection (C52)."""
        return os.environ["WORKSPACE_RECONNECTS"] == "true"

    @cached_property
    def jobs_per_user(self) -> int:
        """Automation jobs; at least 1."""
        return int(os.environ["JOBS_PER_USER"])

    @cached_property
    def job_changes_per_minute(self) -> int:
        """Changes of automation jobs, each a call of EventBridge Scheduler."""
        return int(os.environ["JOB_CHANGES_PER_MINUTE"])

    @cached_property
    def job_spread_minutes(self) -> int:
        """The longest that an automation job fires after its time; 0 to 30."""
        return int(os.environ.get("JOB_SPREAD_MINUTES", "0"))

    @cached_property
    def schedule_group(self) -> str:
        """The group of the jobs' schedules in EventBridge Scheduler."""
        return os.environ["SCHEDULE_GROUP"]

    @cached_property
    def start_job_arn(self) -> str:
        """The function that schedules call."""
        return os.environ["START_JOB_ARN"]

    @cached_property
    def schedule_role_arn(self) -> str:
        """The role that schedules assume to call the function."""
        return os.environ["SCHEDULE_ROLE_ARN"]

    @cached_property
    def undelivered_jobs_arn(self) -> str:
        """The dead-letter queue of schedules."""
        return os.environ["UNDELIVERED_JOBS_ARN"]

    @cached_property
    def question_timers(self) -> str:
        """The group of the timers of questions in EventBridge Scheduler."""
        return os.environ["QUESTION_TIMERS"]

    @cached_property
    def expire_question_arn(self) -> str:
        """The function that these timers call."""
        return os.environ["EXPIRE_QUESTION_ARN"]

    @cached_property
    def timer_role_arn(self) -> str:
        """The role that they assume to call it."""
        return os.environ["TIMER_ROLE_ARN"]

    @cached_property
    def undelivered_events_arn(self) -> str:
        """Their dead-letter queue."""
        return os.environ["UNDELIVERED_EVENTS_ARN"]

    @cached_property
    def event_bus(self) -> str:
        """The name of the stack's event bus."""
        return os.environ["EVENT_BUS"]

    @cached_property
    def traces_endpoint(self) -> str:
        """Where traces of runs are sent by OTLP; empty for nowhere."""
        return os.environ.get("TRACES_ENDPOINT", "")

    @cached_property
    def release(self) -> str:
        """What the deployment calls its version."""
        return os.environ.get("RELEASE", "")

    @cached_property
    def log_group(self) -> str | None:
        """CloudWatch's group of the function's logs, which is that of all functions; Lambda sets it."""
        return os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")

    @cached_property
    def region(self) -> str:
        """AWS's; empty elsewhere."""
        return os.environ.get("AWS_REGION", "")

    @cached_property
    def exports_traces(self) -> bool:
        """Whether the deployment has a `traces_endpoint`, for functions that send nothing there."""
        return os.environ.get("EXPORTS_TRACES") == "true"

    @cached_property
    def traces_have_content(self) -> bool:
        """Whether they have what users, models and tools said."""
        return os.environ.get("TRACES_CONTENT", "") == "true"

    @cached_property
    def web_push_contact(self) -> str:
        """Whom push services may turn to, a `mailto:` or https URL; empty if browsers get no notifications."""
        return os.environ.get("WEB_PUSH_CONTACT", "")

    @cached_property
    def web_push_services(self) -> tuple[str, ...]:
        """Domains of the push services that browsers may name."""
        return tuple(filter(None, os.environ["WEB_PUSH_SERVICES"].split(",")))

    @cached_property
    def web_push_secret(self) -> bytes:
        """What the key pair of the deployment is derived from."""
        return os.environ["WEB_PUSH_SECRET"].encode()

    @cached_property
    def push_applications(self) -> Mapping[str, str]:
        """ARNs of Amazon SNS's platform applications by kind of device, without the kinds that get no notifications."""
        names = {"apns": "APNS_APPLICATION_ARN", "apns_sandbox": "APNS_SANDBOX_APPLICATION_ARN"}
        names["fcm"] = "FCM_APPLICATION_ARN"
        return {kind: arn for kind, name in names.items() if (arn := os.environ.get(name))}

    @cached_property
    def webhooks(self) -> str:
        """Who may have webhooks: off, operators or users."""
        return os.environ.get("WEBHOOKS", "off")

    @cached_property
    def webhook_signing_key(self) -> bytes:
        """The secrets of webhooks are derived from it."""
        return os.environ["WEBHOOK_SIGNING_KEY"].encode()

    @cached_property
    def webhooks_per_user(self) -> int:
        """Their webhooks; at least 1."""
        return int(os.environ["WEBHOOKS_PER_USER"])

    @cached_property
    def webhooks_per_deployment(self) -> int:
        """Those of operators; at least 1."""
        return int(os.environ["WEBHOOKS_PER_DEPLOYMENT"])

    @cached_property
    def webhook_sends_per_minute(self) -> int:
        """Tests and replays."""
        return int(os.environ["WEBHOOK_SENDS_PER_MINUTE"])

    @cached_property
    def webhook_queue_url(self) -> str:
        """The queue of attempts to deliver."""
        return os.environ["WEBHOOK_QUEUE_URL"]

    @cached_property
    def webhook_queue_arn(self) -> str:
        """The same queue."""
        return os.environ["WEBHOOK_QUEUE_ARN"]

    @cached_property
    def webhook_retries(self) -> str:
        """The group of the schedules of later attempts in EventBridge Scheduler."""
        return os.environ["WEBHOOK_RETRIES"]

    @cached_property
    def undelivered_webhooks_arn(self) -> str:
        """Their dead-letter queue."""
        return os.environ["UNDELIVERED_WEBHOOKS_ARN"]

    @cached_property
    def webhook_role_arn(self) -> str:
        """The role that these schedules assume to send to the queue."""
        return os.environ["WEBHOOK_ROLE_ARN"]

    @cached_property
    def notification_queue_url(self) -> str:
        """The queue of what devices are told."""
        return os.environ["NOTIFICATION_QUEUE_URL"]

    @cached_property
    def tokens_per_user_per_day(self) -> int:
        """The tokens of models, by days in UTC."""
        return int(os.environ["TOKENS_PER_USER_PER_DAY"])

    @cached_property
    def model_prices(self) -> str:
        """JSON of `protocol.usage.ModelPrices`."""
        return _text("MODEL_PRICES") or "{}"

    @cached_property
    def max_run_minutes(self) -> int:
        """Limits the runs of all agents, whatever their `max_minutes`; at most a day."""
        return int(os.environ.get("MAX_RUN_MINUTES", "1440"))

    @cached_property
    def turn_seconds(self) -> float:
        """Return how long a worker runs before it hands over: what Lambda allows a function, less what ending takes."""
        return float(os.environ.get("TURN_SECONDS", "800"))

    @cached_property
    def oidc_issuer(self) -> str:
        return os.environ["OIDC_ISSUER"]

    @cached_property
    def oidc_audience(self) -> str:
        return os.environ["OIDC_AUDIENCE"]

    @cached_property
    def mcp_url(self) -> str:
        """The address of the MCP server by the deployment's own domain name; empty without one."""
        return os.environ.get("MCP_URL", "")

    @cached_property
    def operator_scope(self) -> str:
        """The scope of tokens whose callers are operators."""
        return os.environ.get("OPERATOR_SCOPE", "operate")

    @cached_property
    def console(self) -> bool:
        """Whether `GET /` is the console."""
        return os.environ["CONSOLE"] == "true"

    @cached_property
    def console_url(self) -> str:
        """Where users open it; empty for where it is served."""
        return os.environ.get("CONSOLE_URL", "")

    @cached_property
    def console_client_id(self) -> str:
        """The issuer's client; empty if its id is the audience."""
        return os.environ["CONSOLE_CLIENT_ID"]

    @cached_property
    def console_name(self) -> str:
        """What it is called."""
        return os.environ["CONSOLE_NAME"]

    @cached_property
    def console_color(self) -> str:
        """Its accent, `#rrggbb`; empty for its own."""
        return os.environ["CONSOLE_COLOR"]

    @cached_property
    def console_logo(self) -> str:
        """An https URL; empty for its own."""
        return os.environ["CONSOLE_LOGO"]

    @cached_property
    def sign_in_url(self) -> str:
        """The stack's own pool signs users in there, back to `console_url` alone; empty for other issuers."""
        return os.environ["SIGN_IN_URL"]

    @cached_property
    def remote_runners(self) -> tuple[str, ...]:
        """Functions by name or ARN."""
        return tuple(filter(None, os.environ.get("REMOTE_RUNNERS", "").split(",")))

    @cached_property
    def runner_api_url(self) -> str:
        """Where remote runners call back."""
        return os.environ["RUNNER_API_URL"]

    @cached_property
    def runner_secrets(self) -> str:
        """A name prefix in Secrets Manager; empty for `runner_secret`."""
        return os.environ.get("RUNNER_SECRETS", "")

    @cached_property
    def mcp_connections_key(self) -> str:
        """The alias of the key in AWS KMS that seals users' tokens for MCP servers, as `template.yaml` names it."""
        return f"alias/{self.runner_secrets}mcp-connections"

    @cached_property
    def mcp_callback_url(self) -> str:
        """Where users return after signing in to an MCP server: the console's address; empty if nobody signs in."""
        return os.environ.get("MCP_CALLBACK_URL", "")

    @property
    def mcp_connections_page(self) -> str:
        """The console's view where users sign in to MCP servers; empty if nobody signs in."""
        return f"{self.mcp_callback_url}#/connections" if self.mcp_callback_url else ""

    def runner_secret(self, name: str) -> str | None:
        """`coze/api-key` is RUNNER_SECRET_COZE_API_KEY."""
        return os.environ.get("RUNNER_SECRET_" + re.sub(r"[^A-Za-z0-9]", "_", name).upper())

    @cached_property
    def transcriber(self) -> str:
        """See `yarrow.media.transcription.choice`."""
        return os.environ.get("TRANSCRIBER", "amazon")

    @cached_property
    def transcription_seconds(self) -> int:
        """The most seconds of one recording."""
        return int(os.environ["TRANSCRIPTION_SECONDS"])

    @cached_property
    def transcription_seconds_per_day(self) -> int:
        return int(os.environ["TRANSCRIPTION_SECONDS_PER_DAY"])

    @cached_property
    def probe_api_key(self) -> str:
        """The key with which the probe starts runs; empty for none."""
        return os.environ["PROBE_API_KEY"]

    @cached_property
    def service_name(self) -> str:
        """A dimension of metrics."""
        return os.environ.get("POWERTOOLS_SERVICE_NAME", "yarrow")

    @cached_property
    def in_lambda(self) -> bool:
        """One invocation at a time."""
        return "AWS_LAMBDA_RUNTIME_API" in os.environ

    @cached_property
    def takes_snapshot(self) -> bool:
        """Whether this environment is the one of a snapshot, or restored from it (Lambda SnapStart)."""
        return os.environ.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start"

    @cached_property
    def keeps_contents(self) -> bool:
        """Whether what models are asked and answer is kept for authors, where an agent's block says nothing else."""
        return os.environ.get("RUN_CONTENTS", "") == "true"

    @cached_property
    def shows_exceptions(self) -> bool:
        """Whether clients see what a runner raised: the local stack's authors, never a deployment's users."""
        return os.environ.get("RUNNER_EXCEPTIONS") == "shown" and not self.in_lambda

    @cached_property
    def cors_origin(self) -> str:
        """`*` for any."""
        return os.environ.get("CORS_ORIGIN", "*")

    @cached_property
    def agent_config(self) -> dict[str, str]:
        """Parameters of the deployment for agents, as JSON: `time_limit` from the variable `AGENTS_TIME_LIMIT`."""
        parameters = {
            name.removeprefix(_AGENTS).lower(): _text(name) for name in os.environ if name.startswith(_AGENTS)
        }
        return {name: text for name, text in parameters.items() if text}

    @cached_property
    def models(self) -> dict[str, str | None]:
        """The models by logical id (RNR-52), e.g. `{"chat": "bedrock:amazon.nova-lite-v1:0"}`.

        Null ids, and all if unset, use the host's stand-ins.
        """
        models: dict[str, str | None] = json.loads(_text("MODELS") or "{}")
        return models

    def of_provider(self, variable: str) -> str:
        """Return a variable that a provider's client reads; empty if it is not set."""
        return os.environ.get(variable, "")


_AGENTS = "AGENTS_"


def _text(variable: str) -> str:
    """The variable, or the text of the file that it names, such as `/opt/models.json`. Raises OSError.

    Lambda takes 4 KB of variables; a layer has room for more.
    """
    value = os.environ.get(variable, "")
    return Path(value).read_text(encoding="utf-8") if value.startswith("/") else value


settings = Settings()
