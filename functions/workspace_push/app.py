"""The table's stream: changes of workspaces, shown on their connections."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from collections.abc import Sequence

from yarrow.store.clients import at_start, connections, dynamodb, step_functions
from yarrow.web.lambda_stream import ChangedRecord, batch
from yarrow.workspace.counted_post import CountedPost
from yarrow.workspace.workspace_push import ChangedItem, workspace_push


@batch
def handler(records: Sequence[ChangedRecord]) -> list[str]:
    """Deliver the changes and return the sequence numbers to redeliver."""
    post = CountedPost()
    try:
        return workspace_push([ChangedItem(record.sequence_number, record.item) for record in records], post)
    finally:
        post.emit(record.item for record in records)


at_start(connections, dynamodb, step_functions)
resume_garbage_collection()
