"""Invoking a runner: in a thread of this process, or in its own Lambda function."""
