"""What a cold start of each function costs: its module imported in a fresh interpreter, as Lambda does before the first
request, with the variables that `template.yaml` gives the function.

Beside it, what no function that keeps anything can do without: boto3 and a DynamoDB client, in an interpreter of its
own. All take turns. A figure is the median of its rounds, in processor time of the process after the interpreter has
started. The interpreters find compiled modules in their caches; one more row tells what it costs where there are none.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from local import template
from local.__main__ import TEMPLATE
from local.environment import isolated

from .row import Row

ROOT = Path(__file__).parents[2]
ROUNDS = 7
UNCOMPILED = "submit_run"
"""The function that is imported from sources as well."""
REFERENCE = "import boto3; boto3.client('dynamodb')"
LAYER = ROOT / ".aws-sam/build/CoreLayer"

_TIMED = "import time; begun = time.process_time(); {}; print((time.process_time() - begun) * 1000)"


def measure() -> list[Row]:
    """Milliseconds of each function beside the reference; the size of the layer in MiB, where it has been built."""
    functions = dict(_functions())
    ours: dict[str, list[float]] = {name: [] for name in functions}
    reference: list[float] = []
    for _ in range(ROUNDS):
        reference.append(_spent(REFERENCE, isolated(os.environ)))
        for name, variables in functions.items():
            ours[name].append(_spent(f"import functions.{name}.app", variables))
    theirs = median(reference)
    rows = [
        Row(f"cold start, {name}", "ms", median(spent), "boto3 and a DynamoDB client", theirs)
        for name, spent in ours.items()
    ]
    rows.append(_without_caches(functions[UNCOMPILED]))
    if LAYER.exists():
        size = sum(path.stat().st_size for path in LAYER.rglob("*") if path.is_file())
        rows.append(Row("cold start, size of the layer", "MiB", size / 2**20))
    return rows


def _functions() -> Iterator[tuple[str, Mapping[str, str]]]:
    """The environment of each function of the template, by the name of its folder."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "https://issuer.example.com", "OidcAudience": "yarrow"})
    for function in stack.functions.values():
        yield function.folder.name, {**isolated(os.environ), **function.environment}


def _without_caches(variables: Mapping[str, str]) -> Row:
    with TemporaryDirectory() as nothing:
        sources = {**variables, "PYTHONPYCACHEPREFIX": nothing, "PYTHONDONTWRITEBYTECODE": "1"}
        spent = _spent(f"import functions.{UNCOMPILED}.app", sources), _spent(REFERENCE, sources)
    return Row(f"cold start, {UNCOMPILED}, no module compiled", "ms", spent[0], "boto3 and a DynamoDB client", spent[1])


def _spent(code: str, variables: Mapping[str, str]) -> float:
    """Processor time in milliseconds of a statement in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", _TIMED.format(code)], cwd=ROOT, env=variables, capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout))
