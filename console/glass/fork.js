/** Repeats a run from a step on, after telling what is made again and what that cost. */
import { Confirm } from "../confirm.js";
import { html, useState } from "../dom.js";
import { address, go } from "../router.js";
import { money, number, t } from "../words.js";

/** What a fork from this step makes again, as the run did it: calls of models and tools, other steps, and money. */
export function repeatedFrom(steps, id) {
  const first = steps.findIndex((step) => step.id === id);
  const again = steps.slice(first);
  const priced = again.filter(({ usage }) => Number.isFinite(usage?.cost));
  const count = (...kinds) => again.filter(({ kind }) => kinds.includes(kind)).length;
  const [models, tools] = [count("model"), count("tool")];
  return {
    given: first,
    models,
    tools,
    others: again.length - models - tools,
    cost: priced.length ? priced.reduce((sum, { usage }) => sum + usage.cost, 0) : undefined,
    currency: priced[0]?.usage.currency,
  };
}

function What({ steps, id }) {
  const { given, models, tools, others, cost, currency } = repeatedFrom(steps, id);
  return html`
    <span>${t("fork.given", { count: number(given) })}</span>${" "}
    <span>${t("fork.again", { models: number(models), tools: number(tools), others: number(others) })}</span>${" "}
    ${cost !== undefined && html`<span>${t("fork.cost", { cost: money(cost, currency) })}</span>${" "}`}
    <span>${t("fork.honest")}</span>
  `;
}

/** The dialog for a step that was chosen; `ids` are those of the new run, the same for each try. */
export function Fork({ api, threadId, runId, steps, id, close, failed }) {
  const [ids] = useState(() => ({ threadId: crypto.randomUUID(), runId: `run-${crypto.randomUUID()}` }));
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    if (isBusy) return;
    setBusy(true);
    const path = `/api/v1/agent/runs/${encodeURIComponent(threadId)}/fork?${new URLSearchParams({ runId })}`;
    try {
      await api.request(path, { method: "POST", json: { ...ids, step: id } });
      close();
      go("glass", ids.threadId, ids.runId);
    } catch (error) {
      close();
      failed(error);
    }
  };
  return html`<${Confirm} title=${t("fork.heading")} what=${html`<${What} steps=${steps} id=${id} />`} action=${t("fork.begin")} confirmed=${begin} left=${close} />`;
}

/** Says why there is no fork of a run, or of a run from a step on; nothing while the run has not ended. */
export function NotForkable({ why }) {
  if (why === "active") return null;
  return html`<p class="fine not-forkable">${t(`fork.not.${why}`)}</p>`;
}

/** Leads from a forked run to the one whose steps answer in it. */
export function ForkedFrom({ from }) {
  return html`<p class="fine"><a href=${address("glass", from.threadId, from.runId)}>${t("fork.from", { run: from.runId })}</a></p>`;
}
