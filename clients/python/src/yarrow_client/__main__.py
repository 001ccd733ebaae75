"""`python -m yarrow_client` is the command `yarrow`."""

import sys

from yarrow_client.cli import main

sys.exit(main())
