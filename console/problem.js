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
  AGENT_RUN_NOT_FORKABLE: "fork",
  AGENT_RUN_NOT_STEERABLE: "busy",
  AGENT_RUN_MESSAGE_LIMIT: "added",
  AGENT_RUN_MESSAGE_CONFLICT: "sent",
  AGENT_STEP_NOT_FOUND: "missing",
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
  AGENT_INVALID_LAST_EVENT_ID: "malformed",
  AGENT_EVENTS_QUERY_INVALID: "malformed",
  AGENT_STREAM_QUERY_INVALID: "malformed",
  AGENT_INTERRUPT_QUERY_INVALID: "malformed",
  AGENT_HISTORY_QUERY_INVALID: "malformed",
  AGENT_USAGE_QUERY_INVALID: "malformed",
  AGENT_MEMORY_QUERY_INVALID: "malformed",
  AGENT_MEMORY_ID_INVALID: "malformed",
  AGENT_WORKSPACE_TICKET_INVALID: "malformed",
  AGENT_ATTACHMENT_BUCKET_INVALID: "malformed",
  MCP_CONNECTION_INVALID: "malformed",
  REQUEST_INVALID: "malformed",
  REQUEST_CONTENT_TYPE_UNSUPPORTED: "malformed",
  REQUEST_METHOD_UNSUPPORTED: "malformed",
  REQUEST_ACCEPT_UNSUPPORTED: "malformed",
  frame_invalid: "malformed",
  action_unknown: "malformed",
  ROUTE_NOT_FOUND: "absent",
  AGENT_RUN_INPUT_INVALID: "input",
  AGENT_RUN_MESSAGES_INVALID: "input",
  AGENT_RUNTIME_MODE_INVALID: "input",
  command_unsupported: "input",
  AGENT_RUN_CONFLICT: "sent",
  AGENT_INTERRUPT_INCOMPLETE: "asks",
  AGENT_INTERRUPT_ANSWER_INVALID: "answer",
  answer_invalid: "answer",
  option_unknown: "answer",
  question_unknown: "closed",
  AGENT_OUTCOME_INVALID: "outcome",
  AGENT_OUTCOME_NO_READING: "noreading",
  AGENT_ATTACHMENT_STORAGE_UNAVAILABLE: "service",
  AGENT_SIGNED_URL_GENERATION_FAILED: "service",
  SERVICE_TIMEOUT: "service",
  SERVICE_UNAVAILABLE: "service",
  INTERNAL_ERROR: "service",
  unavailable: "service",
  AGENT_ATTACHMENT_PATH_SCOPE_INVALID: "missing",
  WEBHOOK_NOT_FOUND: "missing",
  WEBHOOK_DELIVERY_NOT_FOUND: "missing",
  session_not_found: "missing",
  AGENT_AUDIO_NOT_FOUND: "speech",
  AGENT_ASR_IN_PROGRESS: "hearing",
  AUTOMATION_JOB_INVALID: "job",
  AUTOMATION_SCHEDULE_UNSUPPORTED: "schedule",
  DEVICE_INVALID: "device",
  DEVICE_KIND_UNSUPPORTED: "device",
  DEVICE_ENDPOINT_FORBIDDEN: "device",
  DEVICE_OF_OTHER_USER: "otheruser",
  DEVICE_LIMIT: "devices",
  MCP_NOT_CONNECTED: "unconnected",
  WEBHOOK_INVALID: "webhook",
  WEBHOOK_DISABLED: "disabled",
  WEBHOOK_LIMIT: "webhooks",
  REQUEST_ORIGIN_FORBIDDEN: "origin",
  RUN_FAILED: "failed",
  RUN_TIMEOUT: "long",
  RUN_LOST: "lost",
  AGENT_DIVINATION_PAYLOAD_MISMATCH: "cast",
  AGENT_DIVINATION_PAYLOAD_REQUIRED: "cast",
  AGENT_DIVINATION_MISSING: "cast",
  payload_too_large: "large",
  input_too_long: "large",
  task_unknown: "task",
  task_mismatch: "task",
  attachment_invalid: "file",
  too_many_waiting: "limit",
  rate_limited: "limit",
  storage_full: "storage",
};

/** Codes of an agent's runner, of which there may be any. */
const OF_RUNNERS = /^[a-z_]+\.[a-z_.]+$/;

/** An error whose message is in the reader's language already. */
export class Told extends Error {}

/** Signs in again, from where the page is; the page sets it. */
let signIn = null;
export const offerSignIn = (action) => (signIn = action);

export function kindOf(error) {
  if (error instanceof Dropped || error instanceof TypeError) return "offline";
  if (error?.isOfSignIn) return "login";
  if (OF_RUNNERS.test(error?.code)) return "failed";
  if (error?.code === "AGENT_RUN_NOT_STEERABLE" && error.payload?.params?.reason === "ended") return "ended";
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
