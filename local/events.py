"""EventBridge: delivers events to the functions of matching rules."""

import asyncio
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.functions import LambdaHost
from local.stack import Rule, TemplateError

logger = logging.getLogger(__name__)


class EventBus:
    """The default event bus; deliveries run in the background, without retries."""

    def __init__(self, rules: Iterable[Rule], host: LambdaHost) -> None:
        """Keep the rules. Raises `TemplateError` for a pattern with more than exact values."""
        self._rules = tuple(rules)
        self._host = host
        self._deliveries: set[asyncio.Task[None]] = set()
        for rule in self._rules:
            if any(isinstance(value, dict) for value in _leaves(rule.pattern)):
                raise TemplateError(f"{rule.name}: only exact values in event patterns work locally")

    def publish(self, event: Mapping[str, Any]) -> list[asyncio.Task[None]]:
        """Start the delivery of one event; returns an awaitable that completes with it."""
        started = []
        for rule in self._rules:
            if matches(rule.pattern, event):
                for target in rule.targets:
                    delivery = asyncio.create_task(self._deliver(target, event))
                    self._deliveries.add(delivery)
                    delivery.add_done_callback(self._deliveries.discard)
                    started.append(delivery)
        return started

    async def _deliver(self, target: str, event: Mapping[str, Any]) -> None:
        await self._host.invoke(target, json.dumps(event).encode())


def matches(pattern: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Return whether the event has one of the values of every leaf of the pattern (of an array: any element)."""
    for name, expected in pattern.items():
        actual = event.get(name)
        if isinstance(expected, Mapping):
            if not isinstance(actual, Mapping) or not matches(expected, actual):
                return False
        elif not any(value in expected for value in (actual if isinstance(actual, list) else [actual])):
            return False
    return True


def _leaves(pattern: Mapping[str, Any]) -> Iterator[Any]:
    for expected in pattern.values():
        if isinstance(expected, Mapping):
            yield from _leaves(expected)
        else:
            yield from expected
