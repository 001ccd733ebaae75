"""Runners written against the LangBot plugin SDK, run unmodified in this process (CMP-02, C18).

`langbot_runner` makes an installable runner of such a class; `docs/langbot-runners.md` says how to install one. The SDK
is imported when a run of such a runner begins, and never otherwise. Nothing here is part of the protocol.
"""

from yarrow.runners.langbot.runner import langbot_runner

__all__ = ["langbot_runner"]
