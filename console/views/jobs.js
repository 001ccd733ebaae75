/** Shows automation jobs: all of them, one with its past runs, or a new one. */
import { Confirm } from "../confirm.js";
import { html, useEffect, useRef, useState } from "../dom.js";
import { JobForm } from "../jobs/form.js";
import { changeJob, createJob, deleteJob, listJobs, newRunId, readJob, runJob } from "../jobs/jobs_api.js";
import { Runs } from "../jobs/runs.js";
import { State, inWords, moment, nameOf } from "../jobs/schedule.js";
import { Problem } from "../problem.js";
import { address, go } from "../router.js";
import { t, time } from "../words.js";

const NEW = "new";

function When({ job }) {
  return html`<span class="fine">
    ${inWords(job.schedule)} · ${job.timezone}<br />
    ${job.next_run_at ? html`${t("jobs.next")}${t("colon")}<time datetime=${job.next_run_at}>${moment(job.next_run_at, job.timezone)}</time>` : t(job.status === "active" ? "jobs.next.ended" : "jobs.next.none")}
  </span>`;
}

function List({ api }) {
  const [jobs, set] = useState(null);
  const [error, setError] = useState(null);
  const [tries, again] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    listJobs(api, leaving.signal).then(
      (found) => (set(found), setError(null)),
      (caught) => leaving.signal.aborted || setError(caught),
    );
    return () => leaving.abort();
  }, [tries]);
  return html`
    <h1>${t("jobs.heading")}</h1>
    <p class="lead">${t("jobs.lead")}</p>
    ${error && html`<${Problem} error=${error} retry=${() => again((count) => count + 1)} />`}
    ${jobs === null && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${jobs?.length === 0 && html`<p class="empty">${t("jobs.empty")}</p>`}
    ${jobs !== null && html`<p><a class="button" href=${address("jobs", NEW)}>${t("jobs.new")}</a></p>`}
    <ul class="list">
      ${jobs?.map(
        (job) => html`<li key=${job.id} class="job">
          <a href=${address("jobs", job.id)}><span class="title">${nameOf(job)}</span><${When} job=${job} /></a>
          <${State} job=${job} />
        </li>`,
      )}
    </ul>
  `;
}

function One({ api, id }) {
  const [read, set] = useState(null);
  const [error, setError] = useState(null);
  const [doing, setDoing] = useState(null);
  const [isEditing, edit] = useState(false);
  const [isDeleting, askToDelete] = useState(false);
  const [asked, setAsked] = useState(0);
  const [told, tell] = useState("");
  const runId = useRef(null);
  const load = async () => {
    try {
      set(await readJob(api, id));
      setError(null);
      edit(false);
    } catch (caught) {
      setError(caught);
    }
  };
  useEffect(() => void load(), []);
  /** Run one action at a time; an error changes nothing. */
  const act = (name, action) => async () => {
    setDoing(name);
    setError(null);
    tell("");
    try {
      await action();
    } catch (caught) {
      setError(caught);
    }
    setDoing(null);
  };
  const job = read?.job;
  const isActive = job?.status === "active";
  const turn = act("turn", async () => {
    set(await changeJob(api, id, read.etag, { status: isActive ? "disabled" : "active" }));
    tell(t(isActive ? "jobs.told.paused" : "jobs.told.resumed"));
  });
  const run = act("run", async () => {
    runId.current ??= newRunId(id); // asked again after a lost answer, it is the same run
    await runJob(api, id, runId.current);
    runId.current = null;
    setAsked((count) => count + 1);
    tell(t("jobs.told.running"));
  });
  const remove = act("delete", async () => {
    askToDelete(false);
    await deleteJob(api, id, read.etag);
    go("jobs");
  });
  const save = async (fields) => {
    set(await changeJob(api, id, read.etag, fields));
    edit(false);
    tell(t("jobs.told.saved"));
  };
  const isConflict = error?.code === "AUTOMATION_JOB_CHANGED";
  return html`
    <p class="fine"><a href=${address("jobs")}>${t("jobs.all")}</a></p>
    <h1 class="job-name">${job ? nameOf(job) : t("jobs.one")}</h1>
    ${error && html`<${Problem} error=${error} retry=${isConflict || !job ? load : undefined} retryLabel=${isConflict ? t("jobs.reload") : undefined} />`}
    ${!job && !error && html`<p class="waiting">${t("loading")}</p>`}
    <p class="hidden" role="status">${told}</p>
    ${job && isEditing && html`<${JobForm} key=${read.etag} job=${job} save=${save} cancel=${() => edit(false)} reload=${load} />`}
    ${
      job &&
      !isEditing &&
      html`
        <p><${State} job=${job} /></p>
        <p><${When} job=${job} />${job.last_run_at && html`<br /><span class="fine">${t("jobs.last")}${t("colon")}${time(job.last_run_at, { dateStyle: "medium", timeStyle: "short" })}</span>`}</p>
        ${job.paused_reason === "failures" && html`<p class="note">${t("jobs.paused.failures")}</p>`}
        <blockquote class="template" tabindex="0" aria-label=${t("jobs.text")}>${job.input_template}</blockquote>
        ${job.enabled_tools.length > 0 && html`<p class="fine">${t("jobs.tools")}${t("colon")}${job.enabled_tools.map((tool) => html`<code>${tool}</code>${" "}`)}</p>`}
        ${job.context && html`<p class="fine">${t("jobs.window")}${t("colon")}${t(`jobs.given.${job.context.window_mode}`, { count: job.context.window_count })}</p>`}
        <p class="buttons">
          <button type="button" class="primary" disabled=${doing} onClick=${run}>${t("jobs.run.now")}</button>
          <button type="button" disabled=${doing} onClick=${turn}>${t(isActive ? "jobs.pause" : "jobs.resume")}</button>
          <button type="button" disabled=${doing} onClick=${() => (setError(null), edit(true))}>${t("jobs.edit")}</button>
          <button type="button" class="quiet" disabled=${doing} onClick=${() => askToDelete(true)}>${t("jobs.delete")}</button>
        </p>
        <${Runs} api=${api} id=${id} asked=${asked} />
      `
    }
    ${isDeleting && html`<${Confirm} title=${t("jobs.delete.ask", { name: nameOf(job) })} what=${t("jobs.delete.what")} action=${t("jobs.delete")} confirmed=${remove} left=${() => askToDelete(false)} />`}
  `;
}

function New({ api }) {
  // Sent again after an answer that was lost, the same fields are the same job.
  const tried = useRef({});
  const save = async (fields) => {
    const text = JSON.stringify(fields);
    if (tried.current.text !== text) tried.current = { text, id: crypto.randomUUID() };
    go("jobs", (await createJob(api, { id: tried.current.id, ...fields })).job.id);
  };
  return html`
    <p class="fine"><a href=${address("jobs")}>${t("jobs.all")}</a></p>
    <h1>${t("jobs.new")}</h1>
    <${JobForm} save=${save} cancel=${() => go("jobs")} />
  `;
}

function Jobs({ api, parts: [id] }) {
  if (!id) return html`<${List} api=${api} />`;
  return id === NEW ? html`<${New} api=${api} />` : html`<${One} api=${api} id=${id} />`;
}

export default { name: "jobs", title: "jobs.title", inNavigation: true, component: Jobs };
