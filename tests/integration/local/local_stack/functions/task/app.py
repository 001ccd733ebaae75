"""The tasks of `machine.asl.json`."""

import threading

seen = set()


class OutOfStockError(Exception):
    pass


class FlakyError(Exception):
    pass


def handler(event, context):
    match event["task"]:
        case "good":
            return {"answer": "done"}
        case "flaky" if event["key"] not in seen:
            seen.add(event["key"])
            raise FlakyError
        case "flaky":
            return {"answer": "done"}
        case "sold out":
            raise OutOfStockError("none left")
        case "replace":
            return {"instead of": event["error"]}
        case "endless":
            threading.Event().wait(60)
    raise ValueError("no such task")
