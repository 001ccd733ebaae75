/** Shows a run as it is stored: its waterfall and its events, over a connection that the user can cut or double, or of a file. */
import { html, useMemo, useState } from "../dom.js";
import { Copy } from "../copy.js";
import { Curl } from "../curl.js";
import { Again } from "../glass/again.js";
import { Choose } from "../glass/choose.js";
import { TwoStored, WithFile } from "../glass/comparison.js";
import { Fork, ForkedFrom } from "../glass/fork.js";
import { waterfallOf } from "../glass/lanes.js";
import { countOf, linesOf } from "../glass/lines.js";
import { GrantedTo, Refused, useInside } from "../glass/inside.js";
import { List } from "../glass/list.js";
import { Raised } from "../glass/raised.js";
import { agree, isEnd, isWhole, useReader } from "../glass/reader.js";
import { exported } from "../glass/run_file.js";
import { useSteps } from "../glass/steps.js";
import { Switch } from "../glass/switch.js";
import { Waterfall } from "../glass/waterfall.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { download, fileName, json } from "../save.js";
import { number, t } from "../words.js";

/** In an address: what follows is the run to compare with. */
const COMPARE = "compare";

/** The events and the waterfall, with the switches and actions that the run has besides. */
function Run({ threadId, runId, rows, steps, cuts = [], isEnded, fork, notForkable, inside, switches, actions, children }) {
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
    <div class="controls actions">
      ${actions}
      <button type="button" disabled=${!rows.length} title=${t("glass.export.what")} onClick=${save}>${t("glass.export")}</button>
    </div>
    <div class="controls">
      ${switches}
      <${Switch} isOn=${isFolded} set=${fold}>${t("glass.fold")}<//>
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
    ${fall && html`<${Waterfall} fall=${fall} go=${(id) => setWish({ id })} fork=${fork} notForkable=${notForkable} inside=${inside} />`}
  `;
}

/** A run that the service has. */
function Live({ api, threadId, runId }) {
  const [isConnected, connect] = useState(true);
  const [isDouble, double] = useState(false);
  const first = useReader(api, threadId, runId, isConnected);
  const second = useReader(api, threadId, runId, isDouble);
  const list = useSteps(api, threadId, runId, first.isEnded);
  const steps = list?.steps ?? null;
  const [chosen, fork] = useState(null);
  const told = useInside(api, threadId, runId, first.isEnded);
  const inside = told?.keepsContents ? { api, threadId, runId } : undefined;
  const [error, setError] = useState(null);
  const same = isDouble ? agree(first.rows, second.rows) : null;
  const status = first.isEnded ? "ended" : isConnected ? "open" : "cut";
  const switches = html`
    <${Switch} isOn=${isConnected} set=${connect}>${t("glass.line")}<//>
    <${Switch} isOn=${isDouble} set=${double}>${t("glass.double")}<//>
  `;
  const actions = html`
    <a href=${address("session", threadId)}>${t("glass.openSession")}</a>
    <${Copy} text=${location.href}>${t("glass.link")}<//>
    <a class="like-button" href=${address("glass", threadId, runId, COMPARE)}>${t("compare.with")}</a>
    <${Again} api=${api} threadId=${threadId} runId=${runId} failed=${setError} />
  `;
  return html`
    ${error && html`<${Problem} error=${error} />`}
    ${first.error && html`<${Problem} error=${first.error} retry=${() => (connect(false), setTimeout(() => connect(true)))} />`}
    ${list?.forkedFrom && html`<${ForkedFrom} from=${list.forkedFrom} />`}
    ${chosen && html`<${Fork} key=${chosen} api=${api} threadId=${threadId} runId=${runId} steps=${steps} id=${chosen} close=${() => fork(null)} failed=${setError} />`}
    <${Raised} exceptions=${told?.exceptions ?? []} />
    <${Run} threadId=${threadId} runId=${runId} rows=${first.rows} steps=${steps} cuts=${first.cuts} isEnded=${first.isEnded} fork=${first.isEnded && list && !list.notForkable ? fork : undefined} notForkable=${first.isEnded ? list?.notForkable : undefined} inside=${inside} switches=${switches} actions=${actions}>
      <span role="status" class=${`state ${status}`}>${t(`glass.${status}`)}</span>
      ${same !== null && html`<span>${t(same ? "glass.same" : "glass.differs", { count: number(second.rows.length) })}</span>`}
    <//>
    <${Refused} refusals=${told?.refusals} />
    <${GrantedTo} granted=${told?.granted} />
    <${Curl} url=${api.service.url} threadId=${threadId} runId=${runId} after=${first.rows.at(-1)?.id ?? 0} />
  `;
}

function Glass({ api, session, parts: [threadId, runId, isCompared, otherThread, otherRun] }) {
  const [file, show] = useState(null);
  const close = () => show(null);
  const first = { threadId, runId };
  if (isCompared === COMPARE && file) return html`<${WithFile} api=${api} first=${first} file=${file} close=${close} />`;
  if (isCompared === COMPARE && otherRun) return html`<${TwoStored} api=${api} first=${first} second=${{ threadId: otherThread, runId: otherRun }} />`;
  if (isCompared === COMPARE) {
    return html`<h1>${t("compare.heading")}</h1>
      <${Choose} api=${api} session=${session} threadId=${otherThread} base=${[threadId, runId, COMPARE]} lead=${t("compare.choose")} show=${show} />`;
  }
  if (file) {
    return html`<h1>${t("glass.heading")}</h1>
      <${Run} ...${file} isEnded=${true} actions=${html`<button type="button" onClick=${close}>${t("glass.close")}</button>`}>
        <span role="status" class="state ended">${t(isEnd(file.rows.at(-1)) ? "glass.ofFile" : "glass.ofPart")}</span>
      <//>`;
  }
  return html`
    <h1>${t("glass.heading")}</h1>
    ${
      runId
        ? html`<${Live} api=${api} threadId=${threadId} runId=${runId} />`
        : html`<${Choose} api=${api} session=${session} threadId=${threadId} lead=${t("glass.lead")} show=${show} />`
    }
  `;
}

export default { name: "glass", title: "glass.title", inNavigation: true, component: Glass };
