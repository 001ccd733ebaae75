"""The agents of a deployment as clients list them (EVB-06)."""

from typing import Literal

from yarrow.protocol.response_body import Body

Surface = Literal["agui", "workspace", "automation"]


class AgentItem(Body, frozen=True, kw_only=True):
    """An agent that the caller may use. `label` is in the caller's language, its name if its runner has none.

    `surfaces`: where it can be met: by AG-UI clients and `POST /runs`, in a workspace, which `taskName` opens, and by
    jobs. `input` names the rules of what a run of it takes beside a message; left out if that is nothing.
    `isDefault`: runs that name no agent are its. `isSteerable`: it takes messages that its user adds to a run that goes
    on (RNR-87); of an agent whose runner is not installed here, false.
    """

    name: str
    label: str
    modes: tuple[str, ...]
    surfaces: tuple[Surface, ...]
    input: str | None = None
    task_name: str | None = None
    is_default: bool
    is_steerable: bool


class AgentList(Body, frozen=True, kw_only=True):
    """All agents, in the order of the deployment's file."""

    agents: tuple[AgentItem, ...]
