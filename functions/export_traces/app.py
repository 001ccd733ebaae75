"""The queue of ended runs: their traces, sent to the deployment's OTLP endpoint."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.store.clients import at_start, dynamodb, secrets_manager
from yarrow.traces.export_traces import export_traces
from yarrow.web.lambda_queue import batch

handler = batch(export_traces)
at_start(dynamodb, secrets_manager)
resume_garbage_collection()
