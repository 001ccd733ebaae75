"""What a cold start of each function costs: its module imported in a fresh interpreter, as Lambda does before the first
request, with the variables that `template.yaml` gives the function.

Beside it, what no function that keeps anything can do without: boto3 and a DynamoDB client, in an interpreter of its
own and with all of botocore's data, as Lambda's runtime has them; functions have the core layer's. All take turns. A
figure is the median of its rounds, in processor time of the process after the interpreter has started. The
interpreters find every module compiled, as they do in a layer, in caches that are filled here first; one more row
tells what it costs where there are none. Clients are made by the first request here, which another row adds; on
Lambda, as the function starts.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import botocore

from local import template
from local.__main__ import TEMPLATE
from local.environment import isolated
from tests.bench.row import Row
from tests.support import layers
from tests.support.paths import ROOT

ROUNDS = 7
EXAMPLE = "submit_run"
"""The function that is imported from sources as well, and that answers a request."""
REFERENCE = "import boto3; client = boto3.client('dynamodb')"
BUILD = ROOT / ".aws-sam/build"

_TIMED = "import json, time; {}; begun = time.process_time(); {}; print((time.process_time() - begun) * 1000)"
_FREE = "from tests.bench.engine import free_aws; free_aws.install()"
_EVENT = (
    f"event = json.load(open('events/api_gateway_{EXAMPLE}.json', encoding='utf-8')); "
    "context = type('Context', (), {'function_name': 'f', 'aws_request_id': 'r'})"
)
_ANSWER = f"import functions.{EXAMPLE}.app as function; {_FREE}; function.handler(event, context)"
_READ = f"import boto3; {_FREE}; boto3.client('dynamodb').get_item(TableName='t', Key={{'pk': {{'S': 'k'}}}})"


def measure() -> list[Row]:
    """Milliseconds of each function beside the reference; the size of each layer in MiB, where it has been built."""
    functions = dict(_functions())
    bare = isolated(os.environ)
    with TemporaryDirectory() as caches, TemporaryDirectory() as layer:
        _core_botocore(Path(layer))
        functions = {name: {**variables, "PYTHONPATH": layer} for name, variables in functions.items()}
        request = {name: (_imported(name, variables), variables) for name, variables in functions.items()}
        request |= {"": (REFERENCE, bare), "answer": (_ANSWER, functions[EXAMPLE]), "read": (_READ, bare)}
        rounds = [{name: _spent(*member, caches) for name, member in request.items()} for _ in range(ROUNDS + 1)][1:]
    spent = {name: median(item[name] for item in rounds) for name in request}
    rows = [
        Row(f"cold start, {name}", "ms", spent[name], "boto3 and a DynamoDB client", spent[""]) for name in functions
    ]
    rows.append(Row(f"cold start, {EXAMPLE} and its first answer", "ms", spent["answer"], "and a read", spent["read"]))
    rows.append(_without_caches(functions[EXAMPLE]))
    for built in sorted(BUILD.glob("*Layer")):
        size = sum(path.stat().st_size for path in built.rglob("*") if path.is_file())
        rows.append(Row(f"cold start, size of {built.name}", "MiB", size / 2**20))
    return rows


def _core_botocore(folder: Path) -> None:
    """botocore as the core layer has it."""
    package = folder / "botocore"
    package.mkdir()
    for path in Path(botocore.__file__).parent.iterdir():
        if path.name not in ("data", "__pycache__"):
            (package / path.name).symlink_to(path)
    layers.copy_botocore_data(package / "data")


def _functions() -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the environment of each function of the template, by the name of its folder."""
    stack = template.load(TEMPLATE, {"OidcIssuer": "https://issuer.example.com", "OidcAudience": "yarrow"})
    for function in stack.functions.values():
        yield function.folder.name, {**isolated(os.environ), **function.environment}


def _imported(name: str, variables: Mapping[str, str]) -> str:
    """What imports a function where it runs: a streaming one is loaded by a runtime of ours, others by Lambda's."""
    if "AWS_LAMBDA_EXEC_WRAPPER" in variables:
        return f"from yarrow.web import lambda_runtime; lambda_runtime._load('functions/{name}/app.handler')"
    return f"import functions.{name}.app"


def _without_caches(variables: Mapping[str, str]) -> Row:
    with TemporaryDirectory() as ours, TemporaryDirectory() as theirs:
        spent = _spent(f"import functions.{EXAMPLE}.app", variables, ours), _spent(REFERENCE, variables, theirs)
    return Row(f"cold start, {EXAMPLE}, no module compiled", "ms", spent[0], "boto3 and a DynamoDB client", spent[1])


def _spent(code: str, variables: Mapping[str, str], caches: str) -> float:
    """Processor time in milliseconds of statements in a fresh interpreter, which finds or fills caches."""
    done = subprocess.run(
        [sys.executable, "-c", _TIMED.format(_EVENT, code)],
        cwd=ROOT,
        # An empty value, for the caller may have told its interpreters to fill none.
        env={**variables, "PYTHONPYCACHEPREFIX": caches, "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)
