"""State in DynamoDB: sessions, their messages, runs and their journals. Every write that could race is conditional."""

import gc

# A function keeps what it imports. Looking through that for garbage every 700 objects is a seventh of a cold start. Our
# functions import this package early; functions of others, which hold a runner, never do and keep their own threshold.
gc.set_threshold(10_000)
