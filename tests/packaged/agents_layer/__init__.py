"""An AgentsLayer with an agent whose runs take several turns."""

import zipfile
from io import BytesIO
from pathlib import Path

from tests.support.paths import ROOT

_FOLDER = Path(__file__).parent
_METADATA = "Metadata-Version: 2.1\nName: naps\nVersion: 1.0\n"
_ENTRY_POINTS = "[yarrow.runners]\nnaps = naps:RUNNER\n"


def packed() -> bytes:
    """Return the layer as docs/write-a-runner.md builds it, beside the agents that come with Yarrow."""
    bundled = (ROOT / "layers/core/system_agents.yaml").read_text("utf-8")
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as layer:
        layer.writestr("python/naps.py", (_FOLDER / "naps.py").read_text("utf-8"))
        layer.writestr("python/naps-1.0.dist-info/METADATA", _METADATA)
        layer.writestr("python/naps-1.0.dist-info/entry_points.txt", _ENTRY_POINTS)
        layer.writestr("system_agents.yaml", bundled + (_FOLDER / "agent.yaml").read_text("utf-8"))
    return archive.getvalue()
