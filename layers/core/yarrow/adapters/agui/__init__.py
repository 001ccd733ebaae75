"""AG-UI agents as runners: a server at a URL, or an object of a framework's adapter in this process (AGT-01)."""

from yarrow.adapters.agui.runner import RUNNER as RUNNER
from yarrow.adapters.agui.runner import runner as runner
