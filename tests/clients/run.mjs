// One run with `clients/js/yarrow.js`: what to do is JSON on standard input, what came of it on standard output.
// `tokens` are handed out one after the other, each when the one before was refused; the last is kept. `hurry` is
// `hurry.mjs`'s; `isReactNative`, whether `fetch` is as `react_native.mjs` makes it.

import { text } from "node:stream/consumers";
import { Yarrow } from "../../clients/js/yarrow.js";
import { hurry } from "./hurry.mjs";
import { asReactNative } from "./react_native.mjs";

const { url, tokens, input, agent, thread, run, stopAfter, hurry: by = 1, isReactNative, ...watching } = JSON.parse(await text(process.stdin));
hurry(by);
if (isReactNative) asReactNative();

const refusals = [];
const token = (refused) => {
  if (refused) refusals.push(tokens.shift());
  return tokens[0];
};
const yarrow = new Yarrow({ url, token });
const stop = new AbortController();
const options = { ...watching, signal: stop.signal };
const told = [];
let error = null;
try {
  for await (const each of input ? yarrow.run(input, { agent, ...options }) : yarrow.watch(thread, run, options)) {
    told.push(each);
    if (told.length === stopAfter) stop.abort();
  }
} catch ({ name, status, code, constructor }) {
  error = { name: constructor.name === "Refused" ? "Refused" : name, status, code };
}
process.stdout.write(JSON.stringify({ told, error, refusals }));
