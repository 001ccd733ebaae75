"""Stores SQS's queues with their messages. What somebody has received and not deleted can be received again."""

import time
from collections.abc import Mapping
from typing import Any, Final

from moto.sqs.models import Message, Queue, SQSBackend, sqs_backends

from local.data.sqlite import Sqlite
from local.emulator.stored.calls import after
from local.stack import ACCOUNT, REGION

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, queue TEXT, body TEXT, due REAL);
"""


def install(store: Sqlite) -> None:
    """Load the store, and make moto's calls write to it."""
    backend = sqs_backends[ACCOUNT][REGION]
    for (name,) in store.read("SELECT name FROM queues"):
        backend.create_queue(name)
    for message_id, name, body, due in store.read("SELECT id, queue, body, due FROM messages ORDER BY due"):
        message = Message(message_id, body)
        message.mark_sent(max(0, round(due - time.time())))
        backend.queues[name].add_message(message)

    def put_queue(call: Mapping[str, Any], _: Any) -> None:
        store.write([("INSERT OR IGNORE INTO queues VALUES (?)", (call["name"],))])

    def put(call: Mapping[str, Any], _: Any) -> None:
        message: Message = call["message"]
        row = message.id, call["self"].name, message.body, message.delayed_until / 1000
        store.write([("INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?)", row)])

    delete_message = Queue.delete_message

    def delete(queue: Queue, receipt_handle: str) -> None:
        found = [message.id for message in queue._messages if message.had_receipt_handle(receipt_handle)]
        delete_message(queue, receipt_handle)
        store.write([("DELETE FROM messages WHERE id = ?", (message_id,)) for message_id in found])

    after(SQSBackend, "create_queue", put_queue)
    after(Queue, "add_message", put)
    Queue.delete_message = delete  # type: ignore[method-assign, assignment]
