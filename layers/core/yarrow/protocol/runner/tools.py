"""The interface of backend tools, including those of packages (entry points of `yarrow.tools`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Protocol, TypeVar

from pydantic import AfterValidator, Field

from yarrow.formats.time_zones import is_time_zone
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.protocol.ui_schema.hints import Card

_OPTIONS: Final = "_yarrow_tool"


def _known(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("not a time zone of the IANA database")
    return name


TimeZoneName = Annotated[str, AfterValidator(_known), Field(description="An IANA time zone, e.g. Asia/Shanghai.")]
"""The type of a tool's parameter."""


@dataclass(frozen=True, slots=True)
class TimeZones:
    """The time zones of the user's device and profile, if known."""

    device: str | None = None
    profile: str | None = None

    def resolve(self, argument: str | None = None) -> str:
        """Choose the tool's argument, else the device's zone, the profile's or UTC.

        Invalid IANA names are skipped; the server's zone is never used (FWD-07 … FWD-09).
        """
        return next((zone for zone in (argument, self.device, self.profile) if zone and is_time_zone(zone)), "UTC")


class ToolRun(Protocol):
    """The run that calls a tool. Its members may read the table when they are used."""

    @property
    def locale(self) -> str | None:
        """The locale of the run's user, if known."""

    @property
    def created_at(self) -> datetime:
        """When the run was accepted, in UTC: the same for a worker that takes over."""

    @property
    def said(self) -> str:
        """The text of the user's message in this run."""

    def earlier(self, messages: int) -> list[str]:
        """Return the user's texts among the latest messages of the conversation; `messages` counts any author's."""

    def parameter(self, name: str) -> Any:
        """Read a deployment parameter of agents by its name, as JSON; None unless it is set."""

    def keep_once(self, kind: str, of: str, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the value stored under this kind and name in this run, else store `value` for 30 days and return it.

        So a worker that takes over has the random values of the first. `kind` is the tool's own word in capitals. A
        value has text, whole numbers, booleans, lists and objects.
        """


_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """The options of a tool; see `ToolRegistry.register_tool_function`."""

    writes: bool = True
    retry: Retry | None = None


def tool(*, writes: bool = True, retry: Retry | None = None) -> Callable[[_Function], _Function]:
    """Declare the options of a package's tool. Without it, a tool may write, and no call of it is repeated (STP-03)."""

    def declared(function: _Function) -> _Function:
        vars(function)[_OPTIONS] = ToolOptions(writes, retry)
        return function

    return declared


def options_of(function: Callable[..., Any]) -> ToolOptions:
    """Return the options that `tool` declared."""
    found = getattr(function, _OPTIONS, None)
    return found if isinstance(found, ToolOptions) else ToolOptions()


@dataclass(frozen=True, slots=True)
class WithCard:
    """A tool's result for the agent, with a card for the client, if any (UIS-04)."""

    result: Any
    card: Card | None


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The run a tool is called in; a tool acts for this user and thread only."""

    user_id: str
    thread_id: str
    run_id: str
    time_zones: TimeZones
    run: ToolRun | None = None
    """The run that calls; None where there is none, as in a tool's tests."""
    key: str | None = None
    """The call's idempotency key: the same when a worker that takes over makes the call again (STP-02)."""
