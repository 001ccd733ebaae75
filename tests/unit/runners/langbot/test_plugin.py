"""A plugin's folder is read by its own manifests."""

from pathlib import Path

import pytest

from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners.langbot import langbot_plugin

MANIFEST = """
kind: Plugin
metadata: { author: acme, name: tools }
spec: { components: { Runner: { fromDirs: [{ path: components/runner/ }], fromFiles: [extra.yaml] } } }
"""
RUNNER = """
kind: Runner
metadata: {{ name: {name} }}
spec: {{ usages: [agent] }}
execution: {{ python: {{ path: {path}, attr: Demo }} }}
"""


def plugin(folder: Path, **paths: str) -> Path:
    runners = folder / "components/runner"
    runners.mkdir(parents=True)
    (folder / "manifest.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "extra.yaml").write_text("kind: Tool\n", encoding="utf-8")
    for name, path in paths.items():
        (runners / f"{name}.yaml").write_text(RUNNER.format(name=name, path=path), encoding="utf-8")
    return folder


def test_a_runner_is_found_by_the_manifests(tmp_path: Path) -> None:
    """CMP-02: by its name, where there are several."""
    one = langbot_plugin(plugin(tmp_path / "one", default="./default.py"))
    assert isinstance(one, InstalledRunner)
    assert one.manifest.id == "plugin:acme/tools/default"
    two = plugin(tmp_path / "two", default="default.py", other="../other.py")
    assert langbot_plugin(two, runner="other").manifest.id == "plugin:acme/tools/other"


@pytest.mark.parametrize(
    ("paths", "runner", "why"),
    [
        ({}, None, "it has none"),
        ({"a": "a.py", "b": "b.py"}, None, "it has a, b"),
        ({"a": "a.py"}, "b", "it has a"),
        ({"a": "../../../a.py"}, None, "not in the subpath"),
        ({"a": "''"}, None, "does not name its class"),
    ],
)
def test_a_folder_without_one_such_runner_is_refused(
    tmp_path: Path, paths: dict[str, str], runner: str | None, why: str
) -> None:
    """CMP-02, RNR-03: and so is a class outside the folder."""
    with pytest.raises(ValueError, match=why):
        langbot_plugin(plugin(tmp_path / "plugin", **paths), runner=runner)
