// What `clients/js/yarrow.js` does where the service sends it away from a run that rests: it comes back after the time it was
// told, or at once when it has cancelled the run itself.

import { Yarrow } from "../../clients/js/yarrow.js";

const first = 'id: 1\ndata: {"type":"RUN_STARTED"}\n\n';
const rests = "retry: 30000\n\n";
const end = 'retry: 500\n\nid: 2\ndata: {"type":"RUN_ERROR","code":"RUN_CANCELED"}\n\n';
let sent;
const away = new Promise((resolve) => (sent = resolve));
const cursors = [];
let waits = 0;
globalThis.fetch = async (url, { headers }) => {
  if (url.includes("/cancel")) return Response.json({ accepted: true });
  cursors.push(headers.get("Last-Event-ID"));
  return new Response(cursors.length === 1 ? first + rests : end);
};
const { setTimeout } = globalThis;
globalThis.setTimeout = (act, wait, ...rest) => {
  if (wait > 1_000 && wait <= 30_000) {
    waits = wait;
    sent();
  }
  return setTimeout(act, wait, ...rest);
};
const yarrow = new Yarrow({ url: "http://service.invalid", token: () => "" });
const told = [];
const resumed = [];
const watching = (async () => {
  for await (const { id } of yarrow.watch("thread", "run", { resumed: (after) => resumed.push(after) })) told.push(id);
})();
await away;
const began = performance.now();
await yarrow.cancel("thread", "another"); // wakes nobody
const isAway = told.length === 1;
await yarrow.cancel("thread", "run");
await watching;
console.log(JSON.stringify({ told, cursors, resumed, isAway, waits, took: performance.now() - began }));
