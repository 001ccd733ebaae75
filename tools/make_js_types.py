"""Generates the types of `clients/js`: the API's from its description, the modules' from their JSDoc.

Run `python -m tools.make_js_types` after `make agui-clients`.
"""

import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tools.make_openapi import TARGET as DESCRIPTION

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ROOT / ".cache/agui-clients/node_modules"
MODULES: Final = ROOT / "clients/js"
SOURCES: Final = ("yarrow.js", "yarrow-agent.js")
API: Final = "api.d.ts"
SCHEMAS: Final = (
    *("AgentCapabilities", "AgentList", "Device", "DeviceFields", "DeviceList", "Event", "InterruptAnswer"),
    *("InterruptList", "OutcomeRequest", "Problem", "WebDeviceFields"),
    *(
        "RunAgentInput",
        "RunMessage",
        "RunMessageAccepted",
        "SessionOutcome",
        "Snapshot",
        "TaskAcceptedResponse",
        "Usage",
    ),
)

_COMPILE: Final = """
const { compile } = require("json-schema-to-typescript");
const schema = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
const options = { additionalProperties: false, bannerComment: "/** Of the description of the API. */", format: false };
compile(schema, "Api", options).then((text) => process.stdout.write(text));
"""


class TypesError(Exception):
    """The compiler reported errors."""


def make(into: Path, client: str = "agui-1.0.0") -> list[Path]:
    """Write the files; `client` is the folder of `@ag-ui/client` among the packages. Raises TypesError."""
    (into / API).write_text(_api(), encoding="utf-8")
    with TemporaryDirectory() as folder:
        # In a copy: beside their declarations, the compiler would not read modules.
        files = [shutil.copy(file, folder) for file in (into / API, *(MODULES / name for name in SOURCES))]
        project = Path(folder, "tsconfig.json")
        options = {
            "allowJs": True,
            "checkJs": True,
            "declaration": True,
            "emitDeclarationOnly": True,
            "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
            "module": "nodenext",
            "outDir": str(into),
            "paths": {
                "@ag-ui/client": [str(PACKAGES / client / "dist/index.d.ts")],
                "rxjs": [str(PACKAGES / "rxjs/dist/types/index.d.ts")],
            },
            "rootDir": folder,
            "skipLibCheck": True,
            "strict": True,
            "target": "es2022",
            "types": [],
        }
        project.write_text(json.dumps({"compilerOptions": options, "files": list(map(str, files))}), encoding="utf-8")
        command = [str(PACKAGES / ".bin/tsc"), "--project", str(project)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (of our packages)
    if ended.returncode:
        raise TypesError(ended.stdout)
    return sorted(into.glob("*.d.ts"))


def _api() -> str:
    components = _draft_7(json.loads(DESCRIPTION.read_text(encoding="utf-8"))["components"])
    members = {name: {"$ref": f"#/components/schemas/{name}"} for name in SCHEMAS}
    schema = {"type": "object", "required": SCHEMAS, "properties": members, "components": components}
    command = ["node", "--eval", _COMPILE]
    text = json.dumps(schema)
    ended = subprocess.run(  # noqa: S603 (a script of ours)
        command, cwd=PACKAGES, input=text, capture_output=True, text=True, check=True
    )
    return ended.stdout


def _draft_7(schema: Any) -> Any:
    """Return the schema as in draft 7, without conditions on values, which types cannot express."""
    match schema:
        case dict():
            read = {name: _draft_7(value) for name, value in schema.items() if name not in ("if", "then", "else")}
            if isinstance(prefix := read.pop("prefixItems", None), list):
                read |= {"items": prefix, "additionalItems": read.get("items", True)}
            if isinstance(parts := read.get("allOf"), list):
                read["allOf"] = [part for part in parts if not isinstance(part, dict) or {"$ref", "type"} & part.keys()]
                if not read["allOf"]:
                    del read["allOf"]
            return read
        case list():
            return [_draft_7(value) for value in schema]
    return schema


if __name__ == "__main__":
    make(MODULES)
