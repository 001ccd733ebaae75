/** Shows an error: what happened, what to do, and the code to report. */
import { html } from "./dom.js";
import { Dropped } from "./api.js";
import { t } from "./words.js";

/** Return the key of an error's words: by its code, else by its kind. */
const KINDS = {
  AUTH_UNAUTHORIZED: "signin",
  AGENT_FORBIDDEN: "missing",
  AGENT_SESSION_NOT_FOUND: "missing",
  AGENT_RUN_NOT_FOUND: "missing",
  AGENT_SESSION_ID_INVALID: "missing",
  AGENT_INVALID_RUN_ID: "missing",
  AGENT_RUN_IN_PROGRESS: "busy",
  AGENT_RUN_LIMIT: "limit",
  AGENT_RATE_LIMIT: "limit",
  AGENT_SSE_CONNECTION_LIMIT: "limit",
  AGENT_TOKEN_LIMIT: "tomorrow",
  REQUEST_THROTTLED: "limit",
  RUN_CANCELED: "stopped",
  AGENT_TASK_NOT_FOUND: "task",
  AGENT_WORKSPACE_CONNECTION_LIMIT: "limit",
  AUTOMATION_JOB_NOT_FOUND: "missing",
  AUTOMATION_JOB_CHANGED: "changed",
  AUTOMATION_JOB_LIMIT: "jobs",
};

export function kindOf(error) {
  if (error instanceof Dropped || error instanceof TypeError) return "offline";
  return KINDS[error?.code] ?? (error?.status >= 500 ? "service" : "other");
}

export function Problem({ error, retry, retryLabel }) {
  const kind = kindOf(error);
  return html`<div class="problem" role="alert">
    <p><strong>${t(`problem.${kind}.what`)}</strong> ${t(`problem.${kind}.do`)}</p>
    <p class="fine">
      ${error.code && html`<code>${error.code}</code>${" "}`}<span>${String(error.message ?? error)}</span>
    </p>
    ${retry && html`<button type="button" class="quiet" onClick=${retry}>${retryLabel ?? t("again")}</button>`}
  </div>`;
}
