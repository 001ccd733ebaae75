"""Webhooks: their use cases, and the delivery of the deployment's events to them (EVB-04)."""
