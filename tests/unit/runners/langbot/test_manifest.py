"""An SDK runner's manifest becomes one of ours, and nothing in it grants more than ours can."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from yarrow.runners.langbot import langbot_runner

YAML = """
apiVersion: langbot/v1
kind: Runner
metadata:
  name: default
  label: {en_US: Helper, zh_Hans: 助手}
  description: {en_US: Helps}
spec:
  usages: [agent]
  capabilities: {streaming: true, tool_calling: true, steering: true}
  permissions:
    models: [invoke, stream, count_tokens]
    history: [page]
    storage: [plugin]
    interactions: [request]
  config:
    - {name: model, type: model-fallback-selector, label: {en_US: Model}, required: true, scope: chat}
execution:
  python: {path: ./default.py, attr: Helper}
"""


def document(**spec: Any) -> dict[str, Any]:
    return {"kind": "Runner", "metadata": {"name": "default"}, "spec": {"usages": ["agent"], **spec}}


def test_the_yaml_of_a_component_is_read(tmp_path: Path) -> None:
    """CMP-02, RNR-02, C18."""
    path = tmp_path / "default.yaml"
    path.write_text(YAML, encoding="utf-8")
    manifest = langbot_runner("acme.default:Helper", manifest=path, plugin="acme/demo").manifest
    assert manifest.id == "plugin:acme/demo/default"
    assert manifest.label == {"en_US": "Helper", "zh_Hans": "助手"}
    assert manifest.capabilities.streaming
    assert manifest.permissions.models == ("invoke", "stream")
    assert manifest.permissions.storage == ("plugin",)
    assert manifest.context.supports_history_pull
    assert not manifest.context.supports_history_search
    assert not manifest.context.supports_artifact_pull
    assert manifest.config_schema[0].model_dump()["scope"] == "chat"
    assert manifest.metadata["delta_semantics"] == "auto"
    assert manifest.metadata["langbot"]["permissions"] == {"models": ["count_tokens"], "interactions": ["request"]}
    assert manifest.capabilities.steering
    assert manifest.metadata["langbot"]["capabilities"] == {}


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "Tool", "metadata": {"name": "default"}, "spec": {}},
        {"kind": "Runner", "metadata": {}, "spec": {}},
        document(usages=["event"]),
        document(permissions={"models": ["train"]}),
        document(config=[{"type": "string"}]),
    ],
)
def test_what_is_not_an_agent_is_not_installed(arguments: dict[str, Any]) -> None:
    """RNR-02."""
    with pytest.raises(ValueError):  # noqa: PT011  # pydantic's and ours alike
        langbot_runner("acme.default:Helper", manifest=arguments, plugin="acme/demo")


def test_a_name_of_a_plugin_has_two_parts() -> None:
    """RNR-02."""
    with pytest.raises(ValueError, match="id"):
        langbot_runner("acme.default:Helper", manifest=document(), plugin="demo")


def test_a_file_that_is_no_manifest_is_told(tmp_path: Path) -> None:
    path = tmp_path / "default.yaml"
    path.write_text("- 1", encoding="utf-8")
    with pytest.raises(TypeError, match="is not the manifest"):
        langbot_runner("acme.default:Helper", manifest=path, plugin="acme/demo")


def test_a_class_may_tell_its_configuration() -> None:
    """RNR-04."""

    class Helper:
        @classmethod
        def get_config_schema(cls) -> list[dict[str, Any]]:
            return [{"name": "prompt", "type": "text"}]

    installed = langbot_runner(Helper, manifest=document(), plugin="acme/demo", delta_semantics="segmented")
    assert [item.name for item in installed.manifest.config_schema] == ["prompt"]
    assert installed.manifest.metadata["delta_semantics"] == "segmented"


def test_listing_a_runner_does_not_load_the_sdk(tmp_path: Path) -> None:
    """CMP-02: the SDK takes a third of a second and 30 MB to import, which a run may cost and a cold start may not."""
    path = tmp_path / "default.yaml"
    path.write_text(YAML, encoding="utf-8")
    code = (
        "import pathlib, sys\n"
        "from yarrow.runners.langbot import langbot_runner\n"
        f"langbot_runner('acme.default:Helper', manifest=pathlib.Path({str(path)!r}), plugin='acme/demo')\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "yarrow.runners.langbot.runner" in loaded
    assert not any(name.startswith("langbot_plugin") for name in loaded)
