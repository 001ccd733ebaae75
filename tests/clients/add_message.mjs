// Adds a message to a run with `clients/js/yarrow.js`: `url`, `token`, `threadId`, `runId` and `message` are JSON on standard
// input; on standard output the answer, or what the module's own error says of the refusal.

import { text } from "node:stream/consumers";
import { Refused, Yarrow } from "../../clients/js/yarrow.js";

const { url, token, threadId, runId, message } = JSON.parse(await text(process.stdin));
const yarrow = new Yarrow({ url, token: () => token });
const refusal = (error) => {
  if (!(error instanceof Refused)) throw error;
  return { status: error.status, code: error.code, params: error.payload.params };
};
process.stdout.write(JSON.stringify(await yarrow.addMessage(threadId, runId, message).catch(refusal)));
