"""Where Lambda runs a function: its layers in `/opt/python`, the managed runtime's libraries in `/var/runtime`, and an
interpreter that sees nothing but these two and the function's folder.

Both are made of what is installed here: links to the distributions that the `requirements.txt` of the layers, or the
managed runtime, brings with it. A function that imports anything else fails to start.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from local import environment
from local.stack import Function
from tests.support import layers
from tests.support.functions import runtime_api

CORE = runtime_api.LAYER
SHIPPED = ("bin", "bundled.json", "liuyao", "system_agents.yaml", "yarrow", "yarrow_agents")
"""What the core layer has beside its requirements."""
WRAPPER = "AWS_LAMBDA_EXEC_WRAPPER"


class Sandbox:
    """The file systems of sandboxes, one for each list of layers, under a folder; AWS is at this endpoint."""

    def __init__(self, folder: Path, endpoint: str, functions: Mapping[str, Function]) -> None:
        self._folder = folder
        self._endpoint = endpoint
        self._layers = {functions[key].name: tuple(names) for key, names in layers.of_functions().items()}
        self._runtime = folder / "var" / "runtime"
        for names in set(self._layers.values()):
            _extract(names, self._opt(names) / "python")
        _link(_installed(Requirement(name) for name in ("boto3", "awslambdaric") if _present(name)), self._runtime)
        self.interpreter = folder / "python"
        self.interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        self.interpreter.chmod(0o755)

    def _opt(self, names: tuple[str, ...]) -> Path:
        return self._folder / "+".join(names) / "opt"

    def path(self, function: Function) -> str:
        """Where the managed runtime looks for modules, after the function's folder."""
        return os.pathsep.join(map(str, (self._opt(self._layers[function.name]) / "python", self._runtime)))

    def command(self, function: Function) -> list[str]:
        """What starts the function's runtime: the managed runtime's client, or the wrapper that the template names."""
        if wrapper := function.environment.get(WRAPPER):
            return [
                str(self._opt(self._layers[function.name]).parent) + wrapper,
                str(self.interpreter),
                "/var/runtime/bootstrap.py",
            ]
        return [str(self.interpreter), "-m", "awslambdaric", function.handler]

    def environment(self, function: Function) -> dict[str, str]:
        """Return the function's variables and Lambda's own.

        Lambda's bootstrap finds the layer by itself, and so does the wrapper; `python -m awslambdaric` has to be told.
        """
        return {
            **environment.isolated({}),
            **runtime_api.environment(function.folder),
            "AWS_ENDPOINT_URL": self._endpoint,
            "_HANDLER": function.handler,
            "AWS_LAMBDA_FUNCTION_NAME": function.name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory),
            "AWS_LAMBDA_FUNCTION_TIMEOUT": str(function.timeout),
            "LAMBDA_RUNTIME_DIR": str(self._runtime),
            "PYTHONPATH": str(self._runtime) if WRAPPER in function.environment else self.path(function),
            **function.environment,
        }


def _present(name: str) -> bool:
    return any(metadata.distributions(name=name))


def _extract(names: Iterable[str], folder: Path) -> None:
    """Extract what the layers hold together; of botocore, without the models' layer, only the services of the core
    layer."""
    wanted = [requirement for name in names for requirement in layers.requirements(name)]
    found = _installed(wanted) | {CORE / text for text in SHIPPED}
    whole = any(requirement.name == "botocore" for requirement in wanted)
    (botocore,) = (path for path in found if path.name == "botocore")
    _link(found if whole else found - {botocore}, folder)
    if not whole:
        data = botocore / "data"
        _link((path for path in botocore.iterdir() if path != data), folder / "botocore")
        layers.copy_botocore_data(folder / "botocore" / "data")


def _installed(requirements: Iterable[Requirement]) -> set[Path]:
    """The modules, packages and metadata of these distributions and of all that they require."""
    return {
        Path(str(distribution.locate_file(file.parts[0])))
        for distribution in layers.distributions(requirements)
        for file in distribution.files or ()
        if file.parts[0] not in ("..", "__pycache__")
    }


def _link(paths: Iterable[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        (folder / path.name).symlink_to(path)
