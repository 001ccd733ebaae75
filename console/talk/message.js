/** One message of a conversation: its text as it comes, its calls, its card, and what one may do with it. */
import { html, useRef, useState } from "../dom.js";
import { Markdown } from "../markdown.js";
import { address } from "../router.js";
import { useSmooth } from "../run.js";
import { t } from "../words.js";
import { Card } from "./card.js";
import { CONFIRM, resultOf, wordsOf } from "./conversation.js";

/** JSON as one reads it; what is none stays as it is. */
function laidOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The code of a call whose server the user has not signed in to. */
const NOT_CONNECTED = "MCP_NOT_CONNECTED";

/** Why a call has failed: the object in its result, if that has an `error`. */
function failureOf(result) {
  try {
    const value = JSON.parse(result.content);
    return value !== null && typeof value === "object" && "error" in value ? value : null;
  } catch {
    return null;
  }
}

function Call({ call, result, isRunning }) {
  const failure = result ? failureOf(result) : null;
  const state = result ? (failure ? "failed" : "done") : isRunning ? "running" : "open";
  return html`<details class=${`call ${state}`}>
    <summary><code>${call.function.name}</code> <span class="fine">${t(`talk.call.${state}`)}</span></summary>
    <p class="fine">${t("talk.call.arguments")}</p>
    <pre tabindex="0"><code>${laidOut(call.function.arguments)}</code></pre>
    ${
      result &&
      html`<p class="fine">${t("talk.call.result")}</p>
        <pre tabindex="0"><code>${laidOut(String(result.content))}</code></pre>`
    }
  </details>
  ${failure?.code === NOT_CONNECTED && html`<p class="fine"><a href=${address("connections")}>${t("connections.first")}</a></p>`}`;
}

/** What the assistant wants to be sure of. */
export function Question({ call, answer }) {
  let action = call.function.arguments;
  try {
    action = JSON.parse(action).action ?? action;
  } catch {
    // As it was written.
  }
  return html`<div class="confirm" role="group" aria-label=${t("talk.confirm")}>
    <p><strong>${t("talk.confirm")}</strong> ${String(action)}</p>
    <p class="buttons">
      <button type="button" class="primary" onClick=${() => answer(call, "yes")}>${t("talk.yes")}</button>
      <button type="button" onClick=${() => answer(call, "no")}>${t("talk.no")}</button>
    </p>
  </div>`;
}

export function Assistant({ message, messages, card, asked, isLive, again }) {
  const wasLive = useRef(false);
  wasLive.current ||= isLive; // what came last is shown evenly as well
  const text = useSmooth(message.content ?? "", wasLive.current);
  return html`<article class="said" aria-busy=${isLive ? "true" : "false"}>
    ${text && html`<${Markdown} text=${text} />`}
    ${message.toolCalls?.map((call) => {
      const result = resultOf(messages, call.id);
      return call.function.name === CONFIRM.name && !result
        ? null
        : html`<${Call} key=${call.id} call=${call} result=${result} isRunning=${isLive} />`;
    })}
    ${asked && html`<p class="fine was-asked">${t(`inbox.state.${asked.status}`)}</p>`}
    ${card && html`<${Card} schema=${card} />`}
    ${again && html`<p class="acts"><button type="button" class="quiet" onClick=${again}>${t("talk.regenerate")}</button></p>`}
  </article>`;
}

/** A picture that this page has sent; of another, a link to where it is kept. */
function Picture({ part, shown }) {
  const name = t("talk.picture");
  if (shown) return html`<img src=${shown} alt=${name} />`;
  if (!/^https?:/.test(part.url ?? "")) return html`<span class="chip">${name}</span>`;
  return html`<a class="chip" href=${part.url} rel="noopener noreferrer" target="_blank">${name}</a>`;
}

/** Of a message that was added to a run: `sending`, `waits` or `unread`, which `send` sends again. */
const Added = ({ state, send }) => html`<p class="fine added">
  ${state === "sending" ? t("cast.sending") : t(`talk.added.${state}`)}
  ${send && html`<button type="button" class="quiet" onClick=${send}>${t("talk.added.send")}</button>`}
</p>`;

export function User({ message, pictures, edit, added, send }) {
  const words = wordsOf(message);
  const [draft, set] = useState(null);
  const parts = Array.isArray(message.content) ? message.content.filter((each) => each.type !== "text") : [];
  if (draft !== null) {
    return html`<form
      class="editing"
      onSubmit=${(event) => {
        event.preventDefault();
        if (!draft.trim()) return;
        set(null);
        edit(message, draft.trim());
      }}
    >
      <label><span class="hidden">${t("talk.edit")}</span>
        <textarea rows="2" maxlength="10000" value=${draft} onInput=${(event) => set(event.target.value)}></textarea>
      </label>
      <p class="buttons">
        <button class="primary">${t("talk.send")}</button>
        <button type="button" onClick=${() => set(null)}>${t("talk.keep")}</button>
      </p>
    </form>`;
  }
  return html`<div class="turn">
    ${parts.length > 0 && html`<p class="pictures">${parts.map((part) => html`<${Picture} part=${part} shown=${pictures.get(part.id)} />`)}</p>`}
    ${words && html`<p class="asked">${words}</p>`}
    ${added && html`<${Added} state=${added} send=${send} />`}
    ${edit && html`<button type="button" class="quiet" onClick=${() => set(words)}>${t("talk.edit")}</button>`}
  </div>`;
}
