"""Joins the documentation of all releases into one site: `python -m tools.docs_versions ARCHIVES SITE`.

Each `yarrow-docs-VERSION.tar.gz` of a release becomes a folder, the newest one `latest` as well, where the site's first
page leads. `versions.json` is what Material's selector reads, in the format of mike, which would keep the versions in a
branch; here the releases keep them.
"""

import json
import re
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Final

LATEST: Final = "latest"
_ARCHIVE: Final = re.compile(r"yarrow-docs-(\d+)\.(\d+)\.(\d+)\.tar\.gz")
_FIRST_PAGE: Final = f"""\
<!doctype html>
<meta charset="utf-8">
<title>Yarrow</title>
<link rel="canonical" href="{LATEST}/">
<meta http-equiv="refresh" content="0; url={LATEST}/">
<a href="{LATEST}/">Yarrow</a>
"""

Version = tuple[int, int, int]


def archives(folder: Path) -> list[tuple[Version, Path]]:
    """Return the archives of a folder by version, the newest first; pre-releases and other files are left out."""
    found = [(_ARCHIVE.fullmatch(path.name), path) for path in folder.iterdir()]
    versions = [((int(name[1]), int(name[2]), int(name[3])), path) for name, path in found if name]
    return sorted(versions, reverse=True)


def join(folder: Path, site: Path) -> list[str]:
    """Write the site, which must not exist yet, and return its versions. Raises ValueError without an archive."""
    releases = archives(folder)
    if not releases:
        raise ValueError(f"{folder} has no yarrow-docs-VERSION.tar.gz")
    site.mkdir(parents=True)
    names = [".".join(map(str, version)) for version, _ in releases]
    for name, (_, archive) in zip(names, releases, strict=True):
        with tarfile.open(archive) as opened:
            opened.extractall(site / f".{name}", filter="data")
        (site / f".{name}" / "site").rename(site / name)
        (site / f".{name}").rmdir()
    shutil.copytree(site / names[0], site / LATEST)
    listed = [{"version": name, "title": name, "aliases": [LATEST] if name == names[0] else []} for name in names]
    (site / "versions.json").write_text(json.dumps(listed) + "\n", encoding="utf-8")
    (site / "index.html").write_text(_FIRST_PAGE, encoding="utf-8")
    return names


if __name__ == "__main__":
    join(Path(sys.argv[1]), Path(sys.argv[2]))
