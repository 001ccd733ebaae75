"""The files of a project, from the templates in `files/`, whose names in double braces are replaced."""

import keyword
import os
import re
import sys
from collections.abc import Mapping
from importlib.resources import files as resources
from pathlib import Path
from typing import Final

from yarrow_client.starter.frameworks import FRAMEWORKS, Deployment, Framework

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TAKEN: Final = frozenset(
    {"agent", "app", "assistant", "cast", "divination", "guided_cast", "local", "tests", "yarrow"}
)
"""Names of agents that come with Yarrow, and of modules that the project's own would hide."""

_PLACEHOLDER: Final = re.compile(r"\{\{(\w+)\}\}")
_README_PARTS: Final = ("commands", "deploy")
"""What the README says of each deployment."""


class NotAName(ValueError):
    """The agent cannot have this name; the message is a name that it can have, or empty."""


def files(name: str, framework_id: str, yarrow: str = "", deployment: Deployment | None = None) -> Mapping[str, str]:
    """Return the texts of a project by their paths. `yarrow` is the clone's path from there. Raises NotAName.

    Without a `deployment` it is that of the framework.
    """
    framework = FRAMEWORKS[framework_id]
    _check(name, framework)
    values = _values(name, framework, yarrow)
    templates = resources(__package__) / "files"
    chosen = {
        f"{name}.py": templates / "agents" / f"{framework_id}.py.txt",
        f"test_{name}.py": templates / "tests" / f"{framework.test}.py.txt",
    }
    for folder in ("project", deployment or framework.deployment):
        chosen |= {file.name.removesuffix(".txt"): file for file in (templates / folder).iterdir()}
    texts = {path: file.read_text(encoding="utf-8") for path, file in sorted(chosen.items())}
    values |= {part: _filled(texts.pop(f"{part}.md"), values).strip() for part in _README_PARTS}
    return {path: _filled(text, values) for path, text in texts.items()}


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the project into a new folder. Raises FileExistsError, or another OSError."""
    folder.mkdir()
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")


def clone_near(folder: Path) -> Path | None:
    """Find the clone of Yarrow that this command was installed from, or that `folder` is in."""
    for start in (Path(__file__).resolve(), folder.resolve() / "project"):
        for parent in start.parents:
            if (parent / "template.yaml").is_file() and (parent / "local/__main__.py").is_file():
                return parent
    return None


def _check(name: str, framework: Framework) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        offered = re.sub(r"\W+", "_", name.lower()).strip("_")[:40]
        raise NotAName(offered if _NAME.fullmatch(offered) and not keyword.iskeyword(offered) else "my_agent")
    hidden = {*sys.stdlib_module_names, *_TAKEN, *(module.partition(".")[0] for module in framework.modules)}
    if name in hidden:
        raise NotAName(f"{name}_agent")


def _values(name: str, framework: Framework, yarrow: str) -> dict[str, str]:
    return {
        "name": name,
        "label": name.replace("_", " ").capitalize(),
        "title": framework.title,
        "yarrow": yarrow,
        "requirements": "".join(f"{requirement}\n" for requirement in framework.requirements),
        "mode": framework.mode,
        "block": "".join(f"{line}\n" for line in framework.block),
        "modules": ", ".join(f'"{module}"' for module in framework.modules),
        "example": '; without a key for example /call add {"a": 2, "b": 3}' if framework.test == "tool" else "",
        "variables": "".join(f"{line}\n" for line in framework.variables),
    }


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)


def relative(clone: Path, project: Path) -> str:
    """Return the clone's path from the project."""
    return os.path.relpath(clone, project.resolve())
