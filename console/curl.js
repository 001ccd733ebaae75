/** The requests of a run with curl, to copy. */
import { messageId } from "./api.js";
import { Copy } from "./copy.js";
import { html, useState } from "./dom.js";
import { t } from "./words.js";

function curls({ url, threadId, runId, after }) {
  const runs = `${url}/api/v1/agent/runs`;
  const quoted = (text) => `'${text.replaceAll("'", "%27")}'`;
  const one = `${runs}/${encodeURIComponent(threadId)}`;
  const query = new URLSearchParams({ runId });
  const authorization = '-H "Authorization: Bearer $TOKEN"';
  const messages = [{ id: messageId(runId), role: "user", content: "…" }];
  const input = { threadId, runId, state: {}, messages, tools: [], context: [], forwardedProps: {} };
  const body = JSON.stringify(input).replaceAll("'", "'\\''");
  return {
    submit: `curl -s ${quoted(runs)} \\\n  ${authorization} \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`,
    watch: `curl -sN ${quoted(`${one}/events?${query}`)} \\\n  ${authorization}`,
    resume: `curl -sN ${quoted(`${one}/events?${query}`)} \\\n  ${authorization} \\\n  -H "Last-Event-ID: ${after}"`,
    cancel: `curl -s -X POST ${quoted(`${one}/cancel?${query}`)} \\\n  ${authorization}`,
    history: `curl -s ${quoted(`${url}/api/v1/agent/history?${new URLSearchParams({ threadId })}`)} \\\n  ${authorization}`,
  };
}

/**
 * The ends of lines that go on: a `\` alone in a line would read as one of its own, so it stays with what is before it.
 * What is copied by hand is still the command.
 */
const ENDS = /(\S{1,12} \\\n)/;
const shown = (command) => command.split(ENDS).map((part, place) => (place % 2 ? html`<span class="unbroken">${part}</span>` : part));

export function Curl(run) {
  const [step, choose] = useState("watch");
  const command = curls(run)[step];
  return html`
    <h2>${t("glass.curl")}</h2>
    <p class="steps">
      ${Object.keys(curls(run)).map(
        (each) => html`<button type="button" class="quiet" aria-pressed=${each === step ? "true" : "false"} onClick=${() => choose(each)}>
          ${t(`glass.curl.${each}`)}
        </button>`,
      )}
    </p>
    <pre class="curl" tabindex="0" aria-label=${t("glass.curl")}><code>${shown(command)}</code></pre>
    <${Copy} text=${command} />
  `;
}
