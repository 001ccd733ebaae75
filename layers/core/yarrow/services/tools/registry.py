"""The only source of backend tools (TOOL-04); client tools do not change it (TOOL-06). Permissions are checked
elsewhere."""

import asyncio
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import to_jsonable_python

from yarrow.formats import foreign_json, json_text
from yarrow.protocol.runner.api import AgentAPIException, ToolDetail
from yarrow.protocol.runner.tools import ToolContext, WithCard
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.protocol.ui_schema.hints import Card
from yarrow.services.api.errors import invalid

TOOL_SECONDS: Final = 30.0
MAX_RESULT_BYTES: Final = 64 * 1024
"""JSON bytes of a tool's result, sized for a model."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Accepted by every model provider."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's result as JSON, and its card for clients, if it has one. `asks` is what has to be known before there is
    a result: see `yarrow.services.mcp.elicitation`. `contents` are the result as parts of a ModelMessage, if it has
    pictures: artifacts that the run may read from then on.
    """

    result: Any
    card: Card | None = None
    asks: dict[str, Any] | None = None
    contents: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class _Tool:
    detail: ToolDetail
    arguments: type[BaseModel]
    function: Callable[..., Any]
    seconds: float
    writes: bool
    retry: Retry

    def validated(self, parameters: dict[str, Any]) -> BaseModel:
        """Validate parameters. Raises AgentAPIException `invalid_argument`."""
        try:
            return self.arguments.model_validate(parameters)
        except ValidationError as error:
            raise invalid(error, self.arguments, within="parameters") from None


class Tools(Protocol):
    """The tools of a run; see `ToolRegistry`."""

    def detail(self, name: str, /) -> ToolDetail | None: ...

    def arguments(self, name: str, parameters: dict[str, Any], /) -> dict[str, Any]: ...

    def writes(self, name: str, /) -> bool: ...

    def retry(self, name: str, /) -> Retry: ...

    async def answer(self, name: str, parameters: dict[str, Any], context: ToolContext, /) -> ToolResult: ...


class ToolRegistry:
    def __init__(self) -> None:
        self._tools: dict[str, _Tool] = {}

    def register_tool_function(
        self,
        function: _Function,
        *,
        name: str | None = None,
        description: str | None = None,
        seconds: float = TOOL_SECONDS,
        writes: bool = True,
        retry: Retry | None = None,
    ) -> _Function:
        """Register a function as a tool and return it; usable as a decorator.

        The function, sync or async, takes a ToolContext, then the parameters of its JSON schema. It returns a JSON
        value, or a WithCard of one, or raises AgentAPIException with a public message. Without `writes`, it may run
        briefly after its run has ended.

        `retry` says what happens to a call whose worker died before its result was stored (STP-03): it is made again
        (`safe`), made again with the same idempotency key `ToolContext.key` (`keyed`), or not made again,
        and the run fails (`never`). Without it, tools that write nothing are `safe`, others `never`.

        Raises ValueError for a taken or invalid name, a missing description, or a signature without a schema.
        """
        name = name or function.__name__
        description = description or inspect.getdoc(function)
        if not _NAME.fullmatch(name) or name in self._tools:
            raise ValueError(f"{name} is not a valid tool name, or is taken")
        if not description:
            raise ValueError(f"{name} has no description")
        arguments = _arguments(name, function)
        parameters = arguments.model_json_schema()
        del parameters["title"]
        detail = ToolDetail(tool_name=name, description=description, parameters=parameters)
        self._tools[name] = _Tool(
            detail, arguments, function, seconds, writes, retry or ("never" if writes else "safe")
        )
        return function

    def detail(self, name: str) -> ToolDetail | None:
        """Return the tool's detail; None if it is unknown."""
        tool = self._tools.get(name)
        return None if tool is None else tool.detail

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._tools)

    def arguments(self, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call of a registered tool as JSON, converted and with defaults.

        Raises AgentAPIException `invalid_argument`.
        """
        return self._tools[name].validated(parameters).model_dump(mode="json")

    def writes(self, name: str) -> bool:
        """Whether a registered tool may write anything."""
        return self._tools[name].writes

    def retry(self, name: str) -> Retry:
        """Return what may be done about a call of a registered tool whose outcome is unknown."""
        return self._tools[name].retry

    async def call(self, name: str, parameters: dict[str, Any], context: ToolContext) -> Any:
        """Return the result of `answer`, without its card."""
        return (await self.answer(name, parameters, context)).result

    async def answer(self, name: str, parameters: dict[str, Any], context: ToolContext) -> ToolResult:
        """Run a tool and return its result as JSON, truncated to MAX_RESULT_BYTES, and its card.

        Raises KeyError for an unknown name, AgentAPIException `invalid_argument` for invalid parameters and
        `runtime_error` on timeout, and what the tool raises. After a timeout a sync function keeps running in its
        thread; its result is dropped.
        """
        tool = self._tools[name]
        arguments = tool.validated(parameters)
        values = {member: getattr(arguments, member) for member in tool.arguments.model_fields}
        try:
            async with asyncio.timeout(tool.seconds) as limit:
                if inspect.iscoroutinefunction(tool.function):
                    result = await tool.function(context, **values)
                else:
                    result = await asyncio.to_thread(tool.function, context, **values)
        except TimeoutError:
            if not limit.expired():
                raise
            raise AgentAPIException("runtime_error", "the tool took too long", retryable=True) from None
        if isinstance(result, WithCard):
            return ToolResult(shortened(result.result), result.card)
        return ToolResult(shortened(result))


def _arguments(name: str, function: Callable[..., Any]) -> type[BaseModel]:
    """Return the parameters after the first as a model."""
    context, *others = inspect.signature(function, eval_str=True).parameters.values()
    if context.annotation is not ToolContext:
        raise ValueError(f"the first parameter of {name} is not a ToolContext")
    members: dict[str, Any] = {}
    for parameter in others:
        if (
            parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
            or parameter.annotation is parameter.empty
        ):
            raise ValueError(f"{parameter.name} of {name} has no type, or is positional-only")
        members[parameter.name] = (
            parameter.annotation,
            ... if parameter.default is parameter.empty else parameter.default,
        )
    return create_model(name, __config__=ConfigDict(extra="forbid"), **members)


def shortened(result: Any, most: int = MAX_RESULT_BYTES) -> Any:
    """Return the result as JSON; one of more than `most` bytes is truncated to text and marked."""
    text = foreign_json.dumps(to_jsonable_python(result))
    size = len(text.encode())
    if size <= most:
        return json_text.loads(text.encode())
    kept = text[:most]
    while True:
        cut = {"truncated": True, "size_bytes": size, "beginning": kept}
        if len(json_text.dumps(cut).encode()) <= most:
            return cut
        kept = kept[: len(kept) * 7 // 8]
