"""Releases the slots of jobs that wait for an answer: with the end of a job's question, and of its run (AUT-03)."""

from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger


def release_of(changes: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Release the slots of jobs by changed items; returns the numbers of the records to redeliver."""
    numbers: dict[str, list[str]] = {}
    for number, item in changes:
        if "job_id" in item and item["pk"].startswith(("RUN#", "QUESTIONS#")):
            numbers.setdefault(item["job_id"], []).append(number)
    if not numbers:
        return []
    from yarrow.automation.release_slots import release_slots  # few runs are of jobs, whose models are pydantic's

    failed: list[str] = []
    for job_id, of_job in numbers.items():
        try:
            release_slots(job_id)
        except (BotoCoreError, ClientError):
            logger.warning("the slots of a job could not be released", extra={"job_id": job_id}, exc_info=True)
            failed += of_job
    return failed
