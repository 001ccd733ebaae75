"""The assistant: an agent that answers with a language model and uses the tools of its run.

A run has two stages, whatever its mode (FWD-11): `router` decides what the model is given, `worker` lets it work.
"""
