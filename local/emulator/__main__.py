"""The process that `process.Emulator` starts: with a URL, a listening socket's descriptor, and perhaps a folder."""

import socket
import sys
from pathlib import Path

from local.emulator.server import main

url, listener, *folders = sys.argv[1:]
main(url, socket.socket(fileno=int(listener)), *map(Path, folders))
