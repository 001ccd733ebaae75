"""Handles calls of an SDK runner's proxies through the run's API.

The SDK requires `call_action`, `call_action_generator` and its own exceptions.
"""

import asyncio
import contextlib
import importlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runners.langbot import actions
from yarrow.runners.langbot.actions import LangBotAction
from yarrow.runners.langbot.messages import base64_of, with_references
from yarrow.runners.langbot.usage import Usage

logger = logging.getLogger(__name__)

_NAME_CHARACTERS: Final = 64


class HostHandler:
    """Serves one run, and counts what its requests to models have used. After the run the host refuses its calls
    (RNR-64).
    """

    def __init__(
        self,
        context: AgentRunContext,
        api: AgentRunAPIProxy,
        usage: Usage,
        data_urls: Mapping[str, str] | None = None,
        *,
        runner_id: str = "unknown",
    ) -> None:
        self._context = context
        self._runner_id = runner_id
        self._api = api
        self._usage = usage
        self._artifact_ids = {base64_of(url): artifact_id for artifact_id, url in (data_urls or {}).items()}
        """Artifact ids by the base64 that the runner got: pictures sent back to a model are sent by reference."""

    async def call_action(self, action: Any, data: dict[str, Any], timeout: float = 15.0) -> dict[str, Any]:  # noqa: ASYNC109  # the SDK's signature
        """Call an action with one document as its answer. `timeout` is in seconds.

        Raises the SDK's ActionCallError or ActionCallTimeoutError.
        """
        name = action.value
        async with self._in_sdk_terms(name, timeout):
            if name in actions.ANSWERED_HERE:
                return actions.ANSWERED_HERE[name](data, self._context)
            ours = self._admit(actions.ACTIONS, name, data)
            arguments = self._arguments(ours, data)
            answer = await self._api.transport.call(ours.name, arguments)
            if ours.in_pages:
                answer = {"keys": await self._all_keys(ours.name, arguments, answer)}
            if name == actions.STEERING_PULL:
                return actions.steering_items(answer, self._context, self._runner_id)
            translated = ours.answer(answer, data)
            self._usage.count(translated.get("usage"))
            return translated

    async def call_action_generator(
        self,
        action: Any,
        data: dict[str, Any],
        timeout: float = 15.0,  # noqa: ASYNC109  # the SDK's signature
    ) -> AsyncGenerator[dict[str, Any]]:
        """Call a streaming action; `timeout` is per document. Raises as `call_action` does."""
        name = action.value
        async with self._in_sdk_terms(name):
            ours = self._admit(actions.STREAMS, name, data)
            stream = self._api.transport.stream(ours.name, self._arguments(ours, data))
        async with contextlib.aclosing(stream):
            while True:
                async with self._in_sdk_terms(name, timeout):
                    document = await anext(stream, None)
                if document is None:
                    return
                for item in actions.stream_items(document):
                    self._usage.count(item.get("usage"))
                    yield item

    async def _all_keys(self, action: str, arguments: dict[str, Any], page: dict[str, Any]) -> list[str]:
        """Collect the keys of a page and all later ones."""
        keys = list(page["keys"])
        while (cursor := page.get("next_cursor")) is not None:
            page = await self._api.transport.call(action, {**arguments, "cursor": cursor})
            keys += page["keys"]
        return sorted(keys)

    def _admit(self, table: Mapping[str, LangBotAction], name: str, data: Mapping[str, Any]) -> LangBotAction:
        """Find our action for a call, which must be within its run and conversation (RNR-50, RNR-55)."""
        if name not in table:
            raise self._refused(name, f"{name} is not offered by this host")
        if data.get("run_id") != self._context.run_id:
            raise self._refused(name, "the call is not made for this run")
        if data.get("conversation_id") not in (None, self._context.context.conversation_id):
            raise self._refused(name, "the conversation is not that of this run")
        return table[name]

    def _refused(self, name: str, why: str) -> AgentAPIException:
        """Audit a call refused here (RNR-82)."""
        action = name if name.isidentifier() and len(name) <= _NAME_CHARACTERS else "unknown"
        audit = {"run_id": self._context.run_id, "runner_id": self._runner_id, "action": action}
        logger.info("runner action", extra={"audit": {**audit, "result": "unauthorized"}})
        return AgentAPIException("unauthorized", why)

    def _arguments(self, ours: LangBotAction, data: Mapping[str, Any]) -> dict[str, Any]:
        try:
            arguments = ours.arguments(data)
        except (KeyError, TypeError) as error:
            raise AgentAPIException("invalid_argument", "the call is malformed") from error
        if self._artifact_ids and "messages" in arguments:
            arguments["messages"] = with_references(arguments["messages"], self._artifact_ids)
        return {"run_id": self._context.run_id, **arguments}

    @contextlib.asynccontextmanager
    async def _in_sdk_terms(self, name: str, seconds: float | None = None) -> AsyncIterator[None]:
        """Turn exceptions into the SDK's, internal ones without their text."""
        errors = importlib.import_module("langbot_plugin.entities.io.errors")
        try:
            async with asyncio.timeout(seconds):
                yield
        except AgentAPIException as error:
            raise errors.ActionCallError(error.error.message, error.error.model_dump()) from error
        except TimeoutError as error:
            raise errors.ActionCallTimeoutError(f"{name} took too long") from error
        except Exception as error:
            logger.warning("the host failed to answer a runner: %s", type(error).__name__, extra={"action": name})
            logger.debug("the cause of the failure", exc_info=True)
            failure = {"code": "runtime_error", "message": "the host failed", "retryable": True, "details": {}}
            raise errors.ActionCallError("the host failed", failure) from error
