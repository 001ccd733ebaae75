"""A function with the runners of `remote_scripts`, and one beside it that crashes midway."""

from tests.integration.remote_scripts import breaking, scripted

handler = scripted
breaks = breaking
