/** Shows a session's conversation: messages, the choices and files that they request, and the input. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../dom.js";
import { Markdown } from "../markdown.js";
import { number, t } from "../words.js";
import { kilobytes, packed } from "./files.js";
import { objects, text } from "./state.js";

const NEAR = 120; // pixels from the end, within which it follows new messages
const TAG = /^\[(option|answer|attachment)\] /; // what a user's act begins with
const PICTURES = /^image\/(png|jpeg|gif|webp)$/;

function Attachment({ file }) {
  const [name, type, content] = [text(file.name), text(file.mimeType), text(file.contentBase64)];
  return html`<li>
    ${content && PICTURES.test(type) && html`<img src=${`data:${type};base64,${content}`} alt="" />`}
    <span>${name}</span>${file.size > 0 && html` <span class="fine">${number(file.size)} B</span>`}
  </li>`;
}

/** Attaches files from the device; those that do not fit are listed as rejected, also to the agent. */
export function Upload({ label, asks, send, isDisabled }) {
  const [refused, setRefused] = useState([]);
  const chosen = async (event) => {
    const files = [...event.target.files];
    const { attachments, rejected } = await packed(files, asks.maxSizeMB);
    event.target.value = "";
    setRefused(rejected);
    send({ attachments, rejected, questionId: text(asks.questionId), questionText: text(asks.questionText) });
  };
  return html`<div class="upload">
    <label class="chosen-file"><input type="file" multiple=${asks.allowMultiple !== false} disabled=${isDisabled} onChange=${chosen} /><span>${label}</span></label>
    <p role="status">
      ${refused.length > 0 && html`<span class="fault">${t("workspace.files.refused", { names: refused.map((each) => each.name).join(", "), size: kilobytes })}</span>`}
    </p>
  </div>`;
}

function Message({ message, act, isDisabled }) {
  const mine = message.role !== "assistant";
  const [content, chosen] = [text(message.content), text(message.selectedOptionId)];
  const asked = { questionId: text(message.questionId), questionText: text(message.questionText) };
  if (message._thinking === true && !content) return html`<li class="thinking"><span class="waiting">${t("workspace.thinking")}</span></li>`;
  return html`<li class=${mine ? "mine" : "theirs"}>
    <span class="hidden">${t(mine ? "workspace.you" : "workspace.agent")}${t("colon")}</span>
    ${mine ? html`<p class="asked">${content.replace(TAG, "")}</p>` : html`<${Markdown} text=${content} />`}
    ${objects(message.attachments).length > 0 && html`<ul class="attached">${objects(message.attachments).map((file, index) => html`<${Attachment} key=${index} file=${file} />`)}</ul>`}
    ${
      objects(message.options).length > 0 &&
      html`<p class="options">
        ${objects(message.options).map(
          ({ id, label }) => html`<button
            type="button"
            key=${text(id)}
            aria-pressed=${text(id) === chosen ? "true" : "false"}
            disabled=${isDisabled}
            onClick=${() => act("agent_user_option", { ...asked, optionId: text(id), optionLabel: text(label) })}
          >
            ${text(label)}
          </button>`,
        )}
      </p>`
    }
    ${
      message.questionType === "upload" &&
      html`<${Upload} label=${text(message.buttonLabel) || t("workspace.files.choose")} asks=${message} isDisabled=${isDisabled} send=${(files) => act("agent_user_attachment", files)} />`
    }
  </li>`;
}

/** The user's input. If the connection breaks before its frame, it returns to the field. */
function Composer({ act, isDisabled, isOpen, heard }) {
  const [draft, set] = useState("");
  const sent = useRef("");
  useEffect(() => {
    if (sent.current && heard.includes(sent.current)) sent.current = "";
  }, [heard]);
  useEffect(() => {
    if (isOpen || !sent.current) return;
    const lost = sent.current;
    sent.current = "";
    set((now) => now || lost);
  }, [isOpen]);
  const submit = (event) => {
    event.preventDefault();
    const said = draft.trim();
    if (!said || isDisabled || !act("agent_user_input", { text: said })) return;
    sent.current = said;
    set("");
  };
  const keyed = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
  };
  return html`<form class="saying" onSubmit=${submit}>
    <label class="hidden" for="say">${t("workspace.say")}</label>
    <textarea id="say" rows="1" maxlength="10000" placeholder=${t("workspace.say")} value=${draft} onInput=${(event) => set(event.target.value)} onKeyDown=${keyed}></textarea>
    <button class="primary" disabled=${isDisabled || !draft.trim()}>${t("workspace.send")}</button>
  </form>`;
}

export function Conversation({ messages, act, isDisabled, isOpen }) {
  const list = useRef(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [messages]);
  const scrolled = ({ target }) => {
    isAtEnd.current = target.scrollHeight - target.scrollTop - target.clientHeight < NEAR;
  };
  const heard = messages.filter((each) => each.role !== "assistant").map((each) => text(each.content)).slice(-5).join("\n");
  const isThinking = messages.some((each) => each._thinking === true);
  return html`<section class="conversation" aria-label=${t("workspace.conversation")}>
    <div class="scroll" ref=${list} role="log" tabindex="0" aria-label=${t("workspace.conversation")} onScroll=${scrolled}>
      <ol class="messages">
        ${messages.map((message, index) => html`<${Message} key=${text(message.id) || index} message=${message} act=${act} isDisabled=${isDisabled} />`)}
      </ol>
    </div>
    <${Composer} act=${act} isDisabled=${isDisabled || isThinking} isOpen=${isOpen} heard=${heard} />
  </section>`;
}
