"""AWS clients that outlive a test; moto answers them as any others. Who registers a handler takes it away again."""

import os
from collections.abc import Callable
from threading import RLock
from typing import Any, ClassVar, Self

import boto3.session
import botocore.session

Key = tuple[object, ...]
_making = RLock()


class _Shared:
    """One session for the same arguments and the same variables of AWS."""

    _made: ClassVar[dict[Key, "_Shared"]] = {}
    _clients: dict[Key, Any]

    def __new__(cls, *args: Any, **named: Any) -> Self:
        variables = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
        key = (cls, args, _key(named), _key(variables))
        with _making:
            made = cls._made.setdefault(key, super().__new__(cls))
        assert isinstance(made, cls)
        return made

    def __init__(self, *args: Any, **named: Any) -> None:
        with _making:
            if not hasattr(self, "_clients"):
                super().__init__(*args, **named)
                self._clients = {}

    def _once(self, make: Callable[..., Any], service_name: Any, *args: Any, **named: Any) -> Any:
        """Each client is made once."""
        key = (service_name, args, _key(named))
        with _making:
            if key not in self._clients:
                self._clients[key] = make(service_name, *args, **named)
            return self._clients[key]


class SharedSession(_Shared, boto3.session.Session):
    def client(self, *args: Any, **named: Any) -> Any:
        return self._once(super().client, *args, **named)


class SharedCoreSession(_Shared, botocore.session.Session):
    """As `yarrow.store.clients` makes them."""

    def create_client(self, *args: Any, **named: Any) -> Any:
        return self._once(super().create_client, *args, **named)


def _key(named: dict[str, Any]) -> Key:
    return tuple(sorted(named.items()))
