/** Describes in words when a job runs. */
import { html } from "../dom.js";
import { currentLanguage, t, time } from "../words.js";

/** Return the days of the week in the user's language; 1 is Monday. */
export const weekday = (day, length = "long") => time(Date.UTC(2024, 0, day), { weekday: length, timeZone: "UTC" });

const dateOf = (text) => time(`${text}T00:00:00Z`, { dateStyle: "long", timeZone: "UTC" });

export function inWords(schedule) {
  const when = timesOf(schedule);
  return schedule.end_date ? t("jobs.until", { when, date: dateOf(schedule.end_date) }) : when;
}

function timesOf({ type, run_at: at, weekdays, month_days: days, date, cron }) {
  if (type === "cron") return t("jobs.cron.at", { cron });
  const clock = time(Date.UTC(2024, 0, 1, at.hour, at.minute), { timeStyle: "short", timeZone: "UTC" });
  if (type === "once") return t("jobs.once.at", { clock, date: dateOf(date) });
  if (type === "monthly") return t("jobs.monthly.at", { clock, days: new Intl.ListFormat(currentLanguage()).format(days.map(String)) });
  if (type === "daily" || weekdays.length === 7) return t("jobs.daily.at", { clock });
  if (weekdays.join() === "1,2,3,4,5") return t("jobs.workdays.at", { clock });
  const names = weekdays.map((day) => weekday(day, weekdays.length > 2 ? "short" : "long"));
  return t("jobs.weekly.at", { clock, days: new Intl.ListFormat(currentLanguage()).format(names) });
}

/** Format a moment in the user's zone, and in the job's if that differs. */
export function moment(at, zone) {
  const options = { dateStyle: "full", timeStyle: "short" };
  const here = time(at, options);
  const there = time(at, { ...options, timeZone: zone });
  return here === there ? here : `${here} (${t("jobs.there", { zone, time: time(at, { timeStyle: "short", timeZone: zone }) })})`;
}

/** Return a job's title, else the beginning of its text. */
export const nameOf = (job) => job.title?.trim() || job.input_template.trim().split("\n")[0].slice(0, 80);

export function State({ job }) {
  const isPaused = job.status !== "active";
  const state = job.paused_reason === "failures" ? "failed" : isPaused ? "paused" : job.next_run_at ? "active" : "ended";
  return html`<span class=${`standing ${state}`}>${t(`jobs.state.${state}`)}</span>`;
}
