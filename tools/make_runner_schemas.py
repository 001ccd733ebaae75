"""Generates `docs/runner-schemas/`: the runner protocol as JSON schemas, from its models.

Run `python -m tools.make_runner_schemas` after changing a model of `yarrow.protocol.runner`; a test compares the two.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from tools.make_requirements import NAME
from yarrow.protocol.runner.api import ACTIONS, AgentAPIError
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.ui_schema.hint_models import UiHints
from yarrow.protocol.workspace import surface

TARGET: Final = Path(__file__).parent.parent / "docs/runner-schemas"

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

# "serialization" has every member, as the host writes it; in "validation", members with defaults are optional.
MODELS: Final[Mapping[str, tuple[type[BaseModel], JsonSchemaMode]]] = {
    "manifest": (AgentRunnerManifest, "validation"),
    "context": (AgentRunContext, "serialization"),
    "result": (AgentRunResult, "validation"),
    "error": (AgentAPIError, "serialization"),
    "ui-hints": (UiHints, "validation"),
}

_IDS: Final = re.compile(rf" \({NAME.pattern}(?:, {NAME.pattern})*\)")


def documents() -> dict[str, str]:
    schemas = {name: model.model_json_schema(mode=mode) for name, (model, mode) in MODELS.items()}
    schemas["actions"] = _by_name(
        "Actions", "The arguments of every action that a runner may call of its host, by the action's name.", ACTIONS
    )
    schemas["workspace"] = _by_name("Workspace", "The data of the results for a workspace.", surface.RESULTS)
    return {f"{name}.json": _text({"$schema": DIALECT, **schema}) for name, schema in schemas.items()}


def _by_name(title: str, description: str, named: Mapping[str, type[BaseModel]]) -> dict[str, Any]:
    models: dict[type[BaseModel], None] = dict.fromkeys(named.values())
    refs, definitions = models_json_schema([(model, "validation") for model in models])
    return {
        "title": title,
        "description": description,
        "type": "object",
        "properties": {name: refs[model, "validation"] for name, model in named.items()},
        "additionalProperties": False,
        **definitions,
    }


def _text(schema: dict[str, Any]) -> str:
    """Return the text without ids of requirements, which mean nothing outside of this repository."""
    return _IDS.sub("", json.dumps(schema, ensure_ascii=False, indent=2)) + "\n"


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, text in documents().items():
        (TARGET / name).write_text(text, encoding="utf-8")
