"""A function with the runners of `remote_scripts`, and one beside it that crashes midway."""

from tests.support.runners.remote import breaking, scripted

handler = scripted
breaks = breaking
