/** What a form needs to know of a JSON Schema: its fields, their first values, and what is wrong with what was typed. */

const LONG = 200; // characters from which a text gets several lines

/** Return a schema without a reference to the definitions of its root. */
export function resolved(schema, root) {
  const [, group, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(schema?.$ref ?? "") ?? [];
  return name ? { ...root[group]?.[name], ...schema, $ref: undefined } : (schema ?? {});
}

/** Return the type of a schema, where `null` beside it means that it may be left out. */
function plainType(schema) {
  const types = [schema.type].flat().filter((each) => each !== "null");
  return types.length === 1 ? types[0] : undefined;
}

/** Return the kind of field that a schema gets. */
export function kindOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum.every((each) => typeof each !== "object" || each === null) ? "choice" : "json";
  switch (plainType(schema)) {
    case "boolean":
      return "boolean";
    case "integer":
    case "number":
      return "number";
    case "string":
      if (schema.format === "date") return "date";
      return schema.maxLength > LONG || schema.format === "textarea" ? "long" : "text";
    case "array":
      return Array.isArray(schema.items?.enum) ? "choices" : "json";
    case "object":
      return schema.properties && !schema.oneOf && !schema.anyOf ? "group" : "json";
    default:
      return "json";
  }
}

/** Return the fields of an object's schema: name, schema, kind, whether it is required. */
export function fieldsOf(schema, root = schema) {
  return Object.entries(schema.properties ?? {}).map(([name, own]) => {
    const part = resolved(own, root);
    return { name, schema: part, kind: kindOf(part), isRequired: schema.required?.includes(name) ?? false };
  });
}

/** Return what a form shows at first for a value. */
export function draftOf({ schema, kind }, value = schema.default, root = schema) {
  switch (kind) {
    case "boolean":
      return value ?? false;
    case "choices":
      return Array.isArray(value) ? value : [];
    case "choice":
      return value === undefined ? "" : JSON.stringify(value);
    case "group":
      return Object.fromEntries(fieldsOf(schema, root).map((field) => [field.name, draftOf(field, value?.[field.name], root)]));
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2);
    default:
      return value === undefined || value === null ? "" : String(value);
  }
}

/** Return the value of what was typed, undefined where nothing was, and what is wrong with it by path. */
export function readDraft(field, draft, root, path = field.name) {
  const { schema, kind, isRequired } = field;
  const wrong = (key, values) => ({ faults: { [path]: [key, values] } });
  if (kind === "group") {
    const value = {};
    const faults = {};
    for (const part of fieldsOf(schema, root)) {
      const read = readDraft(part, draft[part.name], root, `${path}.${part.name}`);
      Object.assign(faults, read.faults);
      if (read.value !== undefined) value[part.name] = read.value;
    }
    const isEmpty = !isRequired && Object.keys(value).length === 0;
    return { value: isEmpty ? undefined : value, faults };
  }
  if (kind === "boolean") return { value: draft };
  if (kind === "choices") {
    if (draft.length < (schema.minItems ?? 0) || (isRequired && !draft.length)) return wrong("missing");
    return { value: draft.length || isRequired ? draft : undefined };
  }
  const text = kind === "text" || kind === "long" ? draft : draft.trim();
  if (text === "") return isRequired ? wrong("missing") : {};
  if (kind === "choice") return { value: JSON.parse(text) };
  if (kind === "json") return parsed(text, wrong);
  if (kind === "number") return numbered(schema, text, wrong);
  if ([...text].length < (schema.minLength ?? 0)) return wrong("short", { least: schema.minLength });
  if ([...text].length > (schema.maxLength ?? Infinity)) return wrong("long", { most: schema.maxLength });
  return { value: text };
}

function parsed(text, wrong) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return wrong("notjson");
  }
}

function numbered(schema, text, wrong) {
  const value = Number(text);
  if (!Number.isFinite(value)) return wrong("notnumber");
  if (plainType(schema) === "integer" && !Number.isInteger(value)) return wrong("notinteger");
  if (value < (schema.minimum ?? -Infinity)) return wrong("least", { least: schema.minimum });
  if (value > (schema.maximum ?? Infinity)) return wrong("most", { most: schema.maximum });
  return { value };
}
