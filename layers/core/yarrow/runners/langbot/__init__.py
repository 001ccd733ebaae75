"""Runs LangBot plugin SDK runners unmodified in this process (CMP-02, C18).

`langbot_plugin` makes an installable runner from a plugin's folder, `langbot_runner` from a class; see
`docs/langbot-runners.md`. The SDK is imported only when such a runner's run begins. Nothing here is part of the
protocol.
"""

from yarrow.runners.langbot.plugin import langbot_plugin
from yarrow.runners.langbot.runner import langbot_runner

__all__ = ["langbot_plugin", "langbot_runner"]
