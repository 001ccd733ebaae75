/** Shows a run as it is stored: its waterfall and its events, over a connection that the user can cut or double, or of a file. */
import { html, useEffect, useMemo, useState } from "../dom.js";
import { Copy } from "../copy.js";
import { Curl } from "../curl.js";
import { Choose } from "../glass/choose.js";
import { waterfallOf } from "../glass/lanes.js";
import { countOf, linesOf } from "../glass/lines.js";
import { List } from "../glass/list.js";
import { agree, isEnd, isWhole, useReader } from "../glass/reader.js";
import { exported } from "../glass/run_file.js";
import { Waterfall } from "../glass/waterfall.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { download, fileName, json } from "../save.js";
import { number, t } from "../words.js";

const Switch = ({ isOn, set, children }) =>
  html`<button type="button" role="switch" class="switch" aria-checked=${isOn ? "true" : "false"} onClick=${() => set(!isOn)}>
    <span class="track" aria-hidden="true"></span>${children}
  </button>`;

/** The run's steps: read when it is opened and when it has ended; null before that, and where they cannot be read. */
function useSteps(api, threadId, runId, isEnded) {
  const [steps, set] = useState(null);
  useEffect(() => {
    const leaving = new AbortController();
    const path = `/api/v1/agent/runs/${encodeURIComponent(threadId)}/steps?${new URLSearchParams({ runId })}`;
    api.request(path, { signal: leaving.signal }).then(
      async (response) => set((await response.json()).steps),
      () => {}, // the events are shown without them
    );
    return () => leaving.abort();
  }, [threadId, runId, isEnded]);
  return steps;
}

/** The events and the waterfall, with the switches and actions that the run has besides. */
function Run({ threadId, runId, rows, steps, cuts = [], isEnded, switches, actions, children }) {
  const [filter, setFilter] = useState("");
  const [isFolded, fold] = useState(true);
  const [wish, setWish] = useState(null);
  const wanted = filter.trim().toLowerCase();
  const lines = useMemo(() => linesOf(rows, cuts, { isFolded, wanted }), [rows, cuts, isFolded, wanted]);
  const fall = useMemo(() => waterfallOf(rows, steps ?? [], { isEnded, now: Date.now() }), [rows, steps, isEnded]);
  const total = rows.reduce((sum, row) => sum + row.bytes, 0);
  const save = () => download(json(exported({ threadId, runId, rows, steps })), fileName(`run-${runId}`, "json"));
  return html`
    <p class="fine ids"><code>${threadId}</code> <code>${runId}</code></p>
    <div class="controls">
      ${switches}
      <${Switch} isOn=${isFolded} set=${fold}>${t("glass.fold")}<//>
      ${actions}
      <button type="button" disabled=${!rows.length} title=${t("glass.export.what")} onClick=${save}>${t("glass.export")}</button>
      <label class="filter">
        <span class="hidden">${t("glass.filter")}</span>
        <input type="search" placeholder=${t("glass.filter")} value=${filter} onInput=${(event) => setFilter(event.target.value)} />
      </label>
    </div>
    <p class="summary">
      ${children}
      <span>${t("glass.count", { count: number(rows.length), bytes: number(total) })}</span>
      ${wanted && html`<span role="status">${t("glass.filtered", { count: number(countOf(lines)) })}</span>`}
      ${rows.length > 0 && html`<span>${t(isWhole(rows) ? "glass.whole" : "glass.gap")}</span>`}
    </p>
    ${lines.length > 0 && html`<${List} key=${wanted} lines=${lines} isLive=${!isEnded && !wanted} wish=${wish} />`}
    ${fall && html`<${Waterfall} fall=${fall} go=${(id) => setWish({ id })} />`}
  `;
}

/** A run that the service has. */
function Live({ api, threadId, runId }) {
  const [isConnected, connect] = useState(true);
  const [isDouble, double] = useState(false);
  const first = useReader(api, threadId, runId, isConnected);
  const second = useReader(api, threadId, runId, isDouble);
  const steps = useSteps(api, threadId, runId, first.isEnded);
  const same = isDouble ? agree(first.rows, second.rows) : null;
  const status = first.isEnded ? "ended" : isConnected ? "open" : "cut";
  const switches = html`
    <${Switch} isOn=${isConnected} set=${connect}>${t("glass.line")}<//>
    <${Switch} isOn=${isDouble} set=${double}>${t("glass.double")}<//>
  `;
  const actions = html`
    <a href=${address("session", threadId)}>${t("glass.openSession")}</a>
    <${Copy} text=${location.href}>${t("glass.link")}<//>
  `;
  return html`
    ${first.error && html`<${Problem} error=${first.error} retry=${() => (connect(false), setTimeout(() => connect(true)))} />`}
    <${Run} threadId=${threadId} runId=${runId} rows=${first.rows} steps=${steps} cuts=${first.cuts} isEnded=${first.isEnded} switches=${switches} actions=${actions}>
      <span role="status" class=${`state ${status}`}>${t(`glass.${status}`)}</span>
      ${same !== null && html`<span>${t(same ? "glass.same" : "glass.differs", { count: number(second.rows.length) })}</span>`}
    <//>
    <${Curl} url=${api.service.url} threadId=${threadId} runId=${runId} after=${first.rows.at(-1)?.id ?? 0} />
  `;
}

function Glass({ api, session, parts: [threadId, runId] }) {
  const [file, show] = useState(null);
  if (file) {
    const close = html`<button type="button" onClick=${() => show(null)}>${t("glass.close")}</button>`;
    return html`<h1>${t("glass.heading")}</h1>
      <${Run} ...${file} isEnded=${true} actions=${close}>
        <span role="status" class="state ended">${t(isEnd(file.rows.at(-1)) ? "glass.ofFile" : "glass.ofPart")}</span>
      <//>`;
  }
  return html`
    <h1>${t("glass.heading")}</h1>
    ${
      runId
        ? html`<${Live} api=${api} threadId=${threadId} runId=${runId} />`
        : html`<${Choose} api=${api} session=${session} threadId=${threadId} show=${show} />`
    }
  `;
}

export default { name: "glass", title: "glass.title", inNavigation: true, component: Glass };
