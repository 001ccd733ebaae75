// How long `clients/js/yarrow.js` waits, in milliseconds, when it is told to come back in a second so often.

import { Yarrow } from "../../clients/js/yarrow.js";

const SILENCE = 45_000;
const refusals = Number(process.argv[2]);
const waits = [];
const { setTimeout } = globalThis;
globalThis.setTimeout = (act, wait, ...rest) => {
  if (wait === SILENCE) return setTimeout(act, wait, ...rest);
  waits.push(wait);
  return setTimeout(act, 0, ...rest);
};
let asked = 0;
globalThis.fetch = async () =>
  ++asked > refusals
    ? new Response('id: 1\ndata: {"type":"RUN_FINISHED"}\n\n')
    : new Response("{}", { status: 429, headers: { "Retry-After": "1" } });
for await (const _ of new Yarrow({ url: "http://service.invalid", token: () => "" }).watch("thread", "run"));
console.log(JSON.stringify(waits));
