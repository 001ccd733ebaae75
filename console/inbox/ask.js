/** One question: what is asked, until when, and the controls that its kind of answer needs. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { t, time } from "../words.js";
import { Fields, faultOf } from "./form.js";
import { give, isGone, left, readAgain, useQuestions } from "./questions.js";
import { draftOf, kindOf, readDraft, resolved } from "./schema.js";

const DAY = 86_400_000;
const LONGEST_TIMER = 2_000_000_000; // milliseconds that a timer takes
const ENDED = { AGENT_INTERRUPT_ANSWERED: "elsewhere", AGENT_INTERRUPT_EXPIRED: "expired", AGENT_INTERRUPT_NOT_FOUND: "gone", AGENT_SESSION_NOT_FOUND: "gone" };

const rootField = (schema) => ({ name: "", schema, kind: kindOf(schema), isRequired: true });

/** When a question expires: the time alone today, else the day as well. */
function until(date) {
  const isSoon = new Date(date) - Date.now() < DAY / 2;
  return time(date, isSoon ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** Whether a question has expired, at the moment it does. */
function useExpired(expiresAt) {
  const rest = () => (expiresAt ? new Date(expiresAt) - Date.now() : Infinity);
  const [isOver, set] = useState(rest() <= 0);
  useEffect(() => {
    const timer = rest() > LONGEST_TIMER ? 0 : setTimeout(() => set(true), Math.max(0, rest()));
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return isOver;
}

/** A yes or a no; a no may have a reason. */
function Confirmation({ question, send, busy, edited }) {
  const [reason, set] = useState(null);
  const field = useRef(null);
  useEffect(() => field.current?.focus(), [reason === null]);
  const [yes, no] = question.metadata?.toolName
    ? [t("inbox.approve"), t("inbox.refuse")]
    : [t(question.metadata?.signIn ? "inbox.goon" : "talk.yes"), t("talk.no")];
  if (reason !== null) {
    const refuse = (event) => {
      event.preventDefault();
      send({ approved: false, ...(reason.trim() && { reason: reason.trim() }) });
    };
    return html`<form onSubmit=${refuse}>
      <div class="field">
        <label for=${`reason-${question.id}`}>${t("inbox.reason")} <span class="fine optional">${t("inbox.optional")}</span></label>
        <input ref=${field} id=${`reason-${question.id}`} maxlength="2000" autocomplete="off" value=${reason} onInput=${(event) => set(event.target.value)} />
      </div>
      <p class="buttons">
        <button class="primary" disabled=${busy}>${no}</button>
        <button type="button" disabled=${busy} onClick=${() => set(null)}>${t("inbox.back")}</button>
      </p>
    </form>`;
  }
  const approve = () => {
    const edits = edited?.();
    if (edits !== null) send({ approved: true, ...(edits && { editedArgs: edits }) });
  };
  return html`<p class="buttons">
    <button type="button" class="primary" disabled=${busy} onClick=${approve}>${yes}</button>
    <button type="button" disabled=${busy} onClick=${() => set("")}>${no}</button>
  </p>`;
}

/** A server that the user has to sign in to first: where they do so, and that they have. */
function SignIn(props) {
  return html`<p><a href=${address("connections")}>${t("connections.first")}</a></p>
    <${Confirmation} ...${props} />`;
}

/** The arguments of a tool call as they would be used. */
function Arguments({ values }) {
  const entries = Object.entries(values ?? {});
  if (!entries.length) return html`<p class="fine">${t("inbox.noarguments")}</p>`;
  return html`<dl class="arguments">
    ${entries.map(
      ([name, value]) => html`<div><dt>${name}</dt>
        <dd>${value !== null && typeof value === "object" ? html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>` : String(value)}</dd></div>`,
    )}
  </dl>`;
}

/** A tool that waits for approval, with its arguments, which may be changed where the question offers it. */
function Approval({ question, send, busy }) {
  const { toolName, arguments: values, scope } = question.metadata;
  const root = question.responseSchema ?? {};
  const offered = root.properties?.editedArgs;
  const field = offered && { ...rootField(resolved(offered, root)), name: "args" };
  const [draft, set] = useState(null);
  const [faults, setFaults] = useState({});
  const form = useRef(null);
  const edited = () => {
    if (draft === null) return undefined;
    const read = readDraft(field, draft, root);
    setFaults(read.faults ?? {});
    if (!Object.keys(read.faults ?? {}).length) return read.value;
    requestAnimationFrame(() => form.current?.querySelector("[aria-invalid=true]")?.focus());
    return null;
  };
  const id = `args-${question.id}`;
  return html`
    <p class="tool"><code>${toolName}</code></p>
    ${draft === null && html`<${Arguments} values=${values} />`}
    ${
      draft !== null &&
      html`<div class="job-form editing-arguments" ref=${form}>
        ${
          field.kind === "group"
            ? html`<${Fields} schema=${field.schema} path="args" id=${id} draft=${draft} change=${set} faults=${faults} root=${root} />`
            : html`<div class="field"><label for=${id}>${t("talk.call.arguments")}</label>
                <textarea id=${id} class="mono" rows="5" spellcheck="false" aria-invalid=${faults.args ? "true" : undefined} aria-describedby=${faults.args && `${id}-fault`} value=${draft} onInput=${(event) => set(event.target.value)}></textarea>
                ${faults.args && html`<p class="fault" id=${`${id}-fault`}>${faultOf(faults.args)}</p>`}</div>`
        }
      </div>`
    }
    ${scope === "session" && html`<p class="fine">${t("inbox.wholesession")}</p>`}
    ${
      field &&
      html`<p class="edit"><button type="button" class="quiet" onClick=${() => (setFaults({}), set(draft === null ? draftOf(field, values, root) : null))}>
        ${t(draft === null ? "inbox.edit" : "inbox.unedit")}
      </button></p>`
    }
    <${Confirmation} question=${question} send=${send} busy=${busy} edited=${edited} />
  `;
}

/** One of several answers. */
function Options({ question, send, busy }) {
  const values = question.responseSchema?.enum ?? [];
  const known = new Map((question.metadata?.options ?? []).map((each) => [each.value, each]));
  const [chosen, choose] = useState(null);
  return html`<form onSubmit=${(event) => (event.preventDefault(), chosen !== null && send(chosen))}>
    <fieldset class="ways"><legend class="hidden">${question.message}</legend>
      ${values.map((value) => {
        const { label, description } = known.get(value) ?? {};
        return html`<label><input type="radio" name=${`choice-${question.id}`} checked=${chosen === value} onChange=${() => choose(value)} />
          <span><b>${label ?? value}</b>${description && html`<small>${description}</small>`}</span></label>`;
      })}
    </fieldset>
    <p class="buttons"><button class="primary" disabled=${busy || chosen === null}>${t("inbox.send")}</button></p>
  </form>`;
}

/** A text, or the fields of a form. */
function Form({ question, send, busy }) {
  const schema = question.responseSchema ?? { type: "string" };
  const field = { ...rootField(schema), name: "answer", kind: question.kind === "text" ? "long" : kindOf(schema) };
  const [draft, set] = useState(() => draftOf(field));
  const [faults, setFaults] = useState({});
  const form = useRef(null);
  const submit = (event) => {
    event.preventDefault();
    const { value, faults: found = {} } = readDraft(field, draft, schema);
    setFaults(found);
    if (!Object.keys(found).length) return send(value);
    requestAnimationFrame(() => form.current?.querySelector("[aria-invalid=true]")?.focus());
  };
  const id = `answer-${question.id}`;
  return html`<form ref=${form} class="job-form" noValidate onSubmit=${submit}>
    ${
      field.kind === "group"
        ? html`<${Fields} schema=${schema} path="answer" id=${id} draft=${draft} change=${set} faults=${faults} />`
        : html`<div class="field">
            <label for=${id}>${t("inbox.answer")}</label>
            <textarea id=${id} rows="3" class=${field.kind === "json" ? "mono" : undefined} aria-invalid=${faults.answer ? "true" : undefined} aria-describedby=${faults.answer && `${id}-fault`} value=${draft} onInput=${(event) => set(event.target.value)}></textarea>
            ${faults.answer && html`<p class="fault" id=${`${id}-fault`}>${faultOf(faults.answer)}</p>`}
          </div>`
    }
    <p class="buttons"><button class="primary" disabled=${busy}>${t("inbox.send")}</button></p>
  </form>`;
}

const CONTROLS = { confirmation: Confirmation, choice: Options };
const controlsOf = ({ kind, metadata }) => (metadata?.toolName ? Approval : metadata?.signIn ? SignIn : (CONTROLS[kind] ?? Form));

/** Return an answer as the service shows it in the conversation, as a message of the user; undefined without one. */
export function shownAnswer({ kind, metadata }, { status, payload }) {
  if (status !== "resolved") return undefined;
  if (kind === "confirmation") return payload.approved ? "✓" : payload.reason ? `✗ ${payload.reason}` : "✗";
  if (kind === "choice") return metadata?.options?.find((each) => each.value === payload)?.label ?? payload;
  return typeof payload === "string" ? payload : JSON.stringify(payload);
}

/** A question with its controls. `answered` gets the run that goes on and what was answered, `ended` how it ended otherwise
 * and whether the user learns it by an answer. */
export function Ask({ api, question, answered, ended, children }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const [end, setEnd] = useState(null);
  const since = useRef(Date.now());
  const known = useQuestions();
  const isExpired = useExpired(question.expiresAt);
  const state = end ?? (isExpired ? "expired" : isGone(known, question.id, since.current) && !busy ? "elsewhere" : null);
  useEffect(() => {
    if (state && state !== "expired") ended?.(state, end !== null);
  }, [state]);
  const answer = async (given) => {
    setBusy(true);
    setError(null);
    try {
      answered(await give(api, question.id, given), given);
    } catch (caught) {
      const how = ENDED[caught.code];
      if (how) {
        setEnd(how);
        if (how !== "expired") left(question.id);
        readAgain(api);
      } else setError(caught);
      setBusy(false);
    }
  };
  const send = (payload) => answer({ status: "resolved", payload });
  const cancel = () => answer({ status: "cancelled" });
  return html`<div class="question-card" role="group" aria-labelledby=${`ask-${question.id}`} aria-busy=${busy ? "true" : "false"}>
    <h2 id=${`ask-${question.id}`}>${question.message}</h2>
    ${children}
    ${state && html`<p class="note" role="status">${t(`inbox.state.${state}`)}</p>`}
    ${!state && html`<${controlsOf(question)} question=${question} send=${send} busy=${busy} />`}
    ${error && html`<${Problem} error=${error} />`}
    ${
      (!state || state === "expired") &&
      html`<div class="foot">
        ${question.expiresAt && !state && html`<p class="fine">${t("inbox.until")} <time datetime=${question.expiresAt}>${until(question.expiresAt)}</time></p>`}
        <button type="button" class="quiet" disabled=${busy} onClick=${cancel}>${t("inbox.leave")}</button>
      </div>`
    }
  </div>`;
}
