/** When a job runs, in words. */
import { html } from "../dom.js";
import { currentLanguage, t, time } from "../words.js";

/** The days of the week in the user's language; 1 is Monday. */
export const weekday = (day, length = "long") => time(Date.UTC(2024, 0, day), { weekday: length, timeZone: "UTC" });

export function inWords({ type, run_at: at, weekdays }) {
  const clock = time(Date.UTC(2024, 0, 1, at.hour, at.minute), { timeStyle: "short", timeZone: "UTC" });
  if (type === "daily" || weekdays.length === 7) return t("jobs.daily.at", { clock });
  if (weekdays.join() === "1,2,3,4,5") return t("jobs.workdays.at", { clock });
  const names = weekdays.map((day) => weekday(day, weekdays.length > 2 ? "short" : "long"));
  return t("jobs.weekly.at", { clock, days: new Intl.ListFormat(currentLanguage()).format(names) });
}

/** A moment in the user's own zone, with the job's where that shows another clock. */
export function moment(at, zone) {
  const options = { dateStyle: "full", timeStyle: "short" };
  const here = time(at, options);
  const there = time(at, { ...options, timeZone: zone });
  return here === there ? here : `${here} (${t("jobs.there", { zone, time: time(at, { timeStyle: "short", timeZone: zone }) })})`;
}

/** What a job is called: its title, else how its text begins. */
export const nameOf = (job) => job.title?.trim() || job.input_template.trim().split("\n")[0].slice(0, 80);

export function State({ job }) {
  const state = job.paused_reason === "failures" ? "failed" : job.status === "active" ? "active" : "paused";
  return html`<span class=${`standing ${state}`}>${t(`jobs.state.${state}`)}</span>`;
}
