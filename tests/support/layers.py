"""The layers: what each holds, and which functions have which, read from `layers/` and `template.yaml`."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import botocore
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from samtranslator.yaml_helper import yaml_parse

from tests.support.paths import ROOT

LAYERS: Final = ROOT / "layers"
ON_LAMBDA: Final = {"python_version": "3.13", "python_full_version": "3.13.0", "platform_machine": "aarch64"}
"""Where markers of requirements differ from here."""


@cache
def _resources(template: Path) -> dict[str, Any]:
    resources: dict[str, Any] = yaml_parse(template.read_text(encoding="utf-8"))["Resources"]
    return resources


def folders() -> dict[str, str]:
    """Return the folder in `layers/` of each layer of the template."""
    return {
        name: Path(resource["Properties"]["ContentUri"]).name
        for name, resource in _resources(ROOT / "template.yaml").items()
        if resource["Type"] == "AWS::Serverless::LayerVersion"
    }


def names_of_functions() -> dict[str, list[str]]:
    """Return the layers of each function's folder in order, as template or parameter name them."""
    return {
        Path(resource["Properties"]["CodeUri"]).name: [
            layer["Ref"] if "Ref" in layer else layer["Fn::If"][1]["Ref"] for layer in resource["Properties"]["Layers"]
        ]
        for resource in _resources(ROOT / "template.yaml").values()
        if resource["Type"] == "AWS::Serverless::Function"
    }


def of_functions() -> dict[str, list[str]]:
    """Return the folders of our layers by the function's folder."""
    return {
        function: [folders()[name] for name in names if name in folders()]
        for function, names in names_of_functions().items()
    }


def requirements(layer: str) -> list[Requirement]:
    """What the layer's `requirements.txt` asks for."""
    lines = (LAYERS / layer / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(text) for line in lines if (text := line.partition("#")[0].strip())]


def locked(layer: str) -> dict[str, str]:
    """Return the versions in the layer's `requirements.lock`, by project."""
    lines = (LAYERS / layer / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return dict(line.partition(" ")[0].split("==") for line in lines if not line.startswith("#"))


def closure(wanted: Iterable[Requirement]) -> set[str]:
    """The projects that are installed with these, on Lambda."""
    return {canonicalize_name(distribution.name) for distribution in distributions(wanted, on_lambda=True)}


def distributions(wanted: Iterable[Requirement], *, on_lambda: bool = False) -> Iterator[metadata.Distribution]:
    environment = {str(name): str(value) for name, value in default_environment().items()}
    environment |= ON_LAMBDA if on_lambda else {}
    waiting, seen = list(wanted), set[str]()
    while waiting:
        requirement = waiting.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        distribution = metadata.distribution(requirement.name)
        yield distribution
        for line in distribution.requires or ():
            needed = Requirement(line)
            marker, extras = needed.marker, requirement.extras or {""}
            if marker is None or any(marker.evaluate(environment | {"extra": extra}) for extra in extras):
                waiting.append(needed)


def copy_botocore_data(folder: Path) -> None:
    """What the core layer keeps of it."""
    data = Path(botocore.__file__).with_name("data")
    folder.mkdir(parents=True)
    for path in data.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
        elif path.name in services():
            shutil.copytree(path, folder / path.name)
    subprocess.run([sys.executable, str(LAYERS / "core/trim_botocore.py"), str(folder), *services()], check=True)


def services() -> set[str]:
    """The services of AWS whose descriptions the core layer keeps."""
    found = re.search(r"^SERVICES = (.+)$", (LAYERS / "core/Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    return set(found[1].split())
