"""Runs LangBot SDK runners unmodified in this process (CMP-02, C18).

See `docs/langbot-runners.md`. The SDK is imported when a run begins.
"""

from yarrow.runners.langbot.plugin import langbot_plugin
from yarrow.runners.langbot.runner import langbot_runner

__all__ = ["langbot_plugin", "langbot_runner"]
