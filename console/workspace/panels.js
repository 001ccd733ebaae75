/** Shows a session's questions, steps, files and log beside its conversation. */
import { html, useEffect, useState } from "../dom.js";
import { t, time } from "../words.js";
import { Upload } from "./conversation.js";
import { objects, text } from "./state.js";

const TYPES = new Set(["text", "number", "date", "time", "datetime-local", "month", "email", "tel", "url"]);
const STATES = new Set(["pending", "running", "review", "done", "failed"]);

function Choice({ question, act, isDisabled }) {
  const asked = { questionId: text(question.id), questionText: text(question.text) };
  return html`<fieldset>
    <legend>${text(question.text)}</legend>
    <p class="options">
      ${objects(question.options).map(
        ({ id, label }) => html`<button
          type="button"
          key=${text(id)}
          aria-pressed=${text(id) && text(id) === question.selectedOptionId ? "true" : "false"}
          disabled=${isDisabled}
          onClick=${() => act("agent_user_option", { ...asked, optionId: text(id), optionLabel: text(label) })}
        >
          ${text(label)}
        </button>`,
      )}
    </p>
  </fieldset>`;
}

function Input({ question, act, isDisabled }) {
  const answered = text(question.answerValue);
  const [draft, set] = useState(answered);
  useEffect(() => set((before) => answered || before), [answered]);
  const id = `question-${text(question.id)}`;
  const submit = (event) => {
    event.preventDefault();
    if (draft.trim()) act("agent_user_answer", { questionId: text(question.id), questionText: text(question.text), answer: draft.trim() });
  };
  const given = { id, value: draft, maxlength: 2000, placeholder: text(question.placeholder), disabled: isDisabled, onInput: (event) => set(event.target.value) };
  return html`<form class="answer" onSubmit=${submit}>
    <label for=${id}>${text(question.text)}</label>
    <div>
      ${question.inputType === "textarea" ? html`<textarea ...${given}></textarea>` : html`<input ...${given} type=${TYPES.has(question.inputType) ? question.inputType : "text"} />`}
      <button disabled=${isDisabled || !draft.trim() || draft === answered}>${t("workspace.answer")}</button>
    </div>
  </form>`;
}

function Question({ question, act, isDisabled }) {
  if (objects(question.options).length) return html`<${Choice} question=${question} act=${act} isDisabled=${isDisabled} />`;
  if (question.type !== "upload") return html`<${Input} question=${question} act=${act} isDisabled=${isDisabled} />`;
  const asks = { ...question, questionId: question.id, questionText: question.text };
  return html`<div>
    <p>${text(question.text)} ${question.uploaded === true && html`<span class="standing done">${t("workspace.uploaded")}</span>`}</p>
    <${Upload} label=${text(question.buttonLabel) || t("workspace.files.choose")} asks=${asks} isDisabled=${isDisabled} send=${(files) => act("agent_user_attachment", files)} />
  </div>`;
}

export function Questions({ prompt, act, isDisabled }) {
  const questions = objects(prompt.questions);
  if (!questions.length) return null;
  return html`<details class="panel" open>
    <summary>${t("workspace.questions")}</summary>
    ${text(prompt.text) && html`<p class="fine">${text(prompt.text)}</p>`}
    ${questions.map((question, index) => html`<${Question} key=${text(question.id) || index} question=${question} act=${act} isDisabled=${isDisabled} />`)}
  </details>`;
}

/** The steps of workspaces that come with the service, which have keys and no labels. */
const KNOWN_STEPS = new Set(["cast", "chart", "judge", "write"]);
const stepName = (key) => (KNOWN_STEPS.has(key) ? t(`workspace.named.${key}`) : key);

export function Steps({ items }) {
  if (!items.length) return null;
  return html`<details class="panel" open>
    <summary>${t("workspace.steps")}</summary>
    <ol>
      ${items.map((item, index) => {
        const state = STATES.has(item.status) ? item.status : "pending";
        return html`<li key=${text(item.key) || index}><span>${text(item.actionLabel) || stepName(text(item.key))}</span><span class=${`standing ${state}`}>${t(`workspace.step.${state}`)}</span></li>`;
      })}
    </ol>
  </details>`;
}

/** Return a file's URL: an https one, or for a local service one on this page's host. */
function safe(url) {
  if (!text(url) || !URL.canParse(url)) return null;
  const { protocol, hostname, href } = new URL(url);
  const isHere = protocol === location.protocol && hostname === location.hostname;
  return protocol === "https:" || isHere ? href : null;
}

export function Files({ items }) {
  if (!items.length) return null;
  return html`<details class="panel" open>
    <summary>${t("workspace.files")}</summary>
    <ul>
      ${items.map((item, index) => {
        const [url, title] = [safe(item.url), text(item.title) || text(item.relativePath) || text(item.id)];
        return html`<li key=${text(item.id) || index}>
          ${url ? html`<a href=${url} download=${title} target="_blank" rel="noopener noreferrer">${title}</a>` : html`<span>${title}</span>`}
          <span class="fine">${text(item.type)}</span>
        </li>`;
      })}
    </ul>
  </details>`;
}

const moment = (at) => {
  const date = new Date(typeof at === "number" ? at : text(at));
  return Number.isNaN(date.getTime()) ? "" : time(date, { timeStyle: "medium" });
};

export function Log({ lines }) {
  if (!lines.length) return null;
  return html`<details class="panel">
    <summary>${t("workspace.log")}</summary>
    <ol class="log" tabindex="0" aria-label=${t("workspace.log")}>
      ${lines.map((line, index) => html`<li key=${text(line.id) || index} class=${["warn", "error"].includes(line.level) ? line.level : "info"}><span class="fine">${moment(line.time)}</span> ${text(line.text)}</li>`)}
    </ol>
  </details>`;
}
