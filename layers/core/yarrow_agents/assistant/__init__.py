"""Answers with a language model and the run's tools.

Two stages in every mode (FWD-11): `router` chooses conversation and tools, `worker` answers.
"""
