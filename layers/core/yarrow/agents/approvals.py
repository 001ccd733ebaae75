"""When the user has to approve calls of a tool, as a binding says it (ASK-06)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from yarrow.protocol.questions import approval_schema

MAX_CONDITIONS: Final = 20

Argument = Annotated[str, StringConstraints(min_length=1, max_length=128)]


class ApprovalConditions(BaseModel):
    """Conditions on arguments, each a JSON schema. A call needs approval if its arguments match all of them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    when: Annotated[dict[Argument, dict[str, JsonValue]], Field(min_length=1, max_length=MAX_CONDITIONS)]


Approval = Literal["never", "always", "once_per_session"] | ApprovalConditions


class ToolApproval(BaseModel):
    """How calls of one tool are approved. With `allow_edit` the user may replace the arguments."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    approval: Literal["always", "once_per_session"] | ApprovalConditions
    allow_edit: bool = False

    @property
    def is_remembered(self) -> bool:
        """Whether one approval holds for the session."""
        return self.approval == "once_per_session"

    def needs(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a call with these arguments needs approval; one that a condition names and that is missing may match.

        They are the validated arguments, with defaults: a model may send `"100"` for 100.
        """
        if not isinstance(self.approval, ApprovalConditions):
            return True
        from yarrow.formats import json_schema  # few tools have conditions

        return not any(
            name in arguments and json_schema.mismatch(arguments[name], schema)
            for name, schema in self.approval.when.items()
        )


def check(approval: ToolApproval, parameters: Mapping[str, Any]) -> None:
    """Raise ValueError if an approval does not fit a tool's parameters, a JSON schema."""
    from yarrow.formats import json_schema

    if isinstance(approval.approval, ApprovalConditions):
        for name, schema in approval.approval.when.items():
            if name not in parameters.get("properties", {}):
                raise ValueError(f"when.{name} is no parameter of the tool")
            try:
                json_schema.check_schema(schema)
            except json_schema.SchemaError as error:
                raise ValueError(f"when.{name} {error}") from error
    if approval.allow_edit:
        try:
            json_schema.check_schema(approval_schema(parameters))
        except json_schema.SchemaError as error:
            raise ValueError(f"allow_edit: the schema of its parameters {error}") from error
