"""Imports of plugins: each from the top of its own folder, and none from another's."""

import sys
import textwrap
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from yarrow.runners.langbot import plugin_imports

PLUGIN = {
    "main.py": "",
    "pkg/__init__.py": "",
    "pkg/name.py": "NAME = '{name}'",
    "pkg/late.py": "import threading\nNAME = 'late {name}'\nTHREAD = threading.current_thread().name",
    "pkg/relative.py": "from .name import NAME\nfrom . import name as module\nfrom .. import main",
    "pkg/deep/inner.py": "from pkg.name import NAME\nfrom ..name import NAME as SAME",
    "json.py": "NAME = 'not the one of the standard library'",
    "client.py": "NAME = 'client of {name}'",
    "components/runner/default.py": """
        from __future__ import annotations

        import dataclasses
        import importlib
        import importlib.util
        import json
        from importlib import import_module

        import pkg.name
        import pkg.deep.inner as inner
        from client import NAME as CLIENT
        from pkg import name, relative
        from pkg.name import NAME

        @dataclasses.dataclass
        class Data:
            name: str = NAME

        def all_names():
            import pkg.late
            from pkg.late import NAME as LATE
            return [
                NAME, pkg.name.NAME, name.NAME, inner.NAME, inner.SAME, relative.NAME, relative.module.NAME,
                Data().name, pkg.late.NAME, LATE, importlib.import_module("pkg.late").NAME,
                import_module("pkg.name").NAME, importlib.import_module(".name", pkg.__name__).NAME,
                __import__("pkg.name").name.NAME, CLIENT,
            ]

        def standard_library():
            return json.dumps([importlib.util.find_spec("pkg") is None, importlib.import_module("json") is json])
        """,
}


def plugin(folder: Path, name: str, files: Mapping[str, str] = PLUGIN) -> Path:
    for path, text in files.items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).replace("{name}", name), encoding="utf-8")
    return folder / name


def loaded(folder: Path) -> ModuleType:
    return plugin_imports.imports_of(folder).import_module("components.runner.default")


def names_of(name: str) -> list[str]:
    return [name] * 8 + [f"late {name}"] * 3 + [name] * 3 + [f"client of {name}"]


def test_two_plugins_have_a_package_of_one_name(tmp_path: Path) -> None:
    """CMP-02: absolute, relative, aliased, by importlib; when a module is loaded and when it is called."""
    before, path = set(sys.modules), list(sys.path)
    first, second = (loaded(plugin(tmp_path, name)) for name in ("first", "second"))
    assert first.all_names() == names_of("first")
    assert second.all_names() == names_of("second")
    assert first.all_names() == names_of("first")
    assert not {module.partition(".")[0] for module in set(sys.modules) - before} & {
        "pkg",
        "client",
        "components",
        "main",
    }
    assert sys.path == path


def test_the_standard_library_stays_what_it_is(tmp_path: Path) -> None:
    """CMP-02: a plugin's `json.py` takes nobody's place."""
    assert loaded(plugin(tmp_path, "first")).standard_library() == "[true, true]"


def test_a_folder_is_loaded_once(tmp_path: Path) -> None:
    """CMP-02: whichever of its runners asks."""
    folder = plugin(tmp_path, "first")
    assert loaded(folder) is loaded(tmp_path / "other" / ".." / "first")


def test_many_threads_import_at_once_and_late(tmp_path: Path) -> None:
    """CMP-02: what is imported at call time, in any thread, is the plugin's own."""
    folders = [plugin(tmp_path, f"plugin{number}") for number in range(4)]
    begin = threading.Barrier(16)

    def names(folder: Path) -> list[str]:
        begin.wait(60)
        return list(loaded(folder).all_names())

    with ThreadPoolExecutor(16) as pool:
        texts = list(pool.map(names, folders * 4))
    assert texts == [names_of(folder.name) for folder in folders * 4]


def test_a_module_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    """CMP-02: not even where another plugin has it."""
    other = {**PLUGIN, "pkg/only_here.py": ""}
    loaded(plugin(tmp_path, "other", other))
    asking = plugin(tmp_path, "asking", {"pkg/__init__.py": "", "run.py": "import pkg.only_here"})
    with pytest.raises(ModuleNotFoundError):
        plugin_imports.imports_of(asking).import_module("run")
    nothing = plugin(tmp_path, "nothing", {"run.py": "import client"})
    with pytest.raises(ModuleNotFoundError):
        plugin_imports.imports_of(nothing).import_module("run")


def test_folders_beside_the_modules_hide_no_package(tmp_path: Path) -> None:
    """CMP-02: a bare folder `yaml` or `tests` is data; what is installed is imported."""
    files = {
        "yaml/readme.md": "",
        ".github/workflows/test.yaml": "",
        ".venv/__init__.py": "",
        "a name/readme.md": "",
        "langbot_plugin/__init__.py": "WRONG = True",
        "run.py": "import yaml\nLOAD = yaml.safe_load",
    }
    assert plugin_imports.imports_of(plugin(tmp_path, "first", files)).import_module("run").LOAD("1") == 1
