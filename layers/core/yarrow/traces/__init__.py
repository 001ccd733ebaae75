"""Traces of runs: built from what is stored, once a run has ended, and sent by OTLP (`docs/traces.md`)."""
