/**
 * A client of Yarrow: submit a run, and read its events to the end whatever the network does.
 *
 * An event's number in its run is its SSE `id`; after a drop the stream goes on behind the last one that came, so that
 * none is lost or repeated. One file without dependencies, for browsers and Node; see `docs/clients.md`.
 *
 * @typedef {import("./api.d.ts").Api} Api
 * @typedef {{ id: number, event: Api["Event"] }} NumberedEvent  With the number to go on after.
 * @typedef {object} Service
 * @property {string} url  Where the API is, without a slash at the end.
 * @property {(refused?: string) => string | Promise<string>} [token]  The bearer token; a new one for the refused.
 * @property {Record<string, string>} [headers]  Sent with every request.
 * @property {typeof globalThis.fetch} [fetch]  Used in place of `fetch`. Where responses have no `body` to read as it
 *   comes, as in React Native, events are polled.
 * @typedef {{ id?: string, event?: string, data?: string, retry?: number }} Frame
 * @typedef {object} Watching
 * @property {number} [after]  The number of the last event known; 0 for all of them.
 * @property {"agui" | "snapshot"} [profile]  To have the events as AG-UI clients take them; "snapshot" begins with the
 *   conversation and state so far, whose events have one number.
 * @property {boolean} [times]  To have with each event its `timestamp`: when it was stored.
 * @property {(after: number) => void} [resumed]  Called when the events go on after a number over another connection.
 * @property {AbortSignal} [signal]  To stop. The run goes on: `cancel` ends it.
 */

const RUNS = "/api/v1/agent/runs";
const DEVICES = "/api/v1/devices";
const TERMINAL = new Set(["RUN_FINISHED", "RUN_ERROR"]);
const CUT = new Set(["STREAM_TIMEOUT", "STREAM_FAILED"]); // errors of a stream, whose run goes on
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
const SILENCE = 45_000; // milliseconds; the service says something every 15 seconds
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const LONGEST_LINE = 16 * 1024 * 1024; // characters
const MOST_FAILURES = 20;
const POLL = "20"; // seconds, of a stream that is read whole
const canStream = () => typeof Response === "function" && "body" in Response.prototype; // React Native cannot

/** The service refuses: `status` of HTTP, `code` of `docs/errors.md`, the whole problem as `payload`, `wait` in milliseconds. */
export class Refused extends Error {
  constructor(/** @type {Response} */ response, /** @type {Record<string, any>} */ problem) {
    super(problem.detail ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.code = problem.code;
    this.payload = problem;
    this.wait = Number(response.headers.get("Retry-After")) * 1000;
  }
}

export class Dropped extends Error {}
const drop = (/** @type {any} */ cause) => Promise.reject(new Dropped("the connection was lost", { cause }));

export class Yarrow {
  #polls;
  #watched = /** @type {Map<Patience, string>} */ (new Map());
  constructor(/** @type {Service} */ service) {
    this.service = service;
    this.#polls = !service.fetch && !canStream();
  }

  /** Submit a run, whose input is the body of `POST /runs`, and yield its events; the same again joins the run.
   * @param {Api["RunAgentInput"]} input  @param {Watching & { agent?: string }} [options]  @returns {AsyncGenerator<NumberedEvent>} */
  async *run(input, { agent, ...watching } = {}) {
    const { threadId, runId } = await this.submit(input, { agent, signal: watching.signal });
    yield* this.watch(threadId, runId, watching);
  }

  /** The answer of `POST /runs`; sent again where it may have been lost, which makes no second run.
   * @param {Api["RunAgentInput"]} input  @param {{ agent?: string, signal?: AbortSignal }} [options]
   * @returns {Promise<Api["TaskAcceptedResponse"]>} */
  async submit(input, { agent, signal } = {}) {
    return this.#retried(`${RUNS}${of(agent)}`, posted(input), signal);
  }

