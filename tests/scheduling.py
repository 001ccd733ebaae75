"""How tests are spread over processes: by file, and by folder where its tests share what takes long to start."""

from pathlib import PurePosixPath

from xdist.scheduler import LoadFileScheduling

SHARING = tuple(PurePosixPath("tests/e2e", name) for name in ("clients", "console", "frontends"))
"""Each has a stack, most a browser too."""


class BySharing(LoadFileScheduling):
    """One process runs all tests of a folder that shares."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return next((str(folder) for folder in SHARING if folder in PurePosixPath(file).parents), file)
