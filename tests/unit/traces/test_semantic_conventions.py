"""Names in traces are those of the semantic conventions that OpenTelemetry has released (EVB-02)."""

import ast
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.semconv import schemas
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as gen_ai

from yarrow.services.models.parameter import EXTRAS, INCLUDED
from yarrow.traces import semantic_conventions as names

OWN = "yarrow."
OUTDATED = ("Deprecated: Replaced", "Deprecated: Removed")
"""Those of GenAI are marked as moved to a repository of their own, under the same names."""

PACKAGES = ("opentelemetry.semconv._incubating.attributes", "opentelemetry.semconv.attributes")


def described() -> Iterator[tuple[str, str]]:
    """Yield the released attributes with their descriptions."""
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.submodule_search_locations is not None
        for folder in spec.submodule_search_locations:
            for path in Path(folder).glob("*_attributes.py"):
                yield from _constants(path)


def _constants(path: Path) -> Iterator[tuple[str, str]]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
            has_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            text = str(following.value.value) if has_text else ""  # type: ignore[attr-defined]
            yield str(node.value.value), text.strip()


RELEASED = dict(described())
ATTRIBUTES = {
    name: value for name, value in vars(names).items() if name.isupper() and isinstance(value, str) and "." in value
}
USED = {name for name, value in ATTRIBUTES.items() if not value.startswith((OWN, "https:", "aws."))}


def test_the_release_is_read() -> None:
    assert "gen_ai.operation.name" in RELEASED
    assert RELEASED["gen_ai.system"].startswith(OUTDATED)


@pytest.mark.parametrize("name", sorted(USED))
def test_an_attribute_is_released_and_not_outdated(name: str) -> None:
    value = ATTRIBUTES[name]
    assert value in RELEASED, value
    assert not RELEASED[value].startswith(OUTDATED), value


def test_attributes_of_yarrow_are_no_convention() -> None:
    own = {value for value in ATTRIBUTES.values() if value.startswith(OWN)}
    assert own
    assert not own & RELEASED.keys()


def test_operations_are_those_of_the_conventions() -> None:
    released = {operation.value for operation in gen_ai.GenAiOperationNameValues}
    assert {names.INVOKE_AGENT, names.CHAT, names.EXECUTE_TOOL, names.RETRIEVAL} <= released
    assert names.RERANK not in released  # then it would be renamed


def test_providers_are_those_of_the_conventions() -> None:
    """A provider that the conventions do not know keeps its own name."""
    released = {provider.value for provider in gen_ai.GenAiProviderNameValues}
    assert set(names.PROVIDERS.values()) <= released
    assert names.PROVIDERS.keys() <= INCLUDED | EXTRAS.keys()
    others = (INCLUDED | EXTRAS.keys()) - names.PROVIDERS.keys()
    assert not others & released


def test_the_store_is_the_conventions_dynamodb() -> None:
    module = importlib.import_module("opentelemetry.semconv._incubating.attributes.db_attributes")
    assert names.DYNAMODB in {system.value for system in module.DbSystemNameValues}


def test_the_schema_is_the_latest() -> None:
    assert list(schemas.Schemas)[-1].value == names.SCHEMA_URL
