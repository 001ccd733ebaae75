"""Which entry points count: those of the layer's packages, and those of others under other names."""

import importlib.metadata
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.functions.sandbox import SHIPPED
from tests.support.paths import ROOT
from yarrow.packages import declared

GROUP = "yarrow.runners"
INDEX: dict[str, dict[str, dict[str, str]]] = {
    "entry_points": {GROUP: {"plugin:acme/a/default": "acme.a:RUNNER"}},
    "agents": {},
}


@pytest.fixture
def layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an index of one's own."""
    monkeypatch.setattr(declared, "INDEX", tmp_path / "bundled.json")
    declared.index.cache_clear()
    yield tmp_path / "bundled.json"
    declared.index.cache_clear()


def test_where_the_platform_is_alone_nothing_is_bundled(layer: Path) -> None:
    assert not layer.exists()
    assert declared.bundled(GROUP) == {}


def test_a_bundled_package_with_metadata_is_not_found_twice(layer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where it is installed from its wheel as well."""
    layer.write_text(json.dumps(INDEX), encoding="utf-8")
    ours = INDEX["entry_points"][GROUP]
    places = {"b": "acme.b:RUNNER", **ours, "0": "acme.z:RUNNER"}
    points = [importlib.metadata.EntryPoint(name, place, GROUP) for name, place in places.items()]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: points if group == GROUP else [])
    assert declared.bundled(GROUP) == {"plugin:acme/a/default": "acme.a:RUNNER"}
    assert [entry_point.value for entry_point in declared.installed(GROUP)] == ["acme.z:RUNNER", "acme.b:RUNNER"]


def test_a_built_layer_has_the_packages_and_their_index() -> None:
    """What the layer's Makefile copies is what tests of functions see."""
    (line,) = (line for line in (ROOT / "layers/core/Makefile").read_text("utf-8").splitlines() if "cp -R" in line)
    assert set(line.split()[2:-1]) == set(SHIPPED)
    assert all((declared.LAYER / text).exists() for text in SHIPPED)
