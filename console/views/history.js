/** Lists the sessions, the most recently active first; searches loaded ones, opens, deletes and exports. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { agentsByName } from "../agents.js";
import { Icon, Kind, about, sessionKind, opened } from "../kinds.js";
import { address } from "../router.js";
import { download, json } from "../save.js";
import { number, time, t } from "../words.js";
import { Seal } from "./reading.js";

const MOST = 500;
const UNDO = 8_000; // milliseconds

/** What the sessions' histories tell; the list has only the latest answer of each. */
const known = new Map();

/** Whether the list alone tells what a session is: a reading, with an agent that has no workspace. */
const isPlain = (message, agents) => message.agent_output?.divination_derived && !agents.get(message.agent)?.taskName;

function shownOf(message, agents, config) {
  const kept = known.get(message.threadId);
  const output = message.agent_output?.divination_derived ? message.agent_output : kept?.output;
  const divination = output?.divination_derived;
  const isTold = kept ?? (agents && isPlain(message, agents));
  const kind = isTold && sessionKind({ ...kept, output, agent: message.agent }, agents, config);
  // A follow-up comes without its cast, and a workspace may have begun with its agent's words.
  const title = divination?.question ?? (kept ? (kept.title ?? (kind.name || kind.title)) : message.content.slice(0, 200));
  return { output, divination, kind, title, address: kind ? opened(kind, message.threadId) : address("session", message.threadId) };
}

/** Whether a session has all words of a search. */
function has(message, { title, divination, kind }, words) {
  const text = [title, kind?.title, kind?.name, divination?.guaName, divination?.guaNameHant, message.content].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Sessions to delete unless the user undoes it in time; the rest is deleted when the view is left. */
class Deletions {
  #waiting = new Map();
  constructor(api, failed) {
    [this.api, this.failed] = [api, failed];
    this.flush = () => [...this.#waiting.keys()].forEach((each) => this.#do(each, true));
    addEventListener("pagehide", this.flush);
  }
  add(threadId) {
    this.#waiting.set(threadId, setTimeout(() => this.#do(threadId), UNDO));
  }
  undo(threadId) {
    clearTimeout(this.#waiting.get(threadId));
    return this.#waiting.delete(threadId);
  }
  close() {
    removeEventListener("pagehide", this.flush);
    this.flush();
  }
  #do(threadId, isLeaving = false) {
    if (this.undo(threadId)) this.api.deleteSession(threadId, { keepalive: isLeaving }).catch((error) => this.failed(threadId, error));
  }
}

function Entry({ message, shown, remove }) {
  const { output, kind, title } = shown;
  return html`<li class="entry">
    <a href=${shown.address}>
      ${output?.sign_level ? html`<${Seal} level=${output.sign_level} />` : html`<span class="seal none" aria-hidden="true">${kind && html`<${Icon} kind=${kind.kind} />`}</span>`}
      <span class="about">
        <span class="title">${title}</span>
        <span class="fine">
          ${kind && html`<${Kind} kind=${kind} beside=${title} /><span class="between">${" · "}</span>`}
          <time datetime=${message.timestamp}>${time(message.timestamp, { dateStyle: "medium", timeStyle: "short" })}</time>
          ${message.interrupt?.status === "open" && html`${" · "}<b>${t("inbox.state.open")}</b>`}
        </span>
      </span>
    </a>
    <button type="button" class="quiet" aria-label=${t("history.delete.what", { title })} onClick=${remove}>${t("history.delete")}</button>
  </li>`;
}

function History({ api, session }) {
  const [messages, set] = useState(null);
  const [agents, setAgents] = useState(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState(null);
  const [search, find] = useState("");
  const [gone, setGone] = useState([]);
  const [offered, offer] = useState([]);
  const [busy, setBusy] = useState(false);
  const deletions = useRef(null);
  const leaving = useRef(new AbortController());
  const load = async (after) => {
    try {
      const [page, found] = await Promise.all([api.sessions(after), agentsByName(api)]);
      setAgents(found);
      set((before) => [...(after ? (before ?? []) : []), ...page.messages]);
      setMore(page.hasMore);
      setError(null);
      for (const message of page.messages) {
        const { threadId } = message;
        if (isPlain(message, found) || known.has(threadId)) continue;
        known.set(threadId, about(await api.history(threadId, leaving.current.signal)));
        set((before) => [...before]);
      }
    } catch (caught) {
      if (!leaving.current.signal.aborted) setError(caught);
    }
  };
  const bringBack = (threads) => setGone((before) => before.filter((each) => !threads.includes(each)));
  useEffect(() => {
    load();
    deletions.current = new Deletions(api, (threadId, failure) => {
      bringBack([threadId]);
      setError(failure);
    });
    return () => {
      leaving.current.abort();
      deletions.current.close();
    };
  }, []);
  useEffect(() => {
    const timer = offered.length ? setTimeout(() => offer([]), UNDO) : 0;
    return () => clearTimeout(timer);
  }, [offered]);
  const remove = (threadId) => {
    deletions.current.add(threadId);
    setGone((before) => [...before, threadId]);
    offer((before) => [...before, threadId]);
  };
  const undo = () => {
    bringBack(offered.filter((each) => deletions.current.undo(each)));
    offer([]);
  };
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const there = messages?.filter((each) => !gone.includes(each.threadId));
  const told = new Map(there?.map((each) => [each, shownOf(each, agents, session.config)]));
  const shown = there?.filter((each) => has(each, told.get(each), words));
  const save = async () => {
    setBusy(true);
    try {
      const sessions = [];
      for (const { threadId } of shown) {
        sessions.push({ threadId, ...(await api.history(threadId, leaving.current.signal)) });
      }
      download(json({ sessions }), "yarrow.json");
    } catch (caught) {
      if (!leaving.current.signal.aborted) setError(caught);
    }
    setBusy(false);
  };
  return html`
    <h1>${t("history.heading")}</h1>
    ${error && html`<${Problem} error=${error} retry=${() => load()} />`}
    ${messages === null && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${there?.length === 0 && !more && html`<p class="empty">${t("history.empty")} <a href=${address("cast")}>${t("history.cast")}</a></p>`}
    ${
      there?.length > 0 &&
      html`<div class="searching">
        <label>
          <span class="hidden">${t("history.search")}</span>
          <input type="search" placeholder=${t("history.search")} value=${search} onInput=${(event) => find(event.target.value)} />
        </label>
        <button type="button" class="quiet" disabled=${busy || !shown.length} onClick=${save}>${t(busy ? "history.exporting" : "history.export")}</button>
      </div>`
    }
    <p class="fine" role="status">
      ${words.length > 0 && shown && t("history.found", { count: number(shown.length), all: number(there.length) })}
    </p>
    <ul class="sessions">
      ${shown?.map((each) => html`<${Entry} key=${each.threadId} message=${each} shown=${told.get(each)} remove=${() => remove(each.threadId)} />`)}
    </ul>
    ${more && messages.length < MOST && html`<button type="button" onClick=${() => load(messages.at(-1).threadId)}>${t("history.more")}</button>`}
    <div class="offer" role="status">
      ${
        offered.length > 0 &&
        html`<p>
          <span>${t("history.deleted", { count: number(offered.length) })}</span>
          <button type="button" onClick=${undo}>${t("history.undo")}</button>
        </p>`
      }
    </div>
  `;
}

export default { name: "history", title: "history.title", inNavigation: true, component: History };
