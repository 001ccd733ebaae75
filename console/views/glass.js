/** Shows a run's events as they are stored, over a connection that the user can cut or double. */
import { Component, html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../dom.js";
import { runOf } from "../api.js";
import { Copy } from "../copy.js";
import { Curl } from "../curl.js";
import { Problem } from "../problem.js";
import { Icon, about, agentsOf, sessionKind } from "../kinds.js";
import { address, go } from "../router.js";
import { number, time, t } from "../words.js";

const bytesOf = (event) => new TextEncoder().encode(JSON.stringify(event)).length;

/** One reader of the run, which resumes after its last event whenever it is connected. */
function useReader(api, threadId, runId, isConnected) {
  const [state, set] = useState({ rows: [], cuts: [], error: null, isEnded: false });
  const kept = useRef({ rows: [], cuts: [], error: null, isEnded: false });
  const started = useRef(false);
  useEffect(() => {
    const all = kept.current;
    if (!isConnected || all.isEnded) return undefined;
    const line = new AbortController();
    let frame = 0;
    const show = () => {
      frame = 0;
      set({ ...all, rows: [...all.rows] });
    };
    const after = all.rows.at(-1)?.id ?? 0;
    if (started.current) all.cuts = [...all.cuts, after];
    started.current = true;
    all.error = null;
    show();
    (async () => {
      try {
        for await (const { id, event } of api.watch(threadId, runId, { after, signal: line.signal })) {
          if (line.signal.aborted) return;
          all.rows.push({ id, event, at: Date.now(), bytes: bytesOf(event) });
          all.isEnded = event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
          frame ||= requestAnimationFrame(show);
          if (all.rows.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve)); // let the page breathe
        }
      } catch (error) {
        if (line.signal.aborted) return;
        all.error = error;
        frame ||= requestAnimationFrame(show);
      }
    })();
    return () => {
      line.abort();
      if (frame) {
        cancelAnimationFrame(frame);
        show();
      }
    };
  }, [api, threadId, runId, isConnected]);
  return state;
}

const Switch = ({ isOn, set, children }) =>
  html`<button type="button" role="switch" class="switch" aria-checked=${isOn ? "true" : "false"} onClick=${() => set(!isOn)}>
    <span class="track" aria-hidden="true"></span>${children}
  </button>`;

function Row({ row, wasCut }) {
  const [isOpen, open] = useState(false);
  return html`
    ${wasCut && html`<li class="cut">${t("glass.wentOn", { after: row.id - 1 })}</li>`}
    <li class="event">
      <button type="button" aria-expanded=${isOpen ? "true" : "false"} onClick=${() => open(!isOpen)}>
        <span class="id">${row.id}</span>
        <span class="type">${row.event.type}</span>
        <time datetime=${new Date(row.at).toISOString()}>${time(row.at, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23" })}</time>
        <span class="bytes">${number(row.bytes)} B</span>
      </button>
      ${isOpen && html`<pre tabindex="0" aria-label=${t("glass.json", { id: row.id })}><code>${JSON.stringify(row.event, null, 2)}</code></pre>`}
    </li>
  `;
}

const BLOCK = 100;
const ROW = 45; // pixels, as in style.css
const NEAR = "1500px";

const onSight = new Map();
const sight = new IntersectionObserver(
  (entries) => entries.forEach(({ target, isIntersecting }) => onSight.get(target)?.(isIntersecting)),
  { rootMargin: NEAR },
);

/** Renders a hundred rows only near the screen: a run may have tens of thousands. */
function Block({ rows, cuts, isFirst }) {
  const element = useRef(null);
  const height = useRef(null);
  const [isNear, come] = useState(isFirst);
  useEffect(() => {
    const list = element.current;
    onSight.set(list, (next) => {
      if (!next) height.current = list.offsetHeight; // some rows may be open
      come(next);
    });
    sight.observe(list);
    return () => {
      sight.unobserve(list);
      onSight.delete(list);
    };
  }, []);
  useLayoutEffect(() => {
    element.current.style.height = isNear ? "" : `${height.current ?? rows.length * ROW}px`;
  }, [isNear, rows.length]);
  return html`<ol class="block" ref=${element}>
    ${isNear && rows.map((row) => html`<${Row} key=${row.id} row=${row} wasCut=${cuts.includes(row.id - 1)} />`)}
  </ol>`;
}

/** Renders again only when a row is added. */
class Rows extends Component {
  shouldComponentUpdate({ rows, cuts }) {
    return rows.length !== this.props.rows.length || cuts !== this.props.cuts;
  }
  render(props) {
    return html`<${Block} ...${props} />`;
  }
}

const inBlocks = (rows) =>
  Array.from({ length: Math.ceil(rows.length / BLOCK) }, (_, index) => rows.slice(index * BLOCK, (index + 1) * BLOCK));

/** Whether both readers have the same events, as far as both have come; null without a second. */
function agree(first, second) {
  if (!second.length) return null;
  const shared = Math.min(first.length, second.length);
  return first.slice(0, shared).every((row, index) => row.id === second[index].id && row.bytes === second[index].bytes);
}

const isWhole = (rows) => rows.every((row, index) => row.id === index + 1);