  /** End a run. False if it had finished or failed before.
   * @param {string} threadId  @param {string} runId  @returns {Promise<boolean>} */
  async cancel(threadId, runId) {
    const path = `${RUNS}/${threadId}/cancel?runId=${encodeURIComponent(runId)}`;
    const { accepted } = await this.#retried(path, { method: "POST" });
    // A watch that was sent away until the run goes on sees its end now.
    for (const [patience, run] of this.#watched) if (run === `${threadId} ${runId}`) patience.wake();
    return accepted;
  }

  /** Add a message to a run that goes on, whose agent takes it at its next step; the same again is one message. Refused
   * unless the agent takes messages: `humanInTheLoop.interventions` of its capabilities says so.
   * @param {string} threadId  @param {string} runId  @param {Api["RunMessage"]} message
   * @returns {Promise<Api["RunMessageAccepted"]>} */
  async addMessage(threadId, runId, message) {
    return this.#retried(`${RUNS}/${threadId}/messages?runId=${encodeURIComponent(runId)}`, posted(message));
  }

  /** The history of a session.
   * @param {string} threadId  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["Snapshot"]>} */
  async history(threadId, { signal } = {}) {
    return this.#retried(`/api/v1/agent/history?${new URLSearchParams({ threadId })}`, {}, signal);
  }

  /** The agents that the user may use, with labels in the language of `locale`, by default that of the user's token.
   * @param {{ locale?: string, signal?: AbortSignal }} [options]  @returns {Promise<Api["AgentList"]>} */
  async agents({ locale, signal } = {}) {
    return this.#retried(`/api/v1/agents${locale ? `?${new URLSearchParams({ locale })}` : ""}`, {}, signal);
  }

  /** What the user's runs have used, by days such as `2026-11-27`; for operators, with `by: "user"`, of all users.
   * @param {{ from?: string, to?: string, by?: "user", after?: string, signal?: AbortSignal }} [options]
   * @returns {Promise<Api["Usage"]>} */
  async usage({ signal, ...query } = {}) {
    return this.#retried(`/api/v1/usage?${new URLSearchParams(query)}`, {}, signal);
  }

  /** What an agent can do, as AG-UI describes it; by default the agent of `/send-message`. It is asked once: pages wait for it.
   * @param {string} [agent]  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["AgentCapabilities"]>} */
  async capabilities(agent, { signal } = {}) {
    return this.#answer(`/send-message/capabilities${of(agent)}`, {}, signal);
  }

  /** The open questions of the user's runs, newest first; `after` is the `next` of the page before.
   * @param {{ limit?: number, after?: string, signal?: AbortSignal }} [options]  @returns {Promise<Api["InterruptList"]>} */
  async interrupts({ limit, after, signal } = {}) {
    const query = new URLSearchParams({ ...(limit && { limit: `${limit}` }), ...(after && { after }) });
    return this.#retried(`/api/v1/agent/interrupts?${query}`, {}, signal);
  }

  /** Answer a question: `{ status: "resolved", payload }` or `{ status: "cancelled" }`. The first answer counts; the same one
   * again gets the same run, which goes on.
   * @param {string} id  @param {Api["InterruptAnswer"]} answer  @returns {Promise<Api["TaskAcceptedResponse"]>} */
  async answer(id, answer) {
    return this.#retried(`/api/v1/agent/interrupts/${encodeURIComponent(id)}`, posted(answer));
  }

  /** Record how a reading turned out: that of `runId`, by default the latest of the session. It replaces an earlier outcome.
   * @param {string} threadId  @param {Api["OutcomeRequest"]} outcome  @returns {Promise<Api["SessionOutcome"]>} */
  async recordOutcome(threadId, outcome) {
    return this.#retried(`/api/v1/agent/sessions/${threadId}/outcome`, posted(outcome));
  }

  /** Register a device for notifications, or the same one again: at each start of an app, and when another user signs in.
   * @param {Api["DeviceFields"]} device  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["Device"]>} */
  async registerDevice(device, { signal } = {}) {
    return this.#retried(DEVICES, posted(device), signal);
  }

  /** The user's devices, the kinds that the deployment notifies, and in `web` what a browser needs to subscribe.
   * @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["DeviceList"]>} */
  async listDevices({ signal } = {}) {
    return this.#retried(DEVICES, {}, signal);
  }

  /** Have a device get no notifications any more, if it is the user's.
   * @param {string} id  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<void>} */
  async removeDevice(id, { signal } = {}) {
    await this.#retried(`${DEVICES}/${encodeURIComponent(id)}`, { method: "DELETE" }, signal);
  }

  /** Register this browser for notifications, which the service worker of `registration` shows. It subscribes once; called
   * again, at each start of the page, it refreshes the device. The browser asks its user the first time: call it by a click.
   * @param {ServiceWorkerRegistration} registration  @param {Partial<Api["WebDeviceFields"]>} [device]
   * @returns {Promise<Api["Device"]>}  Throws `Refused` with the code `DEVICE_KIND_UNSUPPORTED` where browsers get none. */
  async registerBrowser({ pushManager }, device = {}) {
    const current = async () => (await pushManager.getSubscription()) ?? (await this.#subscribed(pushManager));
    const register = (/** @type {PushSubscription} */ subscription) =>
      this.registerDevice(/** @type {any} */ ({ ...device, kind: "web", subscription: subscription.toJSON() }));
    const subscription = await current();
    try {
      return await register(subscription);
    } catch (error) {
      if (/** @type {any} */ (error).code !== "DEVICE_OF_OTHER_USER") throw error;
      await subscription.unsubscribe(); // another user has signed in here before: a new subscription has another address
      return register(await current());
    }
  }

  async #subscribed(/** @type {PushManager} */ pushManager) {
    const { web } = await this.listDevices();
    if (!web) throw unsupported();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: web.applicationServerKey });
  }

