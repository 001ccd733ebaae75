"""The table's stream: runs that ended, questions and paused jobs, published on the stack's event bus.

The end of a job's question or run also releases the slots that waited for it, and that of a device its endpoint in
Amazon SNS.
"""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from collections.abc import Sequence

from yarrow.domain_events.job_slots import release_of
from yarrow.domain_events.publish_events import publish_events
from yarrow.notifications.mobile_push.drop_endpoints import drop_endpoints
from yarrow.store.clients import at_start, dynamodb, event_bridge, scheduler
from yarrow.web.lambda_stream import ChangedRecord, batch


@batch
def handler(records: Sequence[ChangedRecord]) -> list[str]:
    """Publish the events and return the sequence numbers to redeliver."""
    changes = [(record.sequence_number, record.item) for record in records]
    return [*publish_events(changes), *release_of(changes), *drop_endpoints(changes)]


at_start(dynamodb, event_bridge, scheduler)
resume_garbage_collection()
