"""When the user has to approve calls of a tool, as a binding says it (ASK-06)."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from yarrow.protocol.questions import approval_schema


class ToolApproval(BaseModel):
    """How calls of one tool are approved: all of them, or those whose arguments match all of `when`, JSON schemas.

    If it `is_remembered`, one approval holds for the session. With `allow_edit` the user may replace the arguments.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    when: dict[str, dict[str, Any]] = {}
    is_remembered: bool = False
    allow_edit: bool = False

    def needs(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a call with these arguments needs approval; one that a condition names and that is missing may match.

        They are the validated arguments, with defaults: a model may send `"100"` for 100.
        """
        if not self.when:
            return True
        from yarrow.formats import json_schema  # few tools have conditions

        return not any(
            name in arguments and json_schema.mismatch(arguments[name], schema) for name, schema in self.when.items()
        )


def check_conditions(when: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ValueError for a condition that is no schema by which arguments can be checked."""
    from yarrow.formats import json_schema

    for name, schema in when.items():
        try:
            json_schema.check_schema(schema)
        except json_schema.SchemaError as error:
            raise ValueError(f"when.{name} {error}") from error


def check(approval: ToolApproval, parameters: Mapping[str, Any]) -> None:
    """Raise ValueError if an approval does not fit a tool's parameters, a JSON schema."""
    from yarrow.formats import json_schema

    for name in approval.when:
        if name not in parameters.get("properties", {}):
            raise ValueError(f"when.{name} is no parameter of the tool")
    check_conditions(approval.when)
    if approval.allow_edit:
        try:
            json_schema.check_schema(approval_schema(parameters))
        except json_schema.SchemaError as error:
            raise ValueError(f"allow_edit: the schema of its parameters {error}") from error
