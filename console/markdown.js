/**
 * Renders a small Markdown of models and users as elements, never as HTML: paragraphs, headings, lists,
 * tables, quotes, code, emphasis and links to https. Anything else stays text.
 */
import { Copy } from "./copy.js";
import { Component, html } from "./dom.js";

const INLINE =
  /(`[^`\n]+`)|\*\*([^*\n]+)\*\*|~~([^~\n]+)~~|\*([^*\s][^*\n]*)\*|\[([^\]\n]{1,300})\]\((https:\/\/[^\s)]{1,1000})\)|(https:\/\/[^\s<>"'`()[\]*]{1,1000}[^\s<>"'`()[\]*.,;:!?])/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const FENCE = /^ {0,3}(```+|~~~+)[^`]*$/;
const DELIMITERS = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const DEEPEST = 6;

function inline(text) {
  const parts = [];
  for (let rest = text; rest; ) {
    const found = INLINE.exec(rest);
    if (!found) {
      parts.push(rest);
      break;
    }
    const [whole, code, strong, struck, emphasis, label, link, bare] = found;
    if (found.index) parts.push(rest.slice(0, found.index));
    if (code) parts.push(html`<code>${code.slice(1, -1)}</code>`);
    else if (strong) parts.push(html`<strong>${inline(strong)}</strong>`);
    else if (struck) parts.push(html`<s>${inline(struck)}</s>`);
    else if (emphasis) parts.push(html`<em>${inline(emphasis)}</em>`);
    else parts.push(html`<a href=${link ?? bare} rel="noopener noreferrer" target="_blank">${label ?? bare}</a>`);
    rest = rest.slice(found.index + whole.length);
  }
  return parts;
}

const lines = (all) => all.map((line, index) => (index ? [html`<br />`, inline(line)] : inline(line)));

function list(all, depth = 0) {
  const [, indent, mark] = ITEM.exec(all[0]);
  const items = [];
  for (const line of all) {
    const item = ITEM.exec(line);
    if (item && item[1].length <= indent.length + 1) items.push({ text: [item[3]], below: [] });
    else if ((item || items.at(-1).below.length) && depth < DEEPEST) items.at(-1).below.push(line);
    else items.at(-1).text.push(line.trim());
  }
  const made = items.map(({ text, below }) => html`<li>${lines(text)}${below.length > 0 && list(below, depth + 1)}</li>`);
  return /\d/.test(mark) ? html`<ol start=${Number.parseInt(mark, 10)}>${made}</ol>` : html`<ul>${made}</ul>`;
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

function table([head, delimiters, ...rows]) {
  const sides = cells(delimiters).map((each) => (each.endsWith(":") ? (each.startsWith(":") ? "middle" : "end") : ""));
  const row = (line, cell) => cells(line).slice(0, sides.length).map(cell);
  return html`<div class="wide" tabindex="0" role="region" aria-label=${cells(head).join(", ")}>
    <table>
      <thead><tr>${row(head, (text, at) => html`<th scope="col" class=${sides[at]}>${inline(text)}</th>`)}</tr></thead>
      <tbody>${rows.map((each) => html`<tr>${row(each, (text, at) => html`<td class=${sides[at]}>${inline(text)}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`;
}

function block(text) {
  const all = text.split("\n");
  if (FENCE.test(all[0])) {
    const isClosed = all.length > 1 && FENCE.test(all.at(-1));
    const code = all.slice(1, isClosed ? -1 : undefined).join("\n");
    return html`<div class="code"><pre tabindex="0"><code>${code}</code></pre><${Copy} text=${code} quiet=${true} /></div>`;
  }
  const heading = /^#{1,6} (.+)$/.exec(text);
  if (heading) return html`<p class="heading">${inline(heading[1])}</p>`;
  if (kindOf(text) === "rule") return html`<hr />`;
  if (ITEM.test(all[0])) return list(all);
  if (all.every((line) => line.startsWith(">"))) {
    return html`<blockquote>${lines(all.map((line) => line.replace(/^> ?/, "")))}</blockquote>`;
  }
  if (all.length > 1 && all[0].includes("|") && DELIMITERS.test(all[1])) return table(all);
  return html`<p>${lines(all)}</p>`;
}

function kindOf(line) {
  if (!line.trim()) return "none";
  if (FENCE.test(line)) return "fence";
  if (/^#{1,6} /.test(line)) return "heading";
  if (/^ {0,3}(-\s*){3,}$|^ {0,3}(\*\s*){3,}$/.test(line)) return "rule";
  if (ITEM.test(line)) return "list";
  if (line.startsWith(">")) return "quote";
  return line.includes("|") ? "table" : "text";
}

/** Return the blocks of a text, as texts. */
function blocks(text) {
  const found = [];
  let before = "none";
  let fence = null;
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const kind = kindOf(line);
    if (fence) {
      found[found.length - 1] += `\n${line}`;
      if (kind === "fence" && line.trim().startsWith(fence) && line.trim().length >= fence.length) fence = null;
      continue;
    }
    const isSame = kind === before && (kind === "text" || kind === "list" || kind === "quote" || kind === "table");
    const isWithin = before === "list" && kind !== "none" && /^\s{2,}/.test(line);
    if (kind === "fence") fence = /^ {0,3}(```+|~~~+)/.exec(line)[1];
    if (isSame || isWithin) found[found.length - 1] += `\n${line}`;
    else if (kind !== "none") found.push(line);
    before = isWithin ? "list" : kind === "fence" || kind === "heading" ? "none" : kind;
  }
  return found;
}

/** A block renders again only when its text has changed: in a growing text, the last one. */
class Block extends Component {
  shouldComponentUpdate({ text }) {
    return text !== this.props.text;
  }
  render({ text }) {
    return block(text);
  }
}

export const Markdown = ({ text }) =>
  html`<div class="prose">${blocks(text).map((each, index) => html`<${Block} key=${index} text=${each} />`)}</div>`;
