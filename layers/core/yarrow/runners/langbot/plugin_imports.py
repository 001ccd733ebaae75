"""Imports modules of a plugin relative to its folder, isolated from other plugins.

Plugins import their own modules as top-level ones (`from pkg.client import …`), so names clash. A folder's modules are
loaded under a private package whose import statements search the folder first: CPython takes `__import__` from the
importing module's `__builtins__`. `sys.path` is unchanged.
"""

import builtins
import importlib
import importlib.util
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

_SHARED: Final = sys.stdlib_module_names | {"langbot_plugin", "yarrow"}
"""Modules that plugins cannot replace."""

_lock = threading.Lock()
_known: Final[dict[Path, "PluginImports"]] = {}


def imports_of(folder: Path) -> "PluginImports":
    """Return the imports of a folder, shared by all runs of the plugin."""
    folder = folder.resolve()
    with _lock:
        if folder not in _known:
            _known[folder] = PluginImports(folder)
        return _known[folder]


class PluginImports(MetaPathFinder):
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._package = f"yarrow_plugin_{sha256(str(folder).encode()).hexdigest()[:16]}"
        self._builtins = {**vars(builtins), "__import__": self._import}
        self._importlib = _Importlib(self)
        root = ModuleType(self._package)
        root.__path__ = [str(folder)]
        sys.modules[self._package] = root
        sys.meta_path.insert(0, self)

    def import_module(self, name: str, package: str | None = None) -> ModuleType:
        """Import a module as `importlib.import_module` does, in the plugin's namespace."""
        return importlib.import_module(self._qualified(name) if self._has(name) else name, package)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module; None outside the plugin's package."""
        if not fullname.startswith(f"{self._package}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self._builtins)
        return spec

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 (the parameters of `__import__`)
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if level == 0 and self._has(name):
            module = builtins.__import__(self._qualified(name), globals, locals, fromlist, 0)
            # `import pkg.x` binds `pkg`.
            return module if fromlist else sys.modules[self._qualified(name.partition(".")[0])]
        module = builtins.__import__(name, globals, locals, fromlist or (), level)
        return self._importlib if module is importlib else module

    def _has(self, name: str) -> bool:
        return name.partition(".")[0] in self._own

    def _qualified(self, name: str) -> str:
        return f"{self._package}.{name}"

    @cached_property
    def _own(self) -> frozenset[str]:
        """The plugin's top-level modules; a folder without `__init__` counts if no other module has its name."""
        names = {file.stem for file in self._folder.glob("*.py")}
        for entry in self._folder.iterdir():
            if not entry.name.isidentifier() or not entry.is_dir():  # `.github` would be a relative import
                continue
            if (entry / "__init__.py").is_file() or not _is_found(entry.name):
                names.add(entry.name)
        return frozenset(name for name in names if name.isidentifier() and name not in _SHARED)


def _is_found(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ValueError:  # it is imported and has no spec
        return True


class _Loader(SourceFileLoader):
    """Runs a module with the plugin's import statements."""

    def __init__(self, fullname: str, path: str, builtins_: Mapping[str, Any]) -> None:
        super().__init__(fullname, path)
        self._builtins = builtins_

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self._builtins
        super().exec_module(module)


class _Importlib(ModuleType):
    def __init__(self, imports: PluginImports) -> None:
        super().__init__("importlib")
        self.import_module = imports.import_module

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib, name)
