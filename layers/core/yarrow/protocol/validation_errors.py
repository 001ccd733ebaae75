"""Pydantic errors as `reason` in a problem's `params`: the rule, never the value, which must not reach answers or logs
(SEC-05).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from yarrow.protocol.problems import Problem, ProblemCode

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_REASONS: Final[Mapping[str, str]] = {
    "dict_type": "must be an object",
    "extra_forbidden": "is not a known member",
    "greater_than_equal": "must be {ge} or more",
    "int_type": "must be an integer",
    "json_invalid": "must be valid JSON",
    "less_than_equal": "must be {le} or less",
    "list_type": "must be an array",
    "literal_error": "must be {expected}",
    "missing": "is required",
    "model_attributes_type": "must be an object",
    "model_type": "must be an object",
    "schedule_unsupported": "{reason}",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "string_too_long": "must have {max_length} or fewer characters",
    "string_too_short": "must have {min_length} or more characters",
    "string_type": "must be a string",
    "string_unicode": "must be a string of whole characters",
    "too_long": "must have {max_length} or fewer items",
    "too_short": "must have {min_length} or more items",
    "tuple_type": "must be an array",
    "union_tag_invalid": "{discriminator} must be one of {expected_tags}",
    "union_tag_not_found": "{discriminator} is required",
    "value_error": "{error}",
}
"""Reasons by error type; braces hold limits. `value_error` is from this project's validators, with public messages."""

_OTHER: Final = "is not valid"


def reason(fault: "ErrorDetails") -> str:
    """Return the reason of an error, which must have its context."""
    limits: Mapping[str, Any] = fault.get("ctx", {})
    return _REASONS.get(fault["type"], _OTHER).format_map({name: _quoted(value) for name, value in limits.items()})


def faults(error: "ValidationError") -> "list[ErrorDetails]":
    return error.errors(include_url=False, include_input=False)


def of_body(code: ProblemCode, error: "ValidationError") -> Problem:
    """Return the problem of a request's body, which names its first invalid member."""
    first = faults(error)[0]
    is_unknown = first["type"] == "extra_forbidden"  # a name of the client's own is not repeated
    where = "member" if is_unknown else ".".join(map(str, first["loc"])) or "body"
    return Problem(code, f"invalid {where}", params={"reason": reason(first)})


def _quoted(value: object) -> str:
    """Write names in JSON's quotes."""
    return str(value).replace("'", '"')
