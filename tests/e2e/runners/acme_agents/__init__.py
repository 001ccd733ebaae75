"""A package that installs runners: a plugin written with the LangBot SDK, and one that blocks its thread."""

from pathlib import Path

from yarrow.runners.langbot import langbot_runner

diary = langbot_runner(
    "acme_agents.diary.default:DiaryRunner",
    manifest=Path(__file__).parent / "diary/default.yaml",
    plugin="acme/diary",
)
