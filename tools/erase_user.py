"""Erases a user from a deployment: `python -m tools.erase_user --stack STACK USER_ID`, then again with `--erase`.

Without `--erase` it only counts. Disable the user at the issuer first. It erases the user's items, objects and
schedules; `docs/runbook.md` lists what remains for a while in backups and logs.

It can be interrupted and repeated: the items that link the rest to the user are deleted last. A worker may write until
its function ends, so active or just ended runs are only cancelled; then the exit code is 3: run it again later.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, get_args
from urllib.parse import unquote

from tools import deployment
from yarrow.automation import schedules
from yarrow.domain_events import question_timers
from yarrow.media.transcription import recogniser
from yarrow.protocol.caller import folder_of
from yarrow.protocol.files.attachments import folders_of
from yarrow.protocol.runner.api import StorageArea
from yarrow.runs import cancel_run
from yarrow.settings import settings
from yarrow.store import (
    clients,
    clock,
    devices,
    mcp_connections,
    memories,
    objects,
    questions,
    sessions,
    table,
    uploads,
)
from yarrow.store.automation import jobs
from yarrow.store.feedback import session_outcomes
from yarrow.store.runner import steps
from yarrow.store.webhooks import webhooks

WORKER_LIVES: Final = timedelta(minutes=15)
"""How long a worker may outlive its run: its function's timeout in the template."""

SESSION: Final = table.session_partition("")
RUN: Final = table.run_key_of("")["pk"]
JOB: Final = jobs.partition("")
KEY: Final = ("pk", "sk")
_BATCH: Final = 25
_TRIES: Final = 8


@dataclass
class FoundItems:
    """The user's data in the table: whole partitions, items elsewhere, and active runs."""

    partitions: list[str]
    items: list[table.Item] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    settles: bool = False
    """Whether a run ended so recently that its worker may still write."""

    @property
    def jobs(self) -> list[str]:
        return [partition.removeprefix(JOB) for partition in self.partitions if partition.startswith(JOB)]

    @property
    def threads(self) -> list[str]:
        return [partition.removeprefix(SESSION) for partition in self.partitions if partition.startswith(SESSION)]

    @property
    def runs(self) -> list[str]:
        return [partition.removeprefix(RUN) for partition in self.partitions if partition.startswith(RUN)]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.erase_user", description=__doc__)
    parser.add_argument("--stack", required=True, help="the deployment's stack")
    parser.add_argument("--erase", action="store_true", help="erase; without it, only count")
    parser.add_argument("user", help="the user's id: the `sub` of their tokens")
    options = parser.parse_args(arguments)
    if not options.user:
        parser.error("the user's id is empty")
    deployment.use(options.stack)
    return erase(options.user) if options.erase else show(options.user)


def show(user_id: str) -> int:
    """Count the user's data by kind."""
    found = find(user_id)
    counts: Counter[str] = Counter()
    for partition in found.partitions:
        counts.update(table.kind_of(key).what for key in keys_of(partition))
    counts.update(table.kind_of(key).what for key in found.items)
    for prefix in folders(user_id, found.threads, found.runs):
        counts[f"object under {prefix.partition('/')[0]}/"] += sum(1 for _ in objects_in(prefix))
    for what, count in sorted(counts.items()):
        if count:
            sys.stdout.write(f"{count}\t{what}\n")
    sys.stdout.write(f"{counts.total()} in all; {len(found.running)} runs are active\n")
    return 0


def erase(user_id: str) -> int:
    """Erase a user, or only cancel runs whose workers may still write."""
    found = find(user_id)
    for job_id in found.jobs:  # first, since jobs start runs
        schedules.delete(job_id)
    for key in keys_of(questions.partition(user_id)):
        question_timers.delete(questions.id_of(key))
    for webhook_id in webhooks.keys_of(found.items):
        webhooks.delete(None, webhook_id)
    delete_items(found.items)
    for thread in found.threads:
        session = sessions.read(thread)
        if session is not None:
            sessions.mark_deleted(session)
    for run_key in found.running:
        cancel_run.stop(run_key)
    if found.running or found.settles:
        minutes = WORKER_LIVES // timedelta(minutes=1)
        sys.stdout.write(f"runs were stopped or have just ended: run this again in {minutes} minutes\n")
        return 3
    removed = sum(delete_folder(prefix) for prefix in list(folders(user_id, found.threads, found.runs)))
    deleted = len(found.items) + sum(delete_partition(partition) for partition in found.partitions)
    sys.stdout.write(f"erased {deleted} items and {removed} objects\n")
    return 0