function Events({ api, threadId, runId }) {
  const [isConnected, connect] = useState(true);
  const [isDouble, double] = useState(false);
  const [filter, setFilter] = useState("");
  const first = useReader(api, threadId, runId, isConnected);
  const second = useReader(api, threadId, runId, isDouble);
  const same = isDouble ? agree(first.rows, second.rows) : null;
  const last = first.rows.at(-1)?.id ?? 0;
  const wanted = filter.trim().toLowerCase();
  const rows = useMemo(
    () => (wanted ? first.rows.filter(({ event }) => JSON.stringify(event).toLowerCase().includes(wanted)) : first.rows),
    [first.rows, wanted],
  );
  const total = first.rows.reduce((sum, row) => sum + row.bytes, 0);
  const status = first.isEnded ? "ended" : isConnected ? "open" : "cut";
  return html`
    <p class="fine ids"><code>${threadId}</code> <code>${runId}</code></p>
    <div class="controls">
      <${Switch} isOn=${isConnected} set=${connect}>${t("glass.line")}<//>
      <${Switch} isOn=${isDouble} set=${double}>${t("glass.double")}<//>
      <a href=${address("reading", threadId, ...(first.isEnded ? [] : [runId]))}>${t("glass.reading")}</a>
      <${Copy} text=${location.href}>${t("glass.link")}<//>
      <label class="filter">
        <span class="hidden">${t("glass.filter")}</span>
        <input type="search" placeholder=${t("glass.filter")} value=${filter} onInput=${(event) => setFilter(event.target.value)} />
      </label>
    </div>
    <p class="summary">
      <span role="status" class=${`state ${status}`}>${t(`glass.${status}`)}</span>
      <span>${t("glass.count", { count: number(first.rows.length), bytes: number(total) })}</span>
      ${wanted && html`<span role="status">${t("glass.filtered", { count: number(rows.length) })}</span>`}
      ${first.rows.length > 0 && html`<span>${t(isWhole(first.rows) ? "glass.whole" : "glass.gap")}</span>`}
      ${same !== null && html`<span>${t(same ? "glass.same" : "glass.differs", { count: number(second.rows.length) })}</span>`}
    </p>
    ${first.error && html`<${Problem} error=${first.error} retry=${() => (connect(false), setTimeout(() => connect(true)))} />`}
    ${
      rows.length > 0 &&
      html`<div class="columns-of-events" aria-hidden="true">
        <span class="id">${t("glass.number")}</span><span>${t("glass.type")}</span><span>${t("glass.time")}</span><span class="bytes">${t("glass.bytes")}</span>
      </div>`
    }
    <section class="events" aria-label=${t("glass.events")}>
      ${inBlocks(rows).map((block, index) => html`<${Rows} key=${`${index} ${wanted}`} rows=${block} cuts=${first.cuts} isFirst=${index === 0} />`)}
    </section>
    <${Curl} url=${api.service.url} threadId=${threadId} runId=${runId} after=${last} />
  `;
}

/** Chooses a run by its ids, or from the latest sessions. */
function Choose({ api, session, threadId }) {
  const [runs, set] = useState(null);
  const [error, setError] = useState(null);
  const load = async (leaving = new AbortController()) => {
    setError(null);
    try {
      if (threadId) {
        const { messages } = await api.history(threadId);
        const found = messages.filter((each) => each.role === "user" && runOf(each.id));
        set(found.map((each) => ({ parts: [threadId, runOf(each.id)], title: each.content, at: each.timestamp })));
      } else {
        const [{ messages }, agents] = await Promise.all([api.sessions(), agentsOf(api)]);
        const entries = messages.map((each) => ({
          parts: [each.threadId],
          title: each.agent_output?.divination_derived?.question ?? each.content,
          at: each.timestamp,
        }));
        set(entries);
        for (const [index, { agent, agent_output: output, threadId }] of messages.entries()) {
          if ((output?.divination_derived && !agents.get(agent)?.taskName) || leaving.signal.aborted) continue;
          const found = about(await api.history(threadId, leaving.signal));
          const { kind, name } = sessionKind(found, agents, session.config);
          entries[index] = { ...entries[index], title: found.title ?? name, kind, name };
          set([...entries]);
        }
      }
    } catch (caught) {
      if (!leaving.signal.aborted) setError(caught);
    }
  };
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving);
    return () => leaving.abort();
  }, [threadId]);
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    go("glass", String(form.get("thread")).trim(), String(form.get("run")).trim());
  };
  return html`
    <p class="lead">${t("glass.lead")}</p>
    ${error && html`<${Problem} error=${error} retry=${() => load()} />`}
    ${
      runs?.length > 0 &&
      html`<h2>${t(threadId ? "glass.runs" : "glass.sessions")}</h2>
        <ul class="sessions">
          ${runs.map(
            (each) => html`<li class="entry">
              <a href=${address("glass", ...each.parts)}>
                <span class="about">
                  <span class="title">${each.title.slice(0, 200)}</span>
                  <span class="fine">
                    ${each.kind && html`<${Icon} kind=${each.kind} />${each.name}${" · "}`}
                    <time datetime=${each.at}>${time(each.at, { dateStyle: "medium", timeStyle: "short" })}</time>
                  </span>
                </span>
              </a>
            </li>`,
          )}
        </ul>`
    }
    ${runs?.length === 0 && threadId && html`<p class="empty">${t("glass.noRuns")} <a href=${address("session", threadId)}>${t("glass.openSession")}</a></p>`}
    <h2>${t("glass.byIds")}</h2>
    <form class="ids" onSubmit=${submit}>
      <label>${t("glass.thread")}<input name="thread" required maxlength="64" value=${threadId ?? ""} autocomplete="off" /></label>
      <label>${t("glass.run")}<input name="run" required maxlength="128" autocomplete="off" /></label>
      <button class="primary">${t("glass.watch")}</button>
    </form>
  `;
}

function Glass({ api, session, parts: [threadId, runId] }) {
  return html`
    <h1>${t("glass.heading")}</h1>
    ${runId ? html`<${Events} api=${api} threadId=${threadId} runId=${runId} />` : html`<${Choose} api=${api} session=${session} threadId=${threadId} />`}
  `;
}

export default { name: "glass", title: "glass.title", inNavigation: true, component: Glass };
