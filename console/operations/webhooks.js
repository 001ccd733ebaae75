/** Shows whether the webhooks of the deployment deliver. */
import { html, useEffect, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { number, t, time } from "../words.js";
import { readWebhooks } from "./sums.js";

const hostOf = (url) => new URL(url).host;

function Standing({ status, failingSince }) {
  if (status !== "active") return html`<span class="standing failed">${t("operations.webhooks.disabled")}</span>`;
  if (!failingSince) return html`<span class="standing done">${t("operations.webhooks.active")}</span>`;
  const since = time(failingSince, { dateStyle: "short", timeStyle: "short" });
  return html`<span class="standing failed">${t("operations.webhooks.failing", { time: since })}</span>`;
}

/** Tells how many deliveries wait for another attempt, of the webhooks of all users. */
function Waiting({ waiting: { count, since, isWhole } }) {
  if (!count) return html`<p class="fine">${t("operations.waiting.none")}</p>`;
  const oldest = time(since, { dateStyle: "short", timeStyle: "short" });
  return html`<p>${t(isWhole ? "operations.waiting" : "operations.waiting.more", { count: number(count), time: oldest })}</p>`;
}

export function Webhooks({ api, waiting }) {
  const [webhooks, set] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    const leaving = new AbortController();
    readWebhooks(api, leaving.signal).then(set, (caught) => leaving.signal.aborted || setError(caught));
    return () => leaving.abort();
  }, [api]);
  if (error) return html`<${Problem} error=${error} />`;
  if (!webhooks?.length && !waiting?.count) return null;
  return html`<section aria-labelledby="operations-webhooks">
    <h2 id="operations-webhooks">${t("operations.webhooks")}</h2>
    ${waiting && html`<${Waiting} waiting=${waiting} />`}
    ${webhooks?.length > 0 && html`<table>
      <caption class="hidden">${t("operations.webhooks")}</caption>
      <thead><tr><th scope="col">${t("operations.receiver")}</th><th scope="col">${t("operations.deliveries")}</th></tr></thead>
      <tbody>
        ${webhooks.map((each) => html`<tr key=${each.id}><th scope="row">${hostOf(each.url)}<span class="fine">${each.events.join(", ")}</span></th><td><${Standing} ...${each} /></td></tr>`)}
      </tbody>
    </table>`}
  </section>`;
}
