"""What parts of the agents' file have in common, and the policy of a tool."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from yarrow.agents.approvals import ToolApproval
from yarrow.protocol.runner.vocabulary import ToolOperation

Id = Annotated[str, StringConstraints(pattern=r"^\S+$", max_length=256)]


class Policy(BaseModel):
    """A part of the agents' file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Listed(Policy):
    """A list entry, possibly its id alone."""

    id: Id

    @model_validator(mode="before")
    @classmethod
    def _id_alone(cls, value: Any) -> Any:
        return {"id": value} if isinstance(value, str) else value


class ApprovalConditions(Policy):
    """Conditions on arguments, each a JSON schema. A call needs approval if its arguments match all of them."""

    when: Annotated[dict[Id, dict[str, JsonValue]], Field(min_length=1, max_length=20)]


class ToolPolicy(Listed):
    """A tool, and whether the user has to approve its calls; with `allow_edit` they may change the arguments."""

    operations: Annotated[tuple[ToolOperation, ...], Field(min_length=1)] = get_args(ToolOperation)
    approval: Literal["never", "always", "once_per_session"] | ApprovalConditions = "never"
    allow_edit: bool = False

    @model_validator(mode="after")
    def _edits_what_is_approved(self) -> Self:
        if self.allow_edit and self.approval == "never":
            raise ValueError("allow_edit needs an approval")
        return self

    @property
    def approved_by_user(self) -> ToolApproval | None:
        """How its calls are approved; None if they are not."""
        if self.approval == "never":
            return None
        when = self.approval.when if isinstance(self.approval, ApprovalConditions) else {}
        is_remembered = self.approval == "once_per_session"
        return ToolApproval(when=when, is_remembered=is_remembered, allow_edit=self.allow_edit)
