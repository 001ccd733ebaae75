"""The state that AG-UI clients share with an agent, kept between runs for clients that ask with
`metadata.persistentState: true`. A run then begins with the stored state unless the client sends one, and stores the
state that it ends with. See `shared_state` for the events.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from yarrow.protocol.run_input.body import RunInput
from yarrow.store import runs
from yarrow.store.runner import persistent_state
from yarrow.store.runner.persistent_state import StateSpace

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

_KEY: Final = "state"
_HOST: Final = "yarrow:ag-ui"
"""Stands for a runner's id, so that runners cannot read it."""


def restored(run: runs.Run, run_input: RunInput) -> RunInput:
    """Add the stored state, if the client asks for it and sends none."""
    if not run_input.keeps_state or run_input.state:
        return run_input
    return replace(run_input, state=persistent_state.get(_space(run), _KEY) or {})


def keep(run: runs.Run, state: Any) -> list["WriteItem"]:
    return persistent_state.keep(_space(run), {_KEY: state})


def _space(run: runs.Run) -> StateSpace:
    return StateSpace(_HOST, run.agent, "conversation", run.thread_id, run.user_id)