  /** Send an AG-UI `RunAgentInput` to `/send-message`, and yield the run's events as AG-UI has them. Where the stream breaks
   * off, they are read on as `watch` reads them. `session` is called with the id under which the service keeps the thread.
   * @param {{ threadId: string, runId: string, [member: string]: any }} input
   * @param {{ agent?: string, signal?: AbortSignal, session?: (threadId: string) => void }} [options]
   * @returns {AsyncGenerator<NumberedEvent["event"]>} */
  async *converse(input, { agent, signal, session = () => {} } = {}) {
    let threadId; // as the service has it
    let { runId } = input; // likewise: a client may resume under the id of the run that asked
    let yielded = 0;
    for (const patience = new Patience(signal); threadId === undefined; ) {
      let failure;
      try {
        const query = new URLSearchParams({ ...(agent && { agent }), ...(this.#polls && { wait: "1" }) });
        for await (const { data } of this.#stream(`/send-message?${query}`, posted(input), signal)) {
          if (data === undefined) continue;
          const event = JSON.parse(data);
          if (CUT.has(event.code)) break;
          if (threadId === undefined) {
            runId = event.metadata?.["yarrow.runId"] ?? runId;
            session((threadId = event.metadata?.["yarrow.threadId"] ?? input.threadId));
          }
          yielded += 1;
          yield event;
          if (TERMINAL.has(event.type)) return;
          if (patience.hasWaited) break; // a repeated request tells other events besides
        }
        failure = new Dropped("the stream ended before its first event");
      } catch (error) {
        failure = error;
        throwIfAborted(signal);
      }
      if (threadId === undefined) await patience.wait(failure);
    }
    const ids = { threadId: input.threadId, runId: input.runId };
    for await (const { event } of this.watch(threadId, runId, { profile: "agui", signal })) {
      if (yielded-- > 0) continue;
      if (event.type === "MESSAGES_SNAPSHOT") yield { ...event, messages: [...instructions(input, event), ...event.messages] };
      else yield "threadId" in event ? { ...event, ...ids } : event;
    }
  }

  /** Yield the events of a run, to the one that ends it. Throws `Refused`, `Dropped` after many failures in a row.
   * @param {string} threadId  @param {string} runId  @param {Watching} [options]  @returns {AsyncGenerator<NumberedEvent>} */
  async *watch(threadId, runId, options = {}) {
    const patience = new Patience(options.signal);
    this.#watched.set(patience, `${threadId} ${runId}`);
    try {
      yield* this.#read(threadId, runId, patience, options);
    } finally {
      this.#watched.delete(patience);
    }
  }

  /** @param {string} threadId  @param {string} runId  @param {Patience} patience  @param {Watching} options
   * @returns {AsyncGenerator<NumberedEvent>} */
  async *#read(threadId, runId, patience, { after = 0, profile, times, resumed, signal }) {
    const format = () => (profile === "snapshot" && after ? "agui" : profile);
    const query = () => ({ runId, ...(profile && { profile: format() }), ...(times && { times: "true" }), ...(this.#polls && { wait: POLL }) });
    const path = () => `${RUNS}/${threadId}/events?${new URLSearchParams(query())}`;
    // An empty response means that `after` ended the run, or that a proxy cut the stream: reading that event again tells.
    let again = 0;
    let connections = 0;
    for (;;) {
      let isEmpty = true;
      let failure;
      let isResumed = connections++ > 0 && after > 0 && !patience.rests;
      let snapshot = /** @type {number | null | undefined} */ (format() === "snapshot" ? undefined : null); // its number; it is asked for again until more came
      try {
        const cursor = after - again; // of the last event of a run, the answer is 204
        const headers = cursor > 0 ? { "Last-Event-ID": String(cursor) } : undefined;
        for await (const frame of this.#stream(path(), { headers }, signal)) {
          isEmpty = false;
          if (snapshot === null || after) patience.heard(frame);
          if (frame.data === undefined) continue;
          const event = JSON.parse(frame.data);
          if (CUT.has(event.code)) break;
          const id = Number(frame.id);
          if (snapshot !== null && (snapshot ??= id) === id) yield { id, event };
          else if (id > after) {
            if (isResumed) resumed?.(after);
            isResumed = false;
            yield { id: (after = id), event };
          }
          if (TERMINAL.has(event.type)) return;
        }
        if (isEmpty && after && !again) {
          again = 1;
          continue;
        }
        if (isEmpty || format() === "snapshot") failure = new Dropped("the stream ended before its first event");
      } catch (error) {
        failure = error;
      }
      if (!isEmpty) again = 0;
      await patience.wait(failure);
    }
  }

  /** The answer to a request that may be sent again, as it may have been lost.
   * @param {string} path  @param {RequestInit} request  @param {AbortSignal} [signal]  @returns {Promise<any>} */
  async #retried(path, request, signal) {
    for (const patience = new Patience(signal); ; ) {
      try {
        return await this.#answer(path, request, signal);
      } catch (error) {
        await patience.wait(error);
      }
    }
  }

  /** @param {string} path  @param {RequestInit} request  @param {AbortSignal} [signal]  @returns {Promise<any>} */
  async #answer(path, request, signal) {
    const limit = new Limit(signal);
    try {
      const response = await this.#ask(path, { ...request, signal: limit.signal });
      return response.status === 204 ? undefined : await response.json().catch(drop);
    } finally {
      limit.end();
    }
  }

  /** The frames of a stream, which breaks off where nothing comes for long. */
  async *#stream(/** @type {string} */ path, /** @type {RequestInit} */ request, /** @type {AbortSignal | undefined} */ signal) {
    const limit = new Limit(signal);
    try {
      const response = await this.#ask(path, { ...request, signal: limit.signal });
      this.#polls ||= response.body === undefined;
      for await (const frame of frames(response, limit.signal)) {
        limit.begin();
        yield frame;
      }
    } finally {
      limit.end();
    }
  }

  async #ask(/** @type {string} */ path, /** @type {RequestInit} */ request) {
    const { url, headers, token, fetch = globalThis.fetch } = this.service;
    let bearer = await token?.();
    for (let isFirst = true; ; isFirst = false) {
      const all = new Headers({ ...(bearer && { Authorization: `Bearer ${bearer}` }), ...request.headers });
      new Headers(headers).forEach((value, name) => all.has(name) || all.set(name, value));
      const response = await fetch(`${url}${path}`, { ...request, headers: all }).catch(drop);
      if (response.ok) return response;
      const refused = new Refused(response, await response.json().catch(() => ({})));
      if (response.status !== 401 || !isFirst || !token) throw refused;
      bearer = await token(bearer);
    }
  }
}

const unsupported = () =>
  new Refused(new Response(null, { status: 422 }), { code: "DEVICE_KIND_UNSUPPORTED", detail: "browsers get no notifications" });

/** The messages that only the client has. @param {any} input  @param {any} snapshot */
const instructions = ({ messages = [] }, snapshot) => {
  const ids = new Set(snapshot.messages.map((/** @type {any} */ message) => message.id));
  return messages.filter((/** @type {any} */ { role, id }) => ["system", "developer"].includes(role) && !ids.has(id));
};

const of = (/** @type {string | undefined} */ agent) => (agent ? `?agent=${encodeURIComponent(agent)}` : "");
const posted = (/** @type {object} */ body) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", Accept: "text/event-stream, application/json" },
});

