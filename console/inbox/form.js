/** The fields of a JSON Schema, with labels, hints and what is wrong beside each. */
import { html } from "../dom.js";
import { t } from "../words.js";
import { fieldsOf } from "./schema.js";

/** What is wrong, in words. */
export const faultOf = ([what, values]) => t(`inbox.fault.${what}`, values);

const textOf = (value) => (value === null ? "null" : String(value));

function Choice({ field, id, draft, change, ...described }) {
  return html`<select id=${id} value=${draft} onChange=${(event) => change(event.target.value)} ...${described}>
    <option value="">${field.isRequired ? t("inbox.choose") : t("inbox.none")}</option>
    ${field.schema.enum.map((each) => html`<option value=${JSON.stringify(each)}>${textOf(each)}</option>`)}
  </select>`;
}

function Input({ field, id, draft, change, ...described }) {
  const { kind, schema } = field;
  const typed = (event) => change(event.target.value);
  if (kind === "choice") return html`<${Choice} field=${field} id=${id} draft=${draft} change=${change} ...${described} />`;
  if (kind === "long" || kind === "json") {
    const mono = kind === "json" ? "mono" : undefined;
    return html`<textarea id=${id} class=${mono} rows="3" spellcheck=${kind === "long"} value=${draft} onInput=${typed} ...${described}></textarea>`;
  }
  const type = kind === "date" ? "date" : schema.format === "email" ? "email" : "text";
  const mode = kind === "number" ? "decimal" : undefined;
  return html`<input id=${id} type=${type} inputmode=${mode} autocomplete="off" value=${draft} onInput=${typed} ...${described} />`;
}

/** Choices of which several may be taken. */
function Choices({ field, draft, change }) {
  return html`<div class="chips">
    ${field.schema.items.enum.map((each) => {
      const toggle = (event) => change(event.target.checked ? [...draft, each] : draft.filter((one) => one !== each));
      return html`<label><input type="checkbox" checked=${draft.includes(each)} onChange=${toggle} /><span>${textOf(each)}</span></label>`;
    })}
  </div>`;
}

function Field({ field, path, id, draft, change, faults, root }) {
  const { schema, kind, name, isRequired } = field;
  const title = schema.title ?? name;
  const fault = faults[path] && html`<p class="fault" id=${`${id}-fault`}>${faultOf(faults[path])}</p>`;
  const hint = schema.description && html`<p class="fine" id=${`${id}-hint`}>${schema.description}</p>`;
  const optional = !isRequired && kind !== "boolean" && html` <span class="fine optional">${t("inbox.optional")}</span>`;
  const described = {
    "aria-invalid": faults[path] ? "true" : undefined,
    "aria-required": isRequired ? "true" : undefined,
    "aria-describedby": [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined,
  };
  if (kind === "group") {
    return html`<fieldset class="field group"><legend>${title}${optional}</legend>${hint}
      <${Fields} schema=${schema} path=${path} id=${id} draft=${draft} change=${change} faults=${faults} root=${root} />
    </fieldset>`;
  }
  if (kind === "choices") {
    return html`<fieldset class="field" aria-describedby=${described["aria-describedby"]}><legend>${title}${optional}</legend>
      <${Choices} field=${field} draft=${draft} change=${change} />${hint}${fault}</fieldset>`;
  }
  if (kind === "boolean") {
    return html`<div class="field tick">
      <label><input type="checkbox" id=${id} checked=${draft} onChange=${(event) => change(event.target.checked)} ...${described} /> <span>${title}</span></label>
      ${hint}${fault}
    </div>`;
  }
  return html`<div class="field"><label for=${id}>${title}${optional}</label>
    <${Input} field=${field} id=${id} draft=${draft} change=${change} ...${described} />${hint}${fault}</div>`;
}

/** The fields of an object. `draft` is what is typed, by name; `path` and `id` are its place among others. */
export function Fields({ schema, path, id, draft, change, faults, root = schema }) {
  return fieldsOf(schema, root).map(
    (field) => html`<${Field}
      key=${field.name}
      field=${field}
      path=${`${path}.${field.name}`}
      id=${`${id}-${field.name}`}
      draft=${draft[field.name]}
      change=${(value) => change({ ...draft, [field.name]: value })}
      faults=${faults}
      root=${root}
    />`,
  );
}
