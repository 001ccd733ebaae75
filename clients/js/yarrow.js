/**
 * A client of Yarrow for the web: submit a run, and read its events to the end whatever the network does.
 *
 * An event's number in its run is its SSE `id`; after a drop the stream goes on behind the last one that came, so that
 * none is lost or told twice. One file without dependencies, for browsers and Node; see `docs/clients.md`.
 *
 * @typedef {{ id: number, event: { type: string, [member: string]: any } }} Told  With the number to go on after.
 * @typedef {object} Service
 * @property {string} url  Where the API is, without a slash at the end.
 * @property {(refused?: string) => string | Promise<string>} token  The bearer token; a new one for the refused.
 * @typedef {object} Watching
 * @property {number} [after]  The number of the last event known; 0 for all of them.
 * @property {"agui"} [profile]  To have the events as AG-UI clients take them.
 * @property {AbortSignal} [signal]  To stop. The run goes on: `cancel` ends it.
 */

const TERMINAL = new Set(["RUN_FINISHED", "RUN_ERROR"]);
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
const SILENCE = 45_000; // milliseconds; the service says something every 15 seconds
const LONGEST_WAIT = 30_000;
const MOST_FAILURES = 20;
const any = (/** @type {any[]} */ ...signals) => AbortSignal.any(signals.filter(Boolean));

/** The service refuses: `status` of HTTP, `code` of `docs/errors.md`, `wait` in milliseconds where it says so. */
export class Refused extends Error {
  constructor(/** @type {Response} */ response, /** @type {Record<string, any>} */ problem) {
    super(problem.detail ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.code = problem.code;
    this.wait = Number(response.headers.get("Retry-After")) * 1000;
  }
}

export class Dropped extends Error {}
const drop = (/** @type {any} */ cause) => Promise.reject(new Dropped("the connection broke", { cause }));

export class Yarrow {
  constructor(/** @type {Service} */ service) {
    this.service = service;
  }

  /** Submit a run, whose input is the body of `POST /runs`, and yield its events; the same again joins the run.
   * @param {object} input  @param {Watching & { agent?: string }} [options]  @returns {AsyncGenerator<Told>} */
  async *run(input, { agent, ...watching } = {}) {
    const { threadId, runId } = await this.submit(input, { agent, signal: watching.signal });
    yield* this.watch(threadId, runId, watching);
  }

  /** The answer of `POST /runs`; sent again where it may have been lost, which makes no second run. */
  async submit(/** @type {object} */ input, { agent = "", signal } = /** @type {any} */ ({})) {
    const request = { method: "POST", body: JSON.stringify(input), headers: { "Content-Type": "application/json" } };
    for (const patience = new Patience(signal); ; ) {
      try {
        const limited = { ...request, signal: any(signal, AbortSignal.timeout(SILENCE)) };
        return await (await this.#ask(agent && `?agent=${encodeURIComponent(agent)}`, limited)).json().catch(drop);
      } catch (error) {
        await patience.wait(error);
      }
    }
  }

  /** End a run. */
  async cancel(/** @type {string} */ threadId, /** @type {string} */ runId) {
    await this.#ask(`/${threadId}/cancel?runId=${encodeURIComponent(runId)}`, { method: "POST" });
  }

  /** Yield the events of a run, to the one that ends it. Throws `Refused`, `Dropped` after many failures in a row.
   * @param {string} threadId  @param {string} runId  @param {Watching} [options]  @returns {AsyncGenerator<Told>} */
  async *watch(threadId, runId, { after = 0, profile, signal } = {}) {
    const path = `/${threadId}/events?${new URLSearchParams({ runId, ...(profile && { profile }) })}`;
    // An empty response means that `after` ended the run, or that a proxy cut the stream: reading that event again tells.
    let again = 0;
    for (const patience = new Patience(signal); ; ) {
      const connection = new AbortController();
      const leave = () => connection.abort();
      let silence = setTimeout(leave, SILENCE);
      let isEmpty = true;
      let failure;
      try {
        const cursor = after - again;
        const headers = cursor > 0 ? { "Last-Event-ID": String(cursor) } : undefined;
        const response = await this.#ask(path, { headers, signal: any(signal, connection.signal) });
        for await (const frame of frames(response)) {
          isEmpty = false;
          clearTimeout(silence);
          silence = setTimeout(leave, SILENCE);
          patience.heard(frame);
          if (frame.data === undefined) continue;
          const event = JSON.parse(frame.data);
          const id = Number(frame.id);
          if (id > after) yield { id: (after = id), event };
          if (TERMINAL.has(event.type)) return;
        }
        if (isEmpty && after && !again) {
          again = 1;
          continue;
        }
        if (isEmpty) failure = new Dropped("the stream ended before its first event");
      } catch (error) {
        failure = error;
      } finally {
        clearTimeout(silence);
        connection.abort();
      }
      if (!isEmpty) again = 0;
      await patience.wait(failure);
    }
  }

  async #ask(/** @type {string} */ path, /** @type {RequestInit} */ request) {
    let token = await this.service.token();
    for (let isFirst = true; ; isFirst = false) {
      const headers = { ...request.headers, Authorization: `Bearer ${token}` };
      const response = await fetch(`${this.service.url}/api/v1/agent/runs${path}`, { ...request, headers }).catch(drop);
      if (response.ok) return response;
      const refused = new Refused(response, await response.json().catch(() => ({})));
      if (response.status !== 401 || !isFirst) throw refused;
      token = await this.service.token(token);
    }
  }
}

/** How long to wait before the next try, and whether there is one. */
class Patience {
  #retry = 500;
  #failures = 0;
  constructor(/** @type {AbortSignal | undefined} */ signal) {
    this.signal = signal;
    signal?.throwIfAborted();
  }
  heard(/** @type {Record<string, string>} */ frame) {
    this.#failures = 0;
    this.#retry = Number(frame.retry ?? this.#retry);
  }
  async wait(/** @type {any} */ error) {
    this.signal?.throwIfAborted();
    const passes = error instanceof Dropped || PASSING.has(error?.status);
    if (error && (!passes || ++this.#failures > MOST_FAILURES)) throw error;
    const growing = Math.min(this.#retry * 2 ** Math.max(0, this.#failures - 1), LONGEST_WAIT);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, error?.wait || growing * (0.5 + Math.random() / 2));
      this.signal?.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
    });
    this.signal?.throwIfAborted();
  }
}

/** The whole frames of a stream, by the names of their lines; a comment has none. */
async function* frames(/** @type {Response} */ response) {
  const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { done, value } = await reader.read().catch(drop);
    if (done) return;
    const texts = (rest + value).split("\n\n");
    rest = texts.pop() ?? "";
    for (const text of texts) yield Object.fromEntries(text.split("\n").map((line) => line.split(/: ?(.*)/s)));
  }
}
