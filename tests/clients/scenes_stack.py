"""The local stack with the agent `scenes`, which is installed as a package of its own is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running
from yarrow.agents import descriptors

SCENES = Path(__file__).with_name("scenes")


@contextmanager
def scenes_stack(**more: str) -> Iterator[str]:
    """Its base URL, until the context ends; with `more` of its environment."""
    with TemporaryDirectory() as folder:
        agents = Path(folder, "system_agents.yaml")
        listed = (descriptors.FILE, SCENES / "agents.yaml")
        agents.write_text("".join(path.read_text(encoding="utf-8") for path in listed), encoding="utf-8")
        environment = {
            "PYTHONPATH": python_path(Path(folder), SCENES),
            "SYSTEM_AGENTS": str(agents),
            "LONG_POLL_SECONDS": "1",
            **more,
        }
        with running(environment=environment) as url:
            yield url