/** A `fetch` for AG-UI clients that take one, such as TanStack AI's `fetchClient`: the stream of `/send-message` goes on through
 * lost connections. To abort it leaves the run alone.
 * @param {Omit<Service, "url">} [service]  @returns {typeof globalThis.fetch} */
export const resumableFetch = (service) => async (resource, init) => {
  if (!canStream()) throw new Error("This runtime's Response has no body stream. Use Yarrow or YarrowAgent, which poll.");
  const request = new Request(resource, init);
  const { href, searchParams } = new URL(request.url);
  const yarrow = new Yarrow({ url: href.split("/send-message")[0], headers: Object.fromEntries(request.headers), ...service });
  const left = new AbortController();
  const leave = () => left.abort(init?.signal?.reason);
  init?.signal?.addEventListener("abort", leave, { once: true });
  const options = { agent: searchParams.get("agent") ?? undefined, signal: left.signal };
  const events = yarrow.converse(await request.json(), options);
  try {
    const first = await events.next();
    const encoder = new TextEncoder();
    /** @type {(stream: ReadableStreamDefaultController, result: IteratorResult<unknown>) => void} */
    const put = (stream, { done, value }) =>
      done ? stream.close() : stream.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
    const frames = new ReadableStream({
      start: (stream) => put(stream, first),
      pull: async (stream) => put(stream, await events.next()),
      cancel: leave,
    });
    return new Response(frames, { headers: { "Content-Type": "text/event-stream" } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const headers = { "Content-Type": "application/problem+json" };
    return new Response(JSON.stringify(error.payload), { status: error.status, headers });
  }
};

/** Aborts a request after a silence, or with another signal. `AbortSignal.any` is lost in some engines when it is collected. */
class Limit {
  #connection = new AbortController();
  #leave = () => this.#connection.abort();
  constructor(/** @type {AbortSignal | undefined} */ outer) {
    this.outer = outer;
    this.signal = this.#connection.signal;
    outer?.addEventListener("abort", this.#leave);
    this.begin();
  }
  begin() {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.#leave, SILENCE);
  }
  end() {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.#leave);
    this.#leave();
  }
}

/** How long to wait before the next try, and whether there is one. */
class Patience {
  hasWaited = false;
  wake = () => {};
  #retry = FIRST_WAIT;
  #failures = 0;
  constructor(/** @type {AbortSignal | undefined} */ signal) {
    this.signal = signal;
    throwIfAborted(signal);
  }
  heard(/** @type {Frame} */ frame) {
    this.#failures = 0;
    this.#retry = frame.retry ?? this.#retry;
  }
  /** Whether the service has sent the client away until the run goes on. */
  get rests() {
    return this.#retry > FIRST_WAIT;
  }
  async wait(/** @type {any} */ error) {
    throwIfAborted(this.signal);
    this.hasWaited = true;
    const passes = error instanceof Dropped || PASSING.has(error?.status);
    if (error && (!passes || ++this.#failures > MOST_FAILURES)) throw error;
    const growing = Math.min(this.#retry * 2 ** Math.max(0, this.#failures - 1), LONGEST_WAIT);
    // Of many that were refused together, not all come back at the same moment.
    const delay = error?.wait ? Math.max(error.wait, growing) * (1 + Math.random() / 2) : growing * (0.5 + Math.random() / 2);
    await new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal?.removeEventListener("abort", done);
        resolve(null);
      };
      const timer = setTimeout((this.wake = done), delay);
      this.signal?.addEventListener("abort", done);
    });
    throwIfAborted(this.signal);
  }
}

/** As `AbortSignal.throwIfAborted`, which React Native lacks. */
function throwIfAborted(/** @type {AbortSignal | undefined} */ signal) {
  if (signal?.aborted) throw signal.reason ?? new Error("the operation was aborted");
}

/** The frames of a stream by their fields, of which a comment has none; one that nothing ends is dropped.
 * @param {Response} response  @param {AbortSignal} [signal]  @returns {AsyncGenerator<Frame>} */
export async function* frames(response, signal) {
  if (response.body === null) return; // 204
  const reader = response.body ? response.body.pipeThrough(new TextDecoderStream()).getReader() : whole(response);
  // The signal of a request may not reach a response whose request was collected.
  const leave = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", leave);
  /** @type {Frame | null} */
  let frame = null;
  for (let rest = "", isDone = Boolean(signal?.aborted); !isDone; ) {
    const { done, value } = await reader.read().catch(drop);
    isDone = done;
    rest += value ?? "";
    const lines = rest.split(done ? /\r\n|\r|\n/ : /\r\n|\r(?!$)|\n/); // a CR may be half of an end of line
    rest = /** @type {string} */ (lines.pop());
    if (rest.length > LONGEST_LINE) throw new Dropped("a line of the stream is too long");
    for (const line of lines) {
      if (line) frame = withField(frame ?? {}, line);
      else if (frame) yield frame;
      if (!line) frame = null;
    }
  }
}

/** Reads a response that has no stream, at its end. */
function whole(/** @type {Response} */ response) {
  let isRead = false;
  const read = async () => {
    const [done, value] = [isRead, isRead ? undefined : await response.text()];
    isRead = true;
    return { done, value };
  };
  return { read, cancel: async () => {} };
}

function withField(/** @type {Frame} */ frame, /** @type {string} */ line) {
  const [, name, value = ""] = /** @type {RegExpExecArray} */ (/^([^:]*)(?:: ?(.*))?$/s.exec(line));
  if (name === "data") frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
  else if (name === "event") frame.event = value;
  else if (name === "id" && !value.includes("\0")) frame.id = value;
  else if (name === "retry" && /^\d+$/.test(value)) frame.retry = Number(value);
  return frame;
}