# ---- The table -------------------------------------------------------------------------------------------------------
def find(user_id: str) -> FoundItems:
    """Scan the table for the user's data."""
    own = [f"USER#{user_id}", f"USAGE#{user_id}", memories.partition(user_id), devices.partition(user_id)]
    own += [webhooks.partition(user_id), mcp_connections.partition(user_id)]
    found = FoundItems([*own, session_outcomes.partition(user_id), questions.partition(user_id)])
    pages = (
        clients.dynamodb()
        .get_paginator("scan")
        .paginate(
            TableName=settings.table_name,
            ConsistentRead=True,
            FilterExpression="user_id = :user",
            ExpressionAttributeValues=table.to_wire({":user": user_id}),
            ProjectionExpression="pk, sk, phase, ended_at",
        )
    )
    for page in pages:
        for item in map(table.from_wire, page["Items"]):
            match table.kind_of(item).owner:
                case "whole":
                    found.partitions.append(item["pk"])
                case "itself":
                    found.items.append({name: item[name] for name in KEY})
            if "ended_at" in item:
                found.settles |= clock.since(item["ended_at"]) < WORKER_LIVES
            elif "phase" in item:
                found.running.append(item["pk"].removeprefix("RUN#"))
    return found


def keys_of(partition: str) -> Iterator[table.Item]:
    return table.query(partition, start="A", before="~", attributes=KEY)


def delete_partition(partition: str) -> int:
    """Delete a partition, the item that names its user last; returns the number of items."""
    head: list[table.Item] = []
    count = 0
    batch: list[table.Item] = []
    for key in keys_of(partition):
        count += 1
        (head if table.kind_of(key).owner == "whole" else batch).append(key)
        if len(batch) == _BATCH:
            delete_items(batch)
            batch = []
    delete_items(batch)
    delete_items(head)
    return count


def delete_items(keys: Sequence[table.Item]) -> None:
    """Delete items, existing or not. Raises TimeoutError if the table stays throttled."""
    for start in range(0, len(keys), _BATCH):
        left: Any = {
            settings.table_name: [
                {"DeleteRequest": {"Key": table.to_wire(key)}} for key in keys[start : start + _BATCH]
            ]
        }
        for tried in range(_TRIES):
            left = clients.dynamodb().batch_write_item(RequestItems=left).get("UnprocessedItems")
            if not left:
                break
            time.sleep(0.1 * 2**tried)  # the table throttles
        else:
            raise TimeoutError("the table is busy: run this again")


# ---- The bucket ------------------------------------------------------------------------------------------------------
def folders(user_id: str, threads: Sequence[str], run_keys: Sequence[str]) -> Iterator[str]:
    """Yield the prefixes of a user's objects; keys with a further slash belong to others."""
    yield from folders_of(user_id)
    yield uploads.staged_key(user_id, "")
    yield f"{recogniser.FOLDER}{folder_of(user_id)}/"
    for thread in threads:
        yield f"artifacts/{thread}/"
    for run_key in run_keys:
        yield steps.object_key(run_key, "")
    for area in get_args(StorageArea):
        for page in _pages(f"storage/{area}/"):
            for prefix in page.get("CommonPrefixes", ()):
                owner = json.loads(unquote(prefix["Prefix"].split("/")[2]))  # as `yarrow.services.api.storage` names it
                if owner[-1] == user_id:
                    yield prefix["Prefix"]


def objects_in(prefix: str) -> Iterator[str]:
    """Yield the keys of the objects in a folder."""
    for page in _pages(prefix):
        yield from (entry["Key"] for entry in page.get("Contents", ()))


def _pages(prefix: str) -> Iterator[Any]:
    lists = clients.s3().get_paginator("list_objects_v2")
    yield from lists.paginate(Bucket=settings.bucket_name, Prefix=prefix, Delimiter="/")


def delete_folder(prefix: str) -> int:
    """Delete the objects in a folder; returns how many. Raises botocore's ClientError at the first failure."""
    count = 0
    for key in objects_in(prefix):
        objects.delete(key)
        count += 1
    return count


if __name__ == "__main__":
    sys.exit(main())
