"""The assistant: an agent that answers with a language model and the run's tools.

A run has two stages in every mode (FWD-11): `router` chooses conversation and tools, `worker` answers.
"""
