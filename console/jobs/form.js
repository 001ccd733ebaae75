/** Shows a job's form. An error of the service is shown at the field that it names. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { t } from "../words.js";
import { weekday } from "./schedule.js";

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const two = (value) => String(value).padStart(2, "0");

/** Return the form's fields for a job, or for a new one. */
function draftOf(job) {
  return {
    title: job?.title ?? "",
    text: job?.input_template ?? "",
    tools: job?.enabled_tools.join(", ") ?? "",
    window: job?.context?.window_mode ?? "none",
    count: job?.context?.window_count ?? 3,
    waiting: job?.while_waiting ?? "skip",
    type: job?.schedule.type ?? "daily",
    clock: job?.schedule.run_at ? `${two(job.schedule.run_at.hour)}:${two(job.schedule.run_at.minute)}` : "07:30",
    monthDays: job?.schedule.month_days?.join(", ") ?? "1",
    date: job?.schedule.date ?? "",
    cron: job?.schedule.cron ?? "",
    end: job?.schedule.end_date ?? "",
    days: job?.schedule.weekdays.length ? job.schedule.weekdays : [1, 2, 3, 4, 5],
    zone: job?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** The fields of each type of schedule besides its time. */
const MEMBERS = {
  daily: () => ({}),
  weekly: (draft) => ({ weekdays: draft.days }),
  monthly: (draft) => ({ month_days: draft.monthDays.split(/[\s,，、]+/).filter(Boolean).map(Number) }),
  once: (draft) => ({ date: draft.date }),
  cron: (draft) => ({ cron: draft.cron.trim() }),
};

function scheduleOf(draft) {
  const [hour, minute] = draft.clock.split(":").map(Number);
  const at = draft.type === "cron" ? {} : { run_at: { hour, minute } };
  const end = draft.type !== "once" && draft.end ? { end_date: draft.end } : {};
  return { type: draft.type, ...at, ...MEMBERS[draft.type](draft), ...end };
}

function fieldsOf(draft) {
  return {
    title: draft.title.trim() || null,
    input_template: draft.text,
    enabled_tools: draft.tools.split(/[\s,，、]+/).filter(Boolean),
    context: draft.window === "none" ? null : { source: "latest_chat", window_mode: draft.window, window_count: Number(draft.count) },
    schedule: scheduleOf(draft),
    timezone: draft.zone.trim(),
    while_waiting: draft.waiting,
  };
}

/** The fields of the members that a refusal may name, such as `schedule.weekdays[0]`; the longest that fits. */
const FIELDS = [
  ["context.window_count", "count"],
  ["context", "window"],
  ["schedule.run_at", "clock"],
  ["schedule.weekdays", "days"],
  ["schedule.month_days", "monthDays"],
  ["schedule.date", "date"],
  ["schedule.cron", "cron"],
  ["schedule.end_date", "end"],
  ["schedule", "type"],
  ["input_template", "text"],
  ["enabled_tools", "tools"],
  ["title", "title"],
  ["timezone", "zone"],
];
const fieldOf = (member = "") => FIELDS.find(([name]) => member.startsWith(name))?.[1];

/** Return what is missing, before the request is sent. */
function missing(draft) {
  if (!draft.text.trim()) return { field: "text", why: t("jobs.missing.text") };
  if (draft.type === "cron" && !draft.cron.trim()) return { field: "cron", why: t("jobs.missing.cron") };
  if (draft.type === "once" && !draft.date) return { field: "date", why: t("jobs.missing.date") };
  if (draft.type !== "cron" && !draft.clock) return { field: "clock", why: t("jobs.missing.clock") };
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

/** `save` gets the fields and throws the service's errors. */
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
      const field = ["AUTOMATION_JOB_INVALID", "AUTOMATION_SCHEDULE_UNSUPPORTED"].includes(caught.code) && fieldOf(caught.params?.member);
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
          <option value="monthly">${t("jobs.monthly")}</option>
          <option value="once">${t("jobs.once")}</option>
          <option value="cron">${t("jobs.cron")}</option>
        </select>`}
      <//>
      ${
        draft.type === "once" &&
        html`<${Field} name="date" label=${t("jobs.date")} fault=${fault}>
          ${(given) => html`<input ...${given} type="date" required value=${draft.date} onInput=${change("date")} />`}
        <//>`
      }
      ${
        draft.type !== "cron" &&
        html`<${Field} name="clock" label=${t("jobs.clock")} fault=${fault}>
          ${(given) => html`<input ...${given} type="time" required value=${draft.clock} onInput=${change("clock")} />`}
        <//>`
      }
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
    ${
      draft.type === "monthly" &&
      html`<${Field} name="monthDays" label=${t("jobs.monthdays")} hint=${t("jobs.monthdays.hint")} fault=${fault}>
        ${(given) => html`<input ...${given} inputmode="numeric" autocomplete="off" required value=${draft.monthDays} onInput=${change("monthDays")} />`}
      <//>`
    }
    ${
      draft.type === "cron" &&
      html`<${Field} name="cron" label=${t("jobs.cron.text")} hint=${t("jobs.cron.hint")} fault=${fault}>
        ${(given) => html`<input ...${given} maxlength="200" autocomplete="off" autocapitalize="none" spellcheck=${false} required value=${draft.cron} placeholder="0 9,18 * * 1-5" onInput=${change("cron")} />`}
      <//>`
    }
    ${
      draft.type !== "once" &&
      html`<${Field} name="end" label=${t("jobs.end")} fault=${fault}>
        ${(given) => html`<input ...${given} type="date" value=${draft.end} onInput=${change("end")} />`}
      <//>`
    }
    <details open=${Boolean(job?.context || job?.enabled_tools.length || job?.while_waiting === "queue") || ["tools", "window", "count"].includes(fault?.field)}>
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
      <${Field} name="waiting" label=${t("jobs.waiting")} fault=${fault}>
        ${(given) => html`<select ...${given} value=${draft.waiting} onChange=${change("waiting")}>
          <option value="skip">${t("jobs.waiting.skip")}</option>
          <option value="queue">${t("jobs.waiting.queue")}</option>
        </select>`}
      <//>
    </details>
    <p class="buttons">
      <button class="primary" disabled=${busy}>${t(busy ? "jobs.saving" : "jobs.save")}</button>
      <button type="button" onClick=${cancel}>${t("jobs.cancel")}</button>
    </p>
  </form>`;
}
