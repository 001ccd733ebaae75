/** Shows an agent's author what is inside a run: prompts and answers of models, what it might use and what it was refused.
 * In a deployment only those who have the operators' scope are told. */
import { html, useEffect, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { number, t } from "../words.js";

/** Whether the service has said that this page's user is not told. */
let isRefused = false;

async function read(api, threadId, runId, step, signal) {
  const query = new URLSearchParams({ runId, ...(step && { step }) });
  return (await api.request(`/api/v1/agent/runs/${encodeURIComponent(threadId)}/diagnostics?${query}`, { signal })).json();
}

/** What the author is told of a run: read when it is opened and when it has ended; null for those who are not told. */
export function useInside(api, threadId, runId, isEnded) {
  const [told, set] = useState(null);
  useEffect(() => {
    if (isRefused) return undefined;
    const leaving = new AbortController();
    read(api, threadId, runId, null, leaving.signal).then(
      (document) => leaving.signal.aborted || set(document),
      (error) => {
        isRefused ||= error.status === 403; // the run is shown without it
      },
    );
    return () => leaving.abort();
  }, [api, threadId, runId, isEnded]);
  return told;
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const Text = ({ children }) => html`<div class="said" tabindex="0">${children}</div>`;

function Message({ message: { role, name, text, reasoning, calls = [], cut } }) {
  return html`<li class=${`message-of ${role}`}>
    <p class="fine"><b>${t(`inside.role.${role}`)}</b>${name && html` <code>${name}</code>`}</p>
    ${reasoning && html`<details><summary>${t("inside.reasoning")}</summary><${Text}>${reasoning}<//></details>`}
    ${text && html`<${Text}>${text}<//>`}
    ${calls.map(({ name: tool, arguments: given }, index) => html`<div key=${index}><code>${tool}</code><${Text}>${pretty(given)}<//></div>`)}
    ${cut > 0 && html`<p class="fine">${t("inside.cut", { count: number(cut) })}</p>`}
  </li>`;
}

function Offered({ tools, left }) {
  if (!tools.length) return html`<p class="fine">${t("inside.noTools")}</p>`;
  return html`<details>
    <summary>${t("inside.tools", { count: number(tools.length + left) })}</summary>
    <ul>
      ${tools.map(
        ({ name, description, parameters }) => html`<li key=${name}>
          <code>${name}</code> ${description}
          <${Text}>${pretty(parameters)}<//>
        </li>`,
      )}
    </ul>
    ${left > 0 && html`<p class="fine">${t("inside.toolsLeftOut", { count: number(left) })}</p>`}
  </details>`;
}

function Contents({ call }) {
  const { messages, leftOut = 0, tools, toolsLeftOut = 0, options, answer, finishReason, error } = call;
  const [first, ...rest] = messages;
  return html`
    <h3>${t("inside.sent")}</h3>
    <ol>
      <${Message} message=${first} />
      ${leftOut > 0 && html`<li class="fine">${t("inside.leftOut", { count: number(leftOut) })}</li>`}
      ${rest.map((message, index) => html`<${Message} key=${index} message=${message} />`)}
    </ol>
    <${Offered} tools=${tools} left=${toolsLeftOut} />
    ${Object.keys(options).length > 0 && html`<details><summary>${t("inside.options")}</summary><${Text}>${JSON.stringify(options, null, 2)}<//></details>`}
    <h3>${t("inside.answer")}</h3>
    ${answer ? html`<ol><${Message} message=${answer} /></ol>` : html`<p class="fine">${t("inside.noAnswer")}</p>`}
    <p class="summary">
      ${finishReason && html`<span>${t(`inside.finish.${finishReason}`)}</span>`}
      ${error && html`<span class="bad"><code>${error.code}</code> ${error.message}</span>`}
    </p>
  `;
}

/** The prompt and the answer of a model's call, read once they are asked for. `told` is its tokens and money. */
export function Inside({ api, threadId, runId, step, name, children }) {
  const [isOpen, open] = useState(false);
  const [found, set] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    if (!isOpen || found) return undefined;
    const leaving = new AbortController();
    setError(null);
    read(api, threadId, runId, step, leaving.signal).then(
      ({ call }) => leaving.signal.aborted || set({ call }),
      (problem) => leaving.signal.aborted || setError(problem),
    );
    return () => leaving.abort();
  }, [isOpen]);
  return html`<div class="inside">
    <button type="button" class="quiet" aria-expanded=${isOpen ? "true" : "false"} aria-label=${`${t("inside.open")}: ${name}`} onClick=${() => open(!isOpen)}>
      ${t("inside.open")}
    </button>
    ${
      isOpen &&
      html`<section aria-label=${t("inside.open")}>
        ${error && html`<${Problem} error=${error} />`}
        ${!found && !error && html`<p class="fine" role="status">${t("loading")}</p>`}
        ${found && (found.call ? html`<${Contents} call=${found.call} />` : html`<p class="fine">${t("inside.none")}</p>`)}
        ${found && children && html`<p class="summary">${children}</p>`}
      </section>`
    }
  </div>`;
}

/** The calls that were refused, each with its reason. */
export function Refused({ refusals = [] }) {
  if (!refusals.length) return null;
  return html`<section class="refused" aria-label=${t("inside.refused")}>
    <h2>${t("inside.refused")}</h2>
    <ul>
      ${refusals.map(
        ({ action, name, code, message }, index) => html`<li key=${index}>
          <code>${name ?? action}</code> ${name && html`<span class="fine">${action}</span>`} <b>${code}</b> <span lang="en">${message}</span>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** What the run might use: models, and tools with what may be done with them. */
export function GrantedTo({ granted }) {
  if (!granted || granted.models.length + granted.tools.length === 0) return null;
  return html`<details class="granted">
    <summary>${t("inside.granted", { models: number(granted.models.length), tools: number(granted.tools.length) })}</summary>
    <ul>
      ${granted.models.map((model) => html`<li key=${model}><code>${model}</code> <span class="fine">${t("inside.model")}</span></li>`)}
      ${granted.tools.map(
        ({ name, operations, runsAt, approval, server }) => html`<li key=${name}>
          <code>${name}</code>${" "}
          <span class="fine">
            ${t(`inside.at.${runsAt}`)}${server && ` ${server}`}${operations.length > 0 && `${t("colon")}${operations.join(", ")}`}${approval && `${t("comma")}${t("inside.approval")}`}
          </span>
        </li>`,
      )}
    </ul>
  </details>`;
}
