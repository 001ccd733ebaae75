"""Agents of a proof: a plugin written with the LangBot SDK, and one that calls side by side."""

from pathlib import Path

from yarrow.runners.langbot import langbot_runner
from yarrow_agents.divination import judge, opinion

keeper = langbot_runner(
    "proved_agents.keeper.default:Keeper",
    manifest=Path(__file__).parent / "keeper/default.yaml",
    plugin="proved/keeper",
)

# On a busy machine a model's answer may take longer than a reading waits for it, which then is another one.
vars(opinion)["SECONDS"] = vars(judge)["SECONDS"] = 60.0
