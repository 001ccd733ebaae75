"""Makes the types of `clients/js`: those of the API from its description, those of the modules from their JSDoc.

`python -m tools.make_js_types`, after `make agui-clients`.
"""

import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.make_openapi import TARGET as DESCRIPTION

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ROOT / ".cache/agui-clients/node_modules"
MODULES: Final = ROOT / "clients/js"
SOURCES: Final = ("yarrow.js", "yarrow-agent.js")
API: Final = "api.d.ts"
SCHEMAS: Final = ("Event", "Problem", "RunAgentInput", "Snapshot", "TaskAcceptedResponse")

_COMPILE: Final = """
const { compile } = require("json-schema-to-typescript");
const schema = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
const options = { additionalProperties: false, bannerComment: "/** Of the description of the API. */", format: false };
compile(schema, "Api", options).then((text) => process.stdout.write(text));
"""


class TypesError(Exception):
    """What the compiler complains of."""


def make(into: Path, client: str = "agui-1.0.0") -> list[Path]:
    """Write the files; `client` is what is installed as `@ag-ui/client`. Raises TypesError."""
    (into / API).write_text(_api(), encoding="utf-8")
    with TemporaryDirectory() as folder:
        # Beside their declarations, modules would not be read.
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
    components = json.loads(DESCRIPTION.read_text(encoding="utf-8"))["components"]
    members = {name: {"$ref": f"#/components/schemas/{name}"} for name in SCHEMAS}
    schema = {"type": "object", "required": SCHEMAS, "properties": members, "components": components}
    command = ["node", "--eval", _COMPILE]
    given = json.dumps(schema)
    ended = subprocess.run(  # noqa: S603 (a script of ours)
        command, cwd=PACKAGES, input=given, capture_output=True, text=True, check=True
    )
    return ended.stdout


if __name__ == "__main__":
    make(MODULES)
