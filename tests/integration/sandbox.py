"""Where Lambda runs a function: its layer in `/opt/python`, the managed runtime's libraries in `/var/runtime`, and an
interpreter that sees nothing but these two and the function's folder.

Both are made of what is installed here: links to the distributions that the layer's `requirements.txt`, or the managed
runtime, brings with it. A function that imports anything else fails to start.
"""

import os
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from local import environment
from local.stack import Function

from . import runtime_api

LAYER = runtime_api.LAYER
WRAPPER = "AWS_LAMBDA_EXEC_WRAPPER"


class Sandbox:
    """The file system of every function's sandbox, under a folder; AWS is at this endpoint."""

    def __init__(self, folder: Path, endpoint: str) -> None:
        self._root = folder
        self._endpoint = endpoint
        self._layer = folder / "opt" / "python"
        self._runtime = folder / "var" / "runtime"
        requirements = (LAYER / "requirements.txt").read_text().splitlines()
        _link([LAYER / "yarrow", LAYER / "bin"], self._layer)
        _link(_installed(line for line in requirements if line and not line.startswith("#")), self._layer)
        _link(_installed(name for name in ("boto3", "awslambdaric") if _present(name)), self._runtime)
        self.path = os.pathsep.join(map(str, (self._layer, self._runtime)))
        """Where the managed runtime looks for modules, after the function's folder."""
        self.interpreter = folder / "python"
        self.interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        self.interpreter.chmod(0o755)

    def command(self, function: Function) -> list[str]:
        """What starts the function's runtime: the managed runtime's client, or the wrapper that the template names."""
        if wrapper := function.environment.get(WRAPPER):
            return [str(self._root) + wrapper, str(self.interpreter), "/var/runtime/bootstrap.py"]
        return [str(self.interpreter), "-m", "awslambdaric", function.handler]

    def environment(self, function: Function) -> dict[str, str]:
        """The function's variables and Lambda's own.

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
            "PYTHONPATH": str(self._runtime) if WRAPPER in function.environment else self.path,
            **function.environment,
        }


def _present(name: str) -> bool:
    return any(metadata.distributions(name=name))


def _installed(requirements: Iterable[str]) -> set[Path]:
    """The modules, packages and metadata of these distributions and of all that they require."""
    found: set[Path] = set()
    waiting = [Requirement(line) for line in requirements]
    seen: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        distribution = metadata.distribution(requirement.name)
        for file in distribution.files or ():
            if file.parts[0] not in ("..", "__pycache__"):
                found.add(Path(str(distribution.locate_file(file.parts[0]))))
        extras = requirement.extras or {""}
        for line in distribution.requires or ():
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(needed)
    return found


def _link(paths: Iterable[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        (folder / path.name).symlink_to(path)
