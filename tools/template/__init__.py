"""Generates parts of `template.yaml`."""
