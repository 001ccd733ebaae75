// Conversations with one released AG-UI client: `node converse.mjs <path of the client> [path of an agent on top of it]`
// reads one of them a line as JSON, and answers each with a line: what the client said of every run, and the messages it has
// in the end. What may stand in a conversation is what `converse` and `turn` take apart.

import { createRequire, register } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { hurry } from "./hurry.mjs";

const [client, own] = process.argv.slice(2);
const require = createRequire(`${client}/package.json`);
if (own) register("./resolve.mjs", import.meta.url, { data: { "@ag-ui/client": client, rxjs: require.resolve("rxjs") } });
const { HttpAgent } = own ? { HttpAgent: (await import(pathToFileURL(own))).YarrowAgent } : require(client);
const fetched = globalThis.fetch;
if (own) hurry(50);

let warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
process.on("unhandledRejection", (reason) => warnings.push(`unhandled: ${reason}`));

let bodies = [];
globalThis.fetch = async (...request) => {
  const response = await fetched(...request);
  if (!response.body || own) return response;
  const [kept, read] = response.body.tee();
  bodies.push(new Response(kept).text().catch(() => null)); // null: it broke off
  return new Response(read, response);
};

const kept = new Map();
const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };

/** A released middleware, of the package `@ag-ui/{name}-middleware`. */
function middleware(name, config) {
  const [, Middleware] = Object.entries(require(`@ag-ui/${name}-middleware`)).find(([key]) => key.endsWith("Middleware"));
  return new Middleware(config);
}

/** The capabilities of an agent, and what the schema of the SDK beneath the client makes of them. */
async function capabilities(agent) {
  const { exports } = require("@ag-ui/core/package.json");
  const { AgentCapabilitiesSchema } = require(exports["./schemas"] ? "@ag-ui/core/schemas" : "@ag-ui/core");
  const told = await agent.getCapabilities();
  return { told, parsed: AgentCapabilitiesSchema.parse(told) };
}

async function converse({ turns, isForgetful, isCloned, asksCapabilities, middlewares = {}, ...settings }) {
  if (isForgetful) kept.clear();
  const made = new HttpAgent({ ...settings, storage });
  const agent = isCloned ? made.clone() : made;
  for (const [name, config] of Object.entries(middlewares)) agent.use(middleware(name, config));
  const runs = [];
  for (const each of turns) runs.push(await turn(agent, settings, each));
  return { runs, messages: agent.messages, state: agent.state, ...(asksCapabilities && { capabilities: await capabilities(agent) }) };
}

/** One run: `say` adds the user's message, `answer` the result of every call that waits; `at` names an event, and what
 * to do when it comes: `abort` the run, `detach` from it, or `post` to a URL. `isJoined`: the thread is joined instead.
 * `payload` answers all that the last run asked. */
async function turn(agent, { headers }, { say, answer, at, isJoined, payload, ...parameters }) {
  if (say) agent.addMessage({ role: "user", ...say });
  const results = new Set(agent.messages.map((message) => message.toolCallId));
  const waiting = agent.messages.flatMap((message) => message.toolCalls ?? []).filter((call) => !results.has(call.id));
  for (const { id } of answer ? waiting : []) {
    agent.addMessage({ id: `result-${id}`, role: "tool", toolCallId: id, content: answer });
  }
  if (payload !== undefined) {
    parameters.resume = agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "resolved", payload }));
  }
  const events = [];
  warnings = [];
  bodies = [];
  let acted;
  const onEvent = ({ event }) => {
    events.push(structuredClone(event));
    if (event.type !== at?.type) return;
    if (at.abort) agent.abortRun();
    else if (at.detach) agent.detachActiveRun();
    else acted = fetched(at.post, { method: "POST", headers });
  };
  let error = null;
  try {
    if (isJoined) await agent.connectAgent(parameters, { onEvent });
    else await agent.runAgent(parameters, { onEvent });
  } catch ({ name, message, status, payload }) {
    error = { name, message, status, payload };
  }
  await acted;
  return { events, error, warnings, bodies: await Promise.all(bodies), pending: agent.pendingInterrupts ?? null };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await converse(JSON.parse(line)))}\n`);
}
