// Where the packages are that `clients/js` asks for: beside it there is no `node_modules`.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

let packages;

export function initialize(given) {
  packages = given;
}

export function resolve(specifier, context, next) {
  const found = packages[specifier];
  return found ? { url: pathToFileURL(createRequire(import.meta.url).resolve(found)).href, shortCircuit: true } : next(specifier, context);
}
