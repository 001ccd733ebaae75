"""`clients/kotlin` in a Java virtual machine, as `make kotlin-client` compiled it."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from tests.clients.compiled_kotlin import CompiledKotlin

COMPILED = CompiledKotlin("kotlin-client", ("clients/kotlin",))


class KotlinClient:
    """The process of `Driver.kt`, which says what tasks are."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._numbers = count()

    def start(self, **task: Any) -> int:
        number = next(self._numbers)
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"task": number, **task}) + "\n")
        self.process.stdin.flush()
        return number

    def lines(self) -> Iterator[dict[str, Any]]:
        """What it writes, to its end; a line that its death cut short is none."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith("\n"):
                yield json.loads(line)

    def ends(self, *tasks: int) -> list[dict[str, Any]]:
        """How tasks end, each with the events that it `told`."""
        output: dict[int, list[dict[str, Any]]] = {task: [] for task in tasks}
        ended: dict[int, dict[str, Any]] = {}
        for line in self.lines():
            if "told" in line:
                output[line["task"]].append(line["told"])
            else:
                ended.setdefault(line["task"], {}).update(line.get("ended", line))
            if all("refusals" in ended.get(task, ()) for task in tasks):
                return [{"told": output[task], **ended[task]} for task in tasks]
        raise AssertionError("the Kotlin client died")

    def does(self, **task: Any) -> dict[str, Any]:
        (end,) = self.ends(self.start(**task))
        return end


@contextmanager
def kotlin_client() -> Iterator[KotlinClient]:
    """A process of its own, until the context ends."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        COMPILED.command("yarrow.DriverKt"), stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
    ) as process:
        try:
            yield KotlinClient(process)
        finally:
            process.kill()
