"""Runners written against the LangBot plugin SDK, run unmodified in this process (CMP-02, C18).

`langbot_plugin` makes an installable runner of a plugin's folder, `langbot_runner` of a class; see
`docs/langbot-runners.md`. The SDK is imported when a run of such a runner begins, and never otherwise. Nothing here is
part of the protocol.
"""

from yarrow.runners.langbot.plugin import langbot_plugin
from yarrow.runners.langbot.runner import langbot_runner

__all__ = ["langbot_plugin", "langbot_runner"]
