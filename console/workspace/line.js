/**
 * Connects to a workspace by WebSocket with a new ticket, and reconnects with growing delays up to a limit.
 *
 * After each connect the service sends the whole state, so that nothing is requested twice.
 */
import { Dropped } from "../api.js";
import { currentLanguage } from "../words.js";

const FIRST_WAIT = 1_000; // milliseconds
const LONGEST_WAIT = 20_000;
const MOST_FAILURES = 8;
const OPENING = 15_000;
const BEAT = 60_000; // API Gateway closes after 10 minutes without a frame
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

export class Line {
  #socket = null;
  #failures = 0;
  #timer = 0;
  #beat = 0;
  #isClosed = false;
  #hasOpened = false;

  /** `told` gets each frame, `changed` the state: connecting, open, waiting or cut, with the error that cut it. */
  constructor(api, taskName, { told, changed }) {
    Object.assign(this, { api, taskName, told, changed });
    this.online = () => this.#failures && this.connect();
    addEventListener("online", this.online);
    this.connect();
  }

  /** Connect now, without waiting. */
  async connect() {
    if (this.#isClosed || this.#socket) return;
    clearTimeout(this.#timer);
    const mine = (this.#socket = {}); // reserved while the ticket is requested
    this.changed(this.#hasOpened ? "waiting" : "connecting");
    try {
      const asked = { method: "POST", json: { taskName: this.taskName } };
      const { url } = await (await this.api.request("/api/v1/workspace/tickets", asked)).json();
      if (this.#isClosed || this.#socket !== mine) return;
      this.#open(url);
    } catch (error) {
      if (this.#socket === mine) this.#broke(error);
    }
  }

  #open(url) {
    const socket = (this.#socket = new WebSocket(url));
    const limit = setTimeout(() => socket.close(), OPENING);
    socket.onopen = () => {
      clearTimeout(limit);
      this.#hasOpened = true;
      this.#beat = setInterval(() => this.#send({ type: "heart_beat" }), BEAT);
      this.changed("open");
      this.send("agent_init");
    };
    socket.onmessage = ({ data }) => {
      this.#failures = 0;
      const frame = read(data);
      if (frame) this.told(frame);
    };
    socket.onclose = () => {
      clearTimeout(limit);
      clearInterval(this.#beat);
      if (this.#socket === socket) this.#broke(new Dropped("the line to the workspace broke"));
    };
  }

  #broke(error) {
    this.#socket = null;
    if (this.#isClosed) return;
    const passes = error instanceof Dropped || PASSING.has(error.status);
    if (!passes || ++this.#failures > MOST_FAILURES) {
      this.#failures = 0;
      this.changed("cut", error);
      return;
    }
    this.changed("waiting");
    const wait = Math.min(FIRST_WAIT * 2 ** (this.#failures - 1), LONGEST_WAIT);
    this.#timer = setTimeout(() => this.connect(), error.wait || wait * (0.5 + Math.random() / 2));
  }

  /** Return whether the command was sent; its effects arrive in frames. */
  send(type, payload = {}) {
    return this.#send({ type, taskName: this.taskName, payload: { ...payload, language: currentLanguage() } });
  }

  #send(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  close() {
    this.#isClosed = true;
    removeEventListener("online", this.online);
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    this.#socket?.close?.();
  }
}

/** Parse a frame; null if it is invalid. */
function read(data) {
  try {
    const frame = JSON.parse(data);
    return typeof frame?.type === "string" ? frame : null;
  } catch {
    return null;
  }
}
