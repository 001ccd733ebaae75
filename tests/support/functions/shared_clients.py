"""AWS clients that outlive a test; moto answers them as any others. Who registers a handler takes it away again."""

import os
from threading import RLock
from typing import Any, ClassVar, Self

from boto3.session import Session

Key = tuple[object, ...]


class SharedSession(Session):
    """One session for the same arguments and the same variables of AWS, which makes each client once."""

    _made: ClassVar[dict[Key, "SharedSession"]] = {}
    _making: ClassVar[RLock] = RLock()
    _clients: dict[Key, Any]

    def __new__(cls, *given: Any, **named: Any) -> Self:
        variables = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
        key = (cls, given, _key(named), _key(variables))
        with cls._making:
            made = cls._made.setdefault(key, super().__new__(cls))
        assert isinstance(made, cls)
        return made

    def __init__(self, *given: Any, **named: Any) -> None:
        with self._making:
            if not hasattr(self, "_clients"):
                super().__init__(*given, **named)
                self._clients = {}

    def client(self, service_name: Any, *given: Any, **named: Any) -> Any:
        key = (service_name, given, _key(named))
        with self._making:
            if key not in self._clients:
                self._clients[key] = super().client(service_name, *given, **named)
            return self._clients[key]


def _key(named: dict[str, Any]) -> Key:
    return tuple(sorted(named.items()))
