"""The forms of names of runners, and of the values they store (`agent-runner.md` §3.4, §7)."""

from typing import Annotated, Final

from pydantic import StringConstraints

RunnerId = Annotated[str, StringConstraints(pattern=r"^plugin:[^/\s:]+/[^/\s:]+/[^/\s:]+$", max_length=256)]
"""The form `plugin:author/name/runner` (RNR-02)."""

_NO_CONTROLS: Final = r"[^\x00-\x1f\x7f-\x9f]"
StateKey = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{1,128}}$")]
StorageKey = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{1,512}}$")]
"""A key in any script, without control characters (RNR-36, RNR-60)."""
StatePrefix = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{0,128}}$")]
StoragePrefix = Annotated[str, StringConstraints(pattern=rf"^{_NO_CONTROLS}{{0,512}}$")]
