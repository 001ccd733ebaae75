// Records how a reading turned out with `clients/js/yarrow.js`: `url`, `token`, `threadId` and `outcome` are JSON on standard
// input; on standard output the answer, and the history after it.

import { text } from "node:stream/consumers";
import { Yarrow } from "../../clients/js/yarrow.js";

const { url, token, threadId, outcome } = JSON.parse(await text(process.stdin));
const yarrow = new Yarrow({ url, token: () => token });
const recorded = await yarrow.recordOutcome(threadId, outcome);
process.stdout.write(JSON.stringify({ recorded, history: await yarrow.history(threadId) }));
