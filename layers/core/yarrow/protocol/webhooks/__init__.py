"""Webhooks: what clients send and get of them (EVB-04), and what receivers get (Standard Webhooks)."""
