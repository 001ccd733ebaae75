/**
 * An AG-UI agent for front ends that take an `HttpAgent`: a lost connection is not noticed by the application, a thread
 * can be joined, and an aborted run is cancelled. See `README.md`.
 */

import { HttpAgent } from "@ag-ui/client";
import { Observable } from "rxjs";

import { Yarrow } from "./yarrow.js";

/**
 * @typedef {import("@ag-ui/client").RunAgentInput} RunAgentInput
 * @typedef {import("@ag-ui/client").BaseEvent} BaseEvent
 * @typedef {ReturnType<HttpAgent["run"]>} EventStream  An `Observable` of the copy of RxJS that `@ag-ui/client` has.
 * @typedef {{ threadId: string, runId: string }} Run
 * @typedef {Pick<Storage, "getItem" | "setItem">} Kept
 * @typedef {import("@ag-ui/client").HttpAgentConfig & {
 *   token?: (refused?: string) => string | Promise<string>,
 *   storage?: Kept,
 *   fetch?: typeof globalThis.fetch,
 * }} YarrowAgentConfig  `url` ends with `/send-message`, or with `?agent=` and a name behind it. `token` gives the bearer
 *   token where `headers` have none, and a new one for the refused. `storage` keeps the latest run of each thread for
 *   `connectAgent`; by default `localStorage`, where there is one.
 */

const KEY = "yarrow.runs";
const MOST_THREADS = 50;
const GONE = new Set([404, 410]);
const ABORTED = /** @type {BaseEvent} */ ({ type: "RUN_ERROR", message: "the run was aborted", code: "abort" });

// Nothing is private: agents are cloned without their constructor.
export class YarrowAgent extends HttpAgent {
  constructor(/** @type {YarrowAgentConfig} */ { token, storage, ...config }) {
    super(config);
    this.service = { token, fetch: /** @type {typeof globalThis.fetch | undefined} */ (config.fetch) };
    this.storage = storage ?? localStorageOr({ getItem: () => null, setItem: () => {} });
    this.joining = /** @type {string | undefined} */ (undefined);
  }

  /** @returns {YarrowAgent} */
  clone() {
    const { service, storage } = this;
    return Object.assign(/** @type {any} */ (super.clone()), { service, storage, joining: undefined });
  }

  /** The run's events. Who unsubscribes, as `detachActiveRun` does, leaves the run alone; `abortRun` cancels it.
   * @param {RunAgentInput} input  @returns {EventStream} */
  run(input) {
    const sent = JSON.parse(String(this.requestInit(input).body)); // applications override that
    const agent = named(this);
    return observed(this, sent, (signal, session) => yarrowOf(this).converse(sent, { agent, signal, session }));
  }

  /** What the agent can do; unknown without credentials, as CopilotKit's runtime asks before anybody has signed in.
   * @returns {Promise<import("@ag-ui/client").AgentCapabilities>} */
  async getCapabilities() {
    if (!this.service.token && !new Headers(this.headers).has("Authorization")) return {};
    return yarrowOf(this).capabilities(named(this));
  }

  /** Join the thread: its conversation, and what its latest run, or that of `runId`, still tells.
   * @type {HttpAgent["connectAgent"]} */
  connectAgent(parameters, subscriber) {
    this.abortController = new AbortController();
    this.joining = parameters?.runId;
    return super.connectAgent(parameters, subscriber);
  }

  /** @param {RunAgentInput} input  @returns {EventStream} */
  connect(input) {
    const kept = latestRuns(this.storage)[input.threadId];
    const threadId = kept?.threadId ?? input.threadId;
    const runId = this.joining ?? kept?.runId;
    const run = { threadId: input.threadId, runId: runId ?? input.runId };
    return observed(this, run, (signal, session) => {
      if (runId) session(threadId);
      return joined(yarrowOf(this), threadId, run, runId, signal);
    });
  }
}

const named = (/** @type {YarrowAgent} */ { url }) => new URL(url, "http://localhost").searchParams.get("agent") ?? undefined;

const yarrowOf = (/** @type {YarrowAgent} */ { url, headers, service }) =>
  new Yarrow({ url: url.split("/send-message")[0], headers, ...service });

/** A run from where it is, or what the history has: it is there longer than the events, and on every device. What comes is
 * told of the thread as the application names it.
 * @param {Yarrow} yarrow  @param {string} threadId  @param {Run} run  @param {string | undefined} runId
 * @param {AbortSignal} signal  @returns {AsyncGenerator<any>} */
async function* joined(yarrow, threadId, run, runId, signal) {
  const passed = (/** @type {any} */ error) => (GONE.has(error.status) || error.status === 422 ? null : Promise.reject(error));
  if (runId) {
    try {
      for await (const { event } of yarrow.watch(threadId, runId, { profile: "snapshot", signal })) {
        yield event.threadId === threadId ? { ...event, threadId: run.threadId } : event;
      }
      return;
    } catch (error) {
      await passed(error);
    }
  }
  const history = await yarrow.history(threadId, { signal }).catch(passed);
  if (!history?.messages.length) return;
  yield { type: "RUN_STARTED", ...run };
  yield { type: "MESSAGES_SNAPSHOT", messages: history.messages.map(({ id, role, content }) => ({ id, role, content })) };
  yield { type: "RUN_FINISHED", ...run };
}

/** The events that `begin` yields, to their end or to the agent's abort, which cancels the run.
 * @param {YarrowAgent} agent  @param {Run} run
 * @param {(signal: AbortSignal, session: (threadId: string) => void) => AsyncIterable<any>} begin
 * @returns {EventStream} */
function observed(agent, run, begin) {
  const events = new Observable((subscriber) => {
    const yarrow = yarrowOf(agent);
    const { signal } = agent.abortController;
    const left = new AbortController();
    /** @type {(threadId: string) => void} */
    let known;
    const session = new Promise((resolve) => (known = resolve));
    const cancel = async () => {
      subscriber.next(ABORTED);
      subscriber.complete();
      // Until the service has named the session, it may not have the run, and is asked on.
      await yarrow.cancel(await session, run.runId).catch(() => {}); // it has ended, or is out of reach
      left.abort();
    };
    const follow = async () => {
      const begun = (/** @type {string} */ threadId) => {
        known(threadId);
        keep(agent.storage, run, threadId);
      };
      for await (const event of begin(left.signal, begun)) subscriber.next(event);
    };
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    follow()
      .then(
        () => subscriber.complete(),
        (error) => subscriber.error(error),
      )
      .finally(() => signal.removeEventListener("abort", cancel));
    return () => {
      if (signal.aborted) return;
      signal.removeEventListener("abort", cancel);
      left.abort();
    };
  });
  return /** @type {any} */ (events);
}

/** @returns {Kept} */
function localStorageOr(/** @type {Kept} */ other) {
  try {
    return globalThis.localStorage ?? other;
  } catch {
    return other; // a browser may forbid it
  }
}

/** The latest runs by their threads, as the application names these. @returns {Record<string, Run>} */
const latestRuns = (/** @type {Kept} */ storage) => JSON.parse(storage.getItem(KEY) ?? "{}");

function keep(/** @type {Kept} */ storage, /** @type {Run} */ run, /** @type {string} */ threadId) {
  const { [run.threadId]: _, ...others } = latestRuns(storage);
  const latest = [...Object.entries(others), [run.threadId, { threadId, runId: run.runId }]].slice(-MOST_THREADS);
  storage.setItem(KEY, JSON.stringify(Object.fromEntries(latest)));
}
