// Reads streams with `@durable-streams/client`, one for each line of standard input, to their ends. A line of output is what it read.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { stream } = await import(pathToFileURL(`${process.argv[2]}/dist/index.js`));
const settings = {
  json: true,
  backoffOptions: { initialDelay: 5, maxDelay: 50, multiplier: 1.3 },
  sseResilience: { minConnectionDuration: 0, backoffBaseDelay: 5, backoffMaxDelay: 50, logWarnings: false },
};

// The client asks again where fetch fails, but not where a body does: so bodies come whole.
async function whole(input, init) {
  const response = await fetch(input, init);
  if (response.headers.get("content-type") !== "application/json") return response;
  return new Response(await response.text(), response);
}

function read({ url, headers, live }) {
  const items = [];
  let saved = "-1";
  let times = 0;
  const on = () =>
    new Promise((resolve, reject) => {
      stream({ ...settings, url, headers, live, offset: saved, fetch: whole }).then((response) => {
        response.subscribeJson((batch) => {
          // One that ends where the last one did was cut, and comes again.
          if (batch.offset !== saved) items.push(...batch.items);
          saved = batch.offset;
          if (batch.streamClosed) resolve();
        });
        response.closed.then(() => response.streamClosed || reject(new Error("given up")), reject);
      }, reject);
    });
  const again = (error) => {
    times += 1;
    if (times > 100) throw error;
    return on().catch(again);
  };
  return on()
    .catch(again)
    .then(() => ({ items, times }));
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await read(JSON.parse(line)))}\n`);
}
