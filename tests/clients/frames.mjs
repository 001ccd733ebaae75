// The vectors of `sse-vectors.json` that `clients/js/yarrow.js` reads otherwise, as JSON.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { frames } from "../../clients/js/yarrow.js";

const { sse, whatwg } = JSON.parse(readFileSync(process.argv[2], "utf-8"));

async function read(chunks) {
  const response = new Response(new Blob([]));
  const body = new ReadableStream({
    start(controller) {
      for (const each of chunks) controller.enqueue(each);
      controller.close();
    },
  });
  Object.defineProperty(response, "body", { value: body });
  const found = [];
  for await (const frame of frames(response)) found.push(frame);
  return found;
}

const wrong = [];
for (const { name, stream, hex, frames: expected } of [...sse, ...whatwg]) {
  const bytes = new Uint8Array(hex === undefined ? Buffer.from(stream) : Buffer.from(hex, "hex"));
  const ways = [[bytes], [...bytes].map((_, at) => bytes.slice(at, at + 1))];
  for (let at = 1; at < bytes.length; at += 1) ways.push([bytes.slice(0, at), bytes.slice(at)]);
  for (const chunks of ways) {
    const found = await read(chunks);
    if (!isDeepStrictEqual(found, expected)) {
      wrong.push({ name, sizes: chunks.map(({ length }) => length), found, expected });
      break;
    }
  }
}
console.log(JSON.stringify(wrong));
