"""The probe: calls this API on a schedule, as a client does."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from typing import Any

from yarrow.observability.probe import probe
from yarrow.settings import settings
from yarrow.web.lambda_task import task


@task
def handler(event: dict[str, Any]) -> None:
    """Probe the API at the event's `url`. Fails if the API does."""
    probe(event["url"], settings.probe_api_key)


resume_garbage_collection()
