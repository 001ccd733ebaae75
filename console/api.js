/** Calls the service for the views: runs by `yarrow.js`, sessions over HTTP. */
import { Dropped, Refused, Yarrow } from "./yarrow.js";

export { Dropped, Refused };

const LONGEST = 30_000; // milliseconds

export class Api extends Yarrow {
  /** The sessions' latest answers, the most recently active first, after `after`. */
  sessions(after, signal) {
    const query = new URLSearchParams({ session_limit: "20", ...(after && { after_thread: after }) });
    return this.#json(`/api/v1/agent/history?${query}`, { signal });
  }

  /** All messages of a session. */
  history(threadId, signal, { ui } = {}) {
    return this.#json(`/api/v1/agent/history?${new URLSearchParams({ threadId, ...(ui && { ui }) })}`, { signal });
  }

  /** Delete a session; `keepalive` lets the request outlive the page. */
  async deleteSession(threadId, { keepalive = false } = {}) {
    await this.#fetch(`/api/v1/agent/sessions/${encodeURIComponent(threadId)}`, { method: "DELETE", keepalive });
  }

  /** Ask a follow-up in a session. The route accepts plain text. */
  ask(threadId, runId, text) {
    return this.talk({ threadId, runId, messages: [{ id: messageId(runId), role: "user", content: text }] });
  }

  /** Submit a run as AG-UI clients do. Its events are then watched like any run's. */
  async talk(input, agent) {
    const left = new AbortController();
    const body = JSON.stringify({ state: {}, tools: [], context: [], forwardedProps: {}, ...input });
    const headers = { "Content-Type": "application/json" };
    const query = agent ? `?${new URLSearchParams({ agent })}` : "";
    await this.#fetch(`/send-message${query}`, { method: "POST", body, headers, signal: left.signal });
    left.abort();
  }

  /** Send a request with a timeout; returns the response, or throws its problem. */
  async request(path, { signal, json, headers, ...request } = {}) {
    const limit = AbortSignal.timeout(LONGEST);
    const typed = json === undefined ? {} : { "Content-Type": "application/json" };
    const body = json === undefined ? undefined : JSON.stringify(json);
    const limited = AbortSignal.any([limit, ...(signal ? [signal] : [])]);
    try {
      return await this.#fetch(path, { ...request, body, headers: { ...typed, ...headers }, signal: limited });
    } catch (error) {
      throw limit.aborted && !signal?.aborted ? new Dropped("no answer in time", { cause: error }) : error;
    }
  }

  /** Upload a file; the answer has its `attachment`. */
  upload(threadId, file) {
    const body = new FormData();
    body.append("threadId", threadId);
    body.append("file", file);
    return this.#json("/api/v1/agent/attachments", { method: "POST", body });
  }

  /** Return the transcript of a recording. */
  async transcribe(recording) {
    const body = new FormData();
    body.append("audio", recording, "voice.wav");
    return (await this.#json("/api/v1/agent/transcribe", { method: "POST", body })).transcript;
  }

  async #json(path, request) {
    return (await this.#fetch(path, request)).json();
  }

  async #fetch(path, request) {
    let token = await this.service.token();
    for (let isFirst = true; ; isFirst = false) {
      const headers = { ...request.headers, Authorization: `Bearer ${token}` };
      const response = await fetch(this.service.url + path, { ...request, headers }).catch((cause) => {
        throw request.signal?.aborted ? cause : new Dropped("the connection was lost", { cause });
      });
      if (response.ok) return response;
      const problem = await response.json().catch(() => ({}));
      const refused = Object.assign(new Refused(response, problem), { params: problem.params });
      if (response.status !== 401 || !isFirst) throw refused;
      token = await this.service.token(token);
    }
  }
}

/** The id of the message that starts a run, by which the history tells the run; those of workspaces have their own. */
export const messageId = (runId) => `msg_${runId}_user_0`;
export const runOf = (id) => /^msg_(.+)_user_0$/.exec(id)?.[1] ?? /^message-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(id)?.[1];
