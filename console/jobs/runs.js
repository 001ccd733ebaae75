/** Lists a job's past runs and skipped slots, latest first; polls while one is active. */
import { html, useEffect, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { t, time } from "../words.js";
import { listRuns } from "./jobs_api.js";

const ACTIVE = new Set(["starting", "queued", "running"]);
const NONE = new Set(["waiting", "skipped", "refused"]);
const EVERY = 2_000; // milliseconds
const MOST = 300;

function Run({ run }) {
  const what = html`
    <time datetime=${run.due_at}>${time(run.due_at, { dateStyle: "medium", timeStyle: "short" })}</time>${" "}
    <span class="fine">${t(run.slot === null ? "jobs.run.asked" : "jobs.run.due")}</span>
  `;
  return html`<li class="job-run">
    ${
      NONE.has(run.status)
        ? html`<span class="what">${what}</span>`
        : html`<a class="what" href=${address("talk", run.thread_id, run.run_id)}>${what}</a>`
    }
    <span class=${`standing ${run.status}`}>${t(`jobs.run.${run.status}`)}${run.reason && html` <code>${run.reason}</code>`}</span>
    ${!NONE.has(run.status) && html`<a class="glass-link fine" href=${address("glass", run.thread_id, run.run_id)}>${t("jobs.run.glass")}</a>`}
  </li>`;
}

/** `asked` changes when a run was requested. */
export function Runs({ api, id, asked }) {
  const [runs, set] = useState(null);
  const [cursor, setCursor] = useState(null);
  const [error, setError] = useState(null);
  const [tries, again] = useState(0);
  const isActive = runs?.some((run) => ACTIVE.has(run.status));
  useEffect(() => {
    const leaving = new AbortController();
    let timer = 0;
    let left = MOST;
    const load = async () => {
      try {
        const page = await listRuns(api, id, null, leaving.signal);
        set((before) => [...page.runs, ...(before ?? []).filter((run) => run.due_at < (page.runs.at(-1)?.due_at ?? ""))]);
        setCursor((before) => (tries || before === null ? page.next_cursor : before));
        setError(null);
        if (page.runs.some((run) => ACTIVE.has(run.status)) && --left) timer = setTimeout(load, EVERY);
      } catch (caught) {
        if (!leaving.signal.aborted) setError(caught);
      }
    };
    load();
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [api, id, asked, tries]);
  const more = async () => {
    try {
      const page = await listRuns(api, id, cursor);
      set((before) => [...before, ...page.runs.filter((run) => !before.some((each) => each.run_id === run.run_id))]);
      setCursor(page.next_cursor);
    } catch (caught) {
      setError(caught);
    }
  };
  return html`<section class="job-runs" aria-labelledby="runs-heading">
    <h2 id="runs-heading">${t("jobs.runs")}</h2>
    ${error && html`<${Problem} error=${error} retry=${() => again((count) => count + 1)} />`}
    ${runs === null && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${runs?.length === 0 && html`<p class="empty">${t("jobs.runs.none")}</p>`}
    <p class="hidden" role="status">${isActive && t("jobs.run.running")}</p>
    <ol class="list">${runs?.map((run) => html`<${Run} key=${run.run_id} run=${run} />`)}</ol>
    ${cursor && html`<button type="button" onClick=${more}>${t("jobs.runs.more")}</button>`}
  </section>`;
}
