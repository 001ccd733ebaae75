/** The console's words in three languages, from `words/*.json`; a test compares their keys. */

export const LANGUAGES = { "zh-CN": "简体中文", "zh-TW": "繁體中文", en: "English" };
const KEPT = "yarrow.language";

let language = "en";
let words = {};
let brand = null;

/** Return the first of these tags' languages that the console has. */
export function languageOf(...tags) {
  for (const tag of tags) {
    const parts = String(tag ?? "").replace("_", "-").toLowerCase().split("-");
    if (parts[0] === "zh") return parts.some((part) => ["tw", "hk", "mo", "hant"].includes(part)) ? "zh-TW" : "zh-CN";
    if (parts[0] === "en") return "en";
  }
  return "en";
}

export const chosenLanguage = () => localStorage.getItem(KEPT);
export const currentLanguage = () => language;

/** Load a language; `isChosen` keeps it for the next visit. `views` may bring words of their own. */
export async function speak(next, { isChosen = false, views = [] } = {}) {
  const response = await fetch(new URL(`./words/${next}.json`, import.meta.url));
  const loaded = await response.json();
  for (const view of views) Object.assign(loaded, view.words?.[next]);
  [language, words] = [next, loaded];
  document.documentElement.lang = next;
  if (isChosen) localStorage.setItem(KEPT, next);
}

/** The name of this deployment, in every language. */
export function rename(name) {
  brand = name;
}

/** Return the words of a key, with `{name}` filled in. */
export function t(key, values = {}) {
  const text = key === "name" && brand ? brand : (words[key] ?? key);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** Formatters are cached: making one takes longer than using it a thousand times. */
const formatters = new Map();
function formatter(Kind, options) {
  const key = `${Kind.name} ${language} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, new Kind(language, options));
  return formatters.get(key);
}

export const time = (date, options) => formatter(Intl.DateTimeFormat, options).format(new Date(date));
export const number = (value, options) => formatter(Intl.NumberFormat, options).format(value);

/** An amount of money; a deployment may have a currency that the browser does not know. */
export function money(cost, currency) {
  const digits = cost && cost < 0.01 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  try {
    return number(cost, { style: "currency", currency, ...digits });
  } catch {
    return `${number(cost, digits)} ${currency}`;
  }
}
