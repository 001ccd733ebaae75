"""`python trim_botocore.py DATA SERVICE…`: keep of botocore's data what clients of these services need.

A cold start parses it. Removed are other services, their regional endpoints, and documentation.
"""

import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import Any


def main(data: Path, services: list[str]) -> None:
    prefixes = set[str]()
    for folder in (path for path in data.iterdir() if path.is_dir()):
        if folder.name not in services:
            shutil.rmtree(folder)
            continue
        for path in folder.glob("*/service-2.json.gz"):
            model = json.loads(gzip.decompress(path.read_bytes()))
            prefixes.add(model["metadata"]["endpointPrefix"])
            path.with_suffix("").write_text(_written(_trimmed(model)), encoding="utf-8")
            path.unlink()
    path = data / "endpoints.json"
    endpoints = json.loads(path.read_bytes())
    for partition in endpoints["partitions"]:
        partition["services"] = {name: service for name, service in partition["services"].items() if name in prefixes}
    path.write_text(_written(endpoints), encoding="utf-8")


def _trimmed(model: dict[str, Any]) -> Any:
    trimmed = _without_documentation(model)
    for parameter in trimmed.get("clientContextParams", {}).values():
        parameter["documentation"] = ""  # botocore.model reads it at the first call of a client
    return trimmed


def _without_documentation(value: Any) -> Any:
    match value:
        case dict():
            return {
                name: _without_documentation(member)
                for name, member in value.items()
                if not (name == "documentation" and isinstance(member, str))
            }
        case list():
            return [_without_documentation(item) for item in value]
    return value


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
