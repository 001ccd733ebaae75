"""The process that `process.Emulator` starts."""

import sys

from local.emulator.server import main

main(sys.argv[1])
