"""`process.Emulator` starts this with a URL, the descriptor of a listening socket and, optionally, a folder."""

import socket
import sys
from pathlib import Path

from local.emulator.server import main

url, listener, *folders = sys.argv[1:]
main(url, socket.socket(fileno=int(listener)), *map(Path, folders))
