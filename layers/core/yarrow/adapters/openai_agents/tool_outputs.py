"""What a tool of the OpenAI Agents SDK returns, as the JSON that a step stores.

The SDK sends a model structured outputs as they are, and of any other value its text.
"""

from typing import Any, Final

from agents import ToolOutputFileContent, ToolOutputImage, ToolOutputText
from pydantic_core import PydanticSerializationError, to_jsonable_python

_STRUCTURED: Final = (ToolOutputText, ToolOutputImage, ToolOutputFileContent)


def document(output: Any, *, is_typed: bool) -> dict[str, Any]:
    """Return a document from which `loaded` makes what a model is told equally. `is_typed` outputs have a schema."""
    try:
        value = to_jsonable_python(output)
    except PydanticSerializationError:
        return {"value": str(output)}
    listed = output if isinstance(output, list) else [output]
    is_structured = any(isinstance(one, _STRUCTURED) for one in listed)
    return {"value": value if is_typed or is_structured or repr(value) == repr(output) else str(output)}


def loaded(stored: dict[str, Any]) -> Any:
    return stored["value"]
