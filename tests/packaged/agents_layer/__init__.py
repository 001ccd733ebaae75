"""An AgentsLayer with an agent whose runs take several turns."""

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

FOLDER: Final = ROOT / ".cache/packaged/agents_layer"
"""The layer, unpacked."""

_SOURCE: Final = Path(__file__).parent
_METADATA: Final = "Metadata-Version: 2.1\nName: naps\nVersion: 1.0\n"
_ENTRY_POINTS: Final = "[yarrow.runners]\nnaps = naps:RUNNER\n"


def packed() -> bytes:
    """Write the layer that docs/write-a-runner.md builds, with the agents of Yarrow; returns its archive."""
    bundled = (ROOT / "layers/core/system_agents.yaml").read_text("utf-8")
    files = {
        "python/naps.py": (_SOURCE / "naps.py").read_text("utf-8"),
        "python/naps-1.0.dist-info/METADATA": _METADATA,
        "python/naps-1.0.dist-info/entry_points.txt": _ENTRY_POINTS,
        "system_agents.yaml": bundled + (_SOURCE / "agent.yaml").read_text("utf-8"),
    }
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as layer:
        for name, text in files.items():
            (place := FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
            layer.writestr(name, text)
    return archive.getvalue()
