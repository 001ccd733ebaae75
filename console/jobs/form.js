/** A job's form. What the service refuses is said at the field that it names. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { t } from "../words.js";
import { weekday } from "./schedule.js";

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const two = (value) => String(value).padStart(2, "0");

/** What the form shows of a job; of none, a new one. */
function draftOf(job) {
  return {
    title: job?.title ?? "",
    text: job?.input_template ?? "",
    tools: job?.enabled_tools.join(", ") ?? "",
    window: job?.context?.window_mode ?? "none",
    count: job?.context?.window_count ?? 3,
    type: job?.schedule.type ?? "daily",
    clock: job ? `${two(job.schedule.run_at.hour)}:${two(job.schedule.run_at.minute)}` : "07:30",
    days: job?.schedule.weekdays.length ? job.schedule.weekdays : [1, 2, 3, 4, 5],
    zone: job?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function fieldsOf(draft) {
  const [hour, minute] = draft.clock.split(":").map(Number);
  const isWeekly = draft.type === "weekly";
  return {
    title: draft.title.trim() || null,
    input_template: draft.text,
    enabled_tools: draft.tools.split(/[\s,，、]+/).filter(Boolean),
    context: draft.window === "none" ? null : { source: "latest_chat", window_mode: draft.window, window_count: Number(draft.count) },
    schedule: { type: draft.type, run_at: { hour, minute }, weekdays: isWeekly ? draft.days : [] },
    timezone: draft.zone.trim(),
  };
}

/** The fields of the members that a refusal may name, such as `schedule.weekdays[0]`; the longest that fits. */
const FIELDS = [
  ["context.window_count", "count"],
  ["context", "window"],
  ["schedule.run_at", "clock"],
  ["schedule.weekdays", "days"],
  ["schedule", "type"],
  ["input_template", "text"],
  ["enabled_tools", "tools"],
  ["title", "title"],
  ["timezone", "zone"],
];
const fieldOf = (member = "") => FIELDS.find(([name]) => member.startsWith(name))?.[1];

/** What is missing before the service is asked. */
function missing(draft) {
  if (!draft.text.trim()) return { field: "text", why: t("jobs.missing.text") };
  if (!draft.clock) return { field: "clock", why: t("jobs.missing.clock") };
  if (draft.type === "weekly" && !draft.days.length) return { field: "days", why: t("jobs.missing.days") };
  return draft.zone.trim() ? null : { field: "zone", why: t("jobs.missing.zone") };
}

function Field({ name, label, hint, fault, children, isGroup }) {
  const isWrong = fault?.field === name;
  const described = [hint && `${name}-hint`, isWrong && `${name}-fault`].filter(Boolean).join(" ") || undefined;
  const said = html`
    ${hint && html`<p class="fine" id=${`${name}-hint`}>${hint}</p>`}
    ${isWrong && html`<p class="fault" id=${`${name}-fault`}>${fault.why}</p>`}
  `;
  const attributes = { id: name, "aria-invalid": isWrong ? "true" : undefined, "aria-describedby": described };
  if (isGroup) {
    return html`<fieldset class="field" id=${name} tabindex="-1" aria-describedby=${described}>
      <legend>${label}</legend>
      ${children(attributes)}${said}
    </fieldset>`;
  }
  return html`<div class="field"><label for=${name}>${label}</label>${children(attributes)}${said}</div>`;
}

/** `save` is given the fields, and throws what the service refuses. */
export function JobForm({ job, save, cancel, reload }) {
  const [draft, set] = useState(() => draftOf(job));
  const [fault, setFault] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const form = useRef(null);
  const change = (name) => (event) => set((before) => ({ ...before, [name]: event.target.value }));
  useEffect(() => {
    if (!fault) return;
    const field = form.current.querySelector(`#${fault.field}`);
    (field?.matches("fieldset") ? (field.querySelector("input") ?? field) : field)?.focus();
  }, [fault]);
  const submit = async (event) => {
    event.preventDefault();
    const lacking = missing(draft);
    setError(null);
    setFault(lacking);
    if (lacking || busy) return;
    setBusy(true);
    try {
      await save(fieldsOf(draft));
    } catch (caught) {
      setBusy(false);
      const field = caught.code === "AUTOMATION_JOB_INVALID" && fieldOf(caught.params?.member);
      if (field && form.current?.querySelector(`#${field}`)) setFault({ field, why: `${t("jobs.refused")} ${caught.params.reason}` });
      else setError(caught);
    }
  };
  const toggle = (day) => (event) =>
    set((before) => ({ ...before, days: DAYS.filter((each) => (each === day ? event.target.checked : before.days.includes(each))) }));
  const isConflict = error?.code === "AUTOMATION_JOB_CHANGED";
  return html`<form class="job-form" ref=${form} onSubmit=${submit} novalidate>
    ${error && html`<${Problem} error=${error} retry=${isConflict ? reload : undefined} retryLabel=${t("jobs.reload")} />`}
    <${Field} name="title" label=${t("jobs.name")} fault=${fault}>
      ${(given) => html`<input ...${given} maxlength="200" value=${draft.title} placeholder=${t("jobs.name.example")} onInput=${change("title")} />`}
    <//>
    <${Field} name="text" label=${t("jobs.text")} hint=${t("jobs.text.hint", { fields: "{{date}} {{weekday}} {{time_zone}} {{last_result}}" })} fault=${fault}>
      ${(given) => html`<textarea ...${given} rows="3" maxlength="4000" required value=${draft.text} placeholder=${t("jobs.text.example")} onInput=${change("text")}></textarea>`}
    <//>
    <div class="row-of-fields">
      <${Field} name="type" label=${t("jobs.often")} fault=${fault}>
        ${(given) => html`<select ...${given} value=${draft.type} onChange=${change("type")}>
          <option value="daily">${t("jobs.daily")}</option>
          <option value="weekly">${t("jobs.weekly")}</option>
        </select>`}
      <//>
      <${Field} name="clock" label=${t("jobs.clock")} fault=${fault}>
        ${(given) => html`<input ...${given} type="time" required value=${draft.clock} onInput=${change("clock")} />`}
      <//>
      <${Field} name="zone" label=${t("jobs.zone")} fault=${fault}>
        ${(given) => html`<input ...${given} list="zones" autocomplete="off" required value=${draft.zone} onInput=${change("zone")} />`}
      <//>
      <datalist id="zones">${Intl.supportedValuesOf("timeZone").map((zone) => html`<option value=${zone} />`)}</datalist>
    </div>
    ${
      draft.type === "weekly" &&
      html`<${Field} name="days" label=${t("jobs.days")} fault=${fault} isGroup>
        ${() => html`<div class="chips">
          ${DAYS.map((day) => html`<label key=${day}><input type="checkbox" checked=${draft.days.includes(day)} onChange=${toggle(day)} /><span>${weekday(day, "short")}</span></label>`)}
        </div>`}
      <//>`
    }
    <details open=${Boolean(job?.context || job?.enabled_tools.length) || ["tools", "window", "count"].includes(fault?.field)}>
      <summary>${t("jobs.more")}</summary>
      <${Field} name="tools" label=${t("jobs.tools")} hint=${t("jobs.tools.hint")} fault=${fault}>
        ${(given) => html`<input ...${given} autocomplete="off" autocapitalize="none" spellcheck=${false} value=${draft.tools} placeholder="calendar_read" onInput=${change("tools")} />`}
      <//>
      <div class="row-of-fields">
        <${Field} name="window" label=${t("jobs.window")} fault=${fault}>
          ${(given) => html`<select ...${given} value=${draft.window} onChange=${change("window")}>
            <option value="none">${t("jobs.window.none")}</option>
            <option value="day">${t("jobs.window.day")}</option>
            <option value="number">${t("jobs.window.number")}</option>
          </select>`}
        <//>
        ${
          draft.window !== "none" &&
          html`<${Field} name="count" label=${t("jobs.count")} fault=${fault}>
            ${(given) => html`<input ...${given} type="number" inputmode="numeric" min="1" max="1000" value=${draft.count} onInput=${change("count")} />`}
          <//>`
        }
      </div>
    </details>
    <p class="buttons">
      <button class="primary" disabled=${busy}>${t(busy ? "jobs.saving" : "jobs.save")}</button>
      <button type="button" onClick=${cancel}>${t("jobs.cancel")}</button>
    </p>
  </form>`;
}
