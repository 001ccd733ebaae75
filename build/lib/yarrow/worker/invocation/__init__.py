"""Calling a runner: in a thread of this process, or in a Lambda function of its own."""
