"""Modules and classes of the SDK under the names that published plugins import them by.

Plugins written before SDK 0.6 import `…components.agent_runner`, `…builtin.agent_runner` and `…proxies.agent_run`;
released SDKs call the same classes `Runner…`. A module that the SDK has itself is never replaced.
"""

import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

_MODULES: Final[Mapping[str, str]] = {
    "langbot_plugin.api.definition.components.agent_runner": "langbot_plugin.api.definition.components.runner",
    "langbot_plugin.api.entities.builtin.agent_runner": "langbot_plugin.api.entities.builtin.runner",
    "langbot_plugin.api.proxies.agent_run": "langbot_plugin.api.proxies.runner",
}
_CLASSES: Final = (("AgentRunner", "Runner"), ("AgentRun", "Runner"))
"""Prefixes of class names, longest first."""


def install() -> None:
    """Make earlier names importable; idempotent."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())  # behind the finder that finds the SDK's own modules


class _Finder(MetaPathFinder):
    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 (the base's signature)
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        for earlier, now in _MODULES.items():
            if fullname == earlier or fullname.startswith(f"{earlier}."):
                return ModuleSpec(fullname, _Loader(now + fullname.removeprefix(earlier)), is_package=True)
        return None


class _Loader(Loader):
    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Renamed(spec.name, importlib.import_module(self._name))

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the attributes are the other module's."""


class _Renamed(ModuleType):
    def __init__(self, name: str, module: ModuleType) -> None:
        super().__init__(name)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # with the other's `__path__`, its modules would be loaded a second time
            raise AttributeError(name)
        module = self.__dict__["_module"]
        if not hasattr(module, name):
            for earlier, now in _CLASSES:
                if name.startswith(earlier) and hasattr(module, renamed := now + name.removeprefix(earlier)):
                    return getattr(module, renamed)
        return getattr(module, name)
