// Conversations with one released AG-UI client: `node converse.mjs <path of the client>` reads one of them a line as
// JSON, and answers each with a line: what the client said of every run, and the messages it has in the end.
// What may stand in a conversation is what `converse` and `turn` take apart.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { HttpAgent } = createRequire(import.meta.url)(process.argv[2]);
const fetched = globalThis.fetch;

let warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
process.on("unhandledRejection", (reason) => warnings.push(`unhandled: ${reason}`));

let bodies = [];
globalThis.fetch = async (...request) => {
  const response = await fetched(...request);
  if (!response.body) return response;
  const [kept, read] = response.body.tee();
  bodies.push(new Response(kept).text().catch(() => null)); // null: it broke off
  return new Response(read, response);
};

async function converse({ turns, ...settings }) {
  const agent = new HttpAgent(settings);
  const runs = [];
  for (const each of turns) runs.push(await turn(agent, settings, each));
  return { runs, messages: agent.messages };
}

/** One run: `say` adds the user's message, `answer` the result of every call that waits; `at` names an event, and what
 * to do when it comes: `abort` the run, or `post` to a URL. */
async function turn(agent, { headers }, { say, answer, at, ...parameters }) {
  if (say) agent.addMessage({ role: "user", ...say });
  const results = new Set(agent.messages.map((message) => message.toolCallId));
  const waiting = agent.messages.flatMap((message) => message.toolCalls ?? []).filter((call) => !results.has(call.id));
  for (const { id } of answer ? waiting : []) {
    agent.addMessage({ id: `result-${id}`, role: "tool", toolCallId: id, content: answer });
  }
  const events = [];
  warnings = [];
  bodies = [];
  let acted;
  const onEvent = ({ event }) => {
    events.push(structuredClone(event));
    if (event.type !== at?.type) return;
    if (at.abort) agent.abortRun();
    else acted = fetched(at.post, { method: "POST", headers });
  };
  let error = null;
  try {
    await agent.runAgent(parameters, { onEvent });
  } catch ({ name, message, status, payload }) {
    error = { name, message, status, payload };
  }
  await acted;
  return { events, error, warnings, bodies: await Promise.all(bodies) };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await converse(JSON.parse(line)))}\n`);
}
