"""Tests of an agent without a stack: a model on loopback that says what it is told, and a host in memory."""

from yarrow.testing.model import FakeModel as FakeModel
from yarrow.testing.model import call as call
from yarrow.testing.model import fake_model as fake_model
from yarrow.testing.run import Ran as Ran
from yarrow.testing.run import run as run
