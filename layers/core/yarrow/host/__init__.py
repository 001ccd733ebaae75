"""The host: accepts a run, binds it to a runner, runs it against one journal and ends it, once."""

import gc

# What a function imports, it keeps. To look through it for garbage every 700 objects is a seventh of a cold start. This
# package is what our functions import first; functions of others, which hold a runner, do not, and keep their own ways.
gc.set_threshold(10_000)
