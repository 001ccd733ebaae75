"""Runs a runner in a thread or in its own Lambda function."""
