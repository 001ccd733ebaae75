/** Shows an error in the reader's language: what happened, what to do, and the code to report. */
import { html } from "./dom.js";
import { Dropped } from "./api.js";
import { currentLanguage, t } from "./words.js";

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
  MCP_CONNECTION_NOT_FOUND: "missing",
  MCP_CONNECTION_LIMIT: "connections",
  MCP_SERVER_NOT_FOUND: "missing",
  MCP_SIGN_IN_NOT_FOUND: "late",
  MCP_SIGN_IN_REFUSED: "declined",
  MCP_SIGN_IN_FAILED: "server",
  AGENT_NAME_UNKNOWN: "agent",
  AGENT_RUN_EVENTS_EXPIRED: "expired",
  AGENT_SESSION_RUN_LIMIT_EXCEEDED: "full",
  AGENT_BRANCH_LIMIT: "full",
  AGENT_INTERRUPT_OPEN: "asks",
  AGENT_INTERRUPT_NOT_FOUND: "closed",
  AGENT_INTERRUPT_ANSWERED: "closed",
  AGENT_INTERRUPT_EXPIRED: "closed",
  AGENT_STORAGE_LIMIT: "storage",
  AGENT_ATTACHMENT_INVALID: "file",
  AGENT_ATTACHMENT_EMPTY: "file",
  AGENT_ATTACHMENT_TYPE_UNSUPPORTED: "file",
  AGENT_ATTACHMENT_TOO_LARGE: "large",
  REQUEST_TOO_LARGE: "large",
  AGENT_AUDIO_TOO_LARGE: "large",
  AGENT_AUDIO_TOO_LONG: "large",
  AGENT_ATTACHMENT_NOT_FOUND: "missing",
  AGENT_AUDIO_INVALID: "speech",
  AGENT_AUDIO_UNSUPPORTED_FORMAT: "speech",
  AGENT_AUDIO_EMPTY: "speech",
  AGENT_ASR_UNAVAILABLE: "speech",
  AGENT_ASR_FAILED: "speech",
  AGENT_ASR_LIMIT: "silent",
};

/** An error whose message is in the reader's language already. */
export class Told extends Error {}

/** Signs in again, from where the page is; the page sets it. */
let signIn = null;
export const offerSignIn = (action) => (signIn = action);

export function kindOf(error) {
  if (error instanceof Dropped || error instanceof TypeError) return "offline";
  if (error?.isOfSignIn) return "login";
  return KINDS[error?.code] ?? (error?.status === 401 ? "signin" : error?.status >= 500 ? "service" : "other");
}

/** What was said of an error, for whoever looks into it: closed where it is not in the reader's language. */
function Detail({ kind, error }) {
  const message = String(error.message ?? error);
  if (kind === "offline" || !message) return null; // the browser's own words
  const isRead = currentLanguage() === "en" || /\p{Script=Han}/u.test(message);
  return isRead
    ? html`<span>${message}</span>`
    : html`<details><summary>${t("problem.detail")}</summary><span lang="en">${message}</span></details>`;
}

export function Problem({ error, retry, retryLabel }) {
  if (error instanceof Told) return html`<div class="problem" role="alert"><p>${error.message}</p></div>`;
  const kind = kindOf(error);
  return html`<div class="problem" role="alert">
    <p><strong>${t(`problem.${kind}.what`)}</strong> ${t(`problem.${kind}.do`)}</p>
    <div class="fine">${error.code && html`<code>${error.code}</code>${" "}`}<${Detail} kind=${kind} error=${error} /></div>
    ${kind === "signin" && signIn && html`<button type="button" class="primary" onClick=${signIn}>${t("signin")}</button>`}
    ${retry && html`<button type="button" class="quiet" onClick=${retry}>${retryLabel ?? t("again")}</button>`}
  </div>`;
}
