"""What `make package` built, made ready for an emulator: layers with this machine's wheels, and a plain template.

`sam deploy` would upload the folders and let CloudFormation translate the template; here both is done before.
"""

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

from local.translation import ManagedPolicies

CODE_BUCKET: Final = "packaged-code"
_PATH_PROPERTIES: Final = ("CodeUri", "ContentUri", "DefinitionUri")


@dataclass(frozen=True, slots=True)
class Package:
    """A translated template, and the objects of `CODE_BUCKET` that it names, by key."""

    template: dict[str, Any]
    objects: Mapping[str, bytes]


def read(build: Path, wheels: Path, python: Path, parameters: Mapping[str, str], region: str) -> Package:
    """The package in the folder `build`, for functions that `python` runs; `wheels` keeps what pip installed."""
    template = yaml_parse((build / "template.yaml").read_text(encoding="utf-8"))
    objects: dict[str, bytes] = {}
    for name, resource in template["Resources"].items():
        properties = resource.get("Properties", {})
        for key in _PATH_PROPERTIES:
            if isinstance(path := properties.get(key), str):
                native = _native(build / path, wheels / name, python) if key == "ContentUri" else {}
                data = (build / path).read_bytes() if key == "DefinitionUri" else _zipped(build / path, native)
                stored = f"{name}-{sha256(data).hexdigest()[:32]}"
                objects[stored] = data
                properties[key] = f"s3://{CODE_BUCKET}/{stored}"
    os.environ["AWS_DEFAULT_REGION"] = region  # SAM asks for no account, but for a region
    return Package(json.loads(json.dumps(transform(template, dict(parameters), ManagedPolicies()))), objects)


def _native(layer: Path, wheels: Path, python: Path) -> dict[Path, Path]:
    """Files of this machine's wheels, by their place in the layer, where the wheel is for Lambda alone."""
    projects = sorted(_built_for_lambda(layer / "python"))
    if not projects:
        return {}
    made = wheels / sha256(json.dumps(projects).encode()).hexdigest()[:16]
    if not made.exists():
        shutil.rmtree(part := made.with_suffix(".part"), ignore_errors=True)
        install: list[object] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        install += ["--no-compile", "--only-binary", ":all:", "--target", part, *projects]
        subprocess.run([str(item) for item in install], check=True)
        part.rename(made)
    return {path.relative_to(made): path for path in made.rglob("*") if path.is_file()}


def _built_for_lambda(folder: Path) -> Iterator[str]:
    """Requirements of the installed projects whose wheels fit only one platform."""
    for wheel in folder.glob("*.dist-info/WHEEL"):
        tags = [line.partition(": ")[2] for line in wheel.read_text("utf-8").splitlines() if line.startswith("Tag: ")]
        if not all(tag.endswith("-any") for tag in tags):
            project, _, version = wheel.parent.name.removesuffix(".dist-info").rpartition("-")
            yield f"{project}=={version}"


def _zipped(folder: Path, native: Mapping[Path, Path]) -> bytes:
    """Return the folder, with native files in the place of Lambda's; the same bytes for the same files."""
    replaced = {path.parts[0] for path in native}
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:  # functions unpack it, each for itself
        files = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
        kept = {
            name: path for name, path in files.items() if not (name.parts[0] == "python" and name.parts[1] in replaced)
        }
        for name, path in [*kept.items(), *((Path("python") / name, path) for name, path in sorted(native.items()))]:
            entry = zipfile.ZipInfo(name.as_posix())
            entry.external_attr = path.stat().st_mode << 16
            archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
