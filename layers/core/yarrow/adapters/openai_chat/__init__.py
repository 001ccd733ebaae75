"""OpenAI's chat completions by the models of a run (AGT-05)."""
