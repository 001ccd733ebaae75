"""Translates a SAM template into CloudFormation; cached on disk, since it takes most of a start."""

import json
import logging
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from local.stack import REGION, TemplateError

_CODE_BUCKET = "code"
"""Local paths become objects of this bucket, as with `sam package`; the keys are the paths."""

KEPT = 100
"""Translations kept; those that were used longest ago go first."""

FOLDER = Path(__file__).parent.parent / ".cache" / "translations"
_PATH_PROPERTIES = ("CodeUri", "ContentUri", "DefinitionUri")
_BY_PORT = {"OidcIssuer": "https://issuer.invalid", "OpenAiBaseUrl": "https://model.invalid"}
"""Parameters that differ from start to start, which SAM only passes on, with what stands for them in what is kept."""


def translate(path: Path, parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return SAM's CloudFormation template, references unresolved. Raises `TemplateError` if SAM refuses it."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TemplateError(f"cannot read {path}: {error.strerror}") from error
    values = dict(parameters)
    values |= {name: stand_in for name, stand_in in _BY_PORT.items() if name in values}
    cached_for = json.dumps([version("aws-sam-translator"), Path(__file__).read_text(encoding="utf-8"), values, text])
    kept = FOLDER / f"{sha256(cached_for.encode()).hexdigest()}.json"
    try:
        translated = kept.read_text(encoding="utf-8")
        with suppress(OSError):
            os.utime(kept, ns=(now := time.time_ns(), now))
    except OSError:
        translated = json.dumps(_transform(text, values))
        with suppress(OSError):  # without a writable folder, only the cache is lost
            _keep(kept, translated)
    for name, stand_in in _BY_PORT.items():
        translated = translated.replace(stand_in, json.dumps(parameters.get(name, ""))[1:-1])
    template: dict[str, Any] = json.loads(translated)
    return template


def _keep(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=file.parent, encoding="utf-8", delete=False) as written:
        written.write(text)
    Path(written.name).rename(file)  # replaces the file atomically
    for old in sorted(file.parent.glob("*.json"), key=os.path.getmtime)[:-KEPT]:
        old.unlink(missing_ok=True)


def _transform(text: str, parameters: dict[str, str]) -> dict[str, Any]:
    from samtranslator.model.exceptions import InvalidDocumentException
    from samtranslator.translator.transform import transform
    from samtranslator.yaml_helper import yaml_parse

    logging.getLogger("samtranslator").setLevel(logging.ERROR)
    os.environ["AWS_DEFAULT_REGION"] = REGION
    template = yaml_parse(text)
    for resource in template["Resources"].values():
        properties = resource.get("Properties", {})
        for name in _PATH_PROPERTIES:
            if isinstance(properties.get(name), str):
                properties[name] = f"s3://{_CODE_BUCKET}/{properties[name]}"
    try:
        translated: dict[str, Any] = transform(template, parameters, ManagedPolicies())
    except InvalidDocumentException as error:
        raise TemplateError("; ".join(cause.message for cause in error.causes) or error.message) from error
    return translated


class ManagedPolicies:
    """The managed policies that SAM itself attaches; loading all would need an AWS account."""

    def load(self) -> dict[str, str]:
        prefix = "arn:aws:iam::aws:policy/"
        return {
            "AWSLambdaBasicExecutionRole": f"{prefix}service-role/AWSLambdaBasicExecutionRole",
            "AWSXrayWriteOnlyAccess": f"{prefix}AWSXrayWriteOnlyAccess",
        }
