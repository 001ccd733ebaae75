/** A card of UI schema 2.0 (`docs/clients.md`, Cards). What it does not know, it leaves out. */
import { html } from "../dom.js";
import { Markdown } from "../markdown.js";

const LEAVES = {
  text: ({ content, role, format }) =>
    format === "markdown"
      ? html`<${Markdown} text=${String(content)} />`
      : role === "code"
        ? html`<pre><code>${String(content)}</code></pre>`
        : html`<p class=${`role-${role === "title" || role === "caption" ? role : "body"}`}>${String(content)}</p>`,
  badge: ({ label, status }) => html`<span class=${`badge ${status === "error" ? "error" : status === "success" ? "success" : ""}`}>${String(label)}</span>`,
  icon: () => null,
  button: ({ label, url }) =>
    /^https:\/\//.test(url ?? "") ? html`<a class="button" href=${url} rel="noopener noreferrer" target="_blank">${String(label)}</a>` : null,
};

function Node({ node, depth }) {
  if (!node || depth > 12) return null;
  const children = Array.isArray(node.children) ? node.children.map((each, index) => html`<${Node} key=${index} node=${each} depth=${depth + 1} />`) : null;
  if (node.type === "stack") return html`<div class=${node.appearance === "card" ? "stack boxed" : "stack"}>${children}</div>`;
  if (node.type === "grid") return html`<div class=${`grid of${Math.min(4, Math.max(1, Number(node.columns) || 2))}`}>${children}</div>`;
  return LEAVES[node.type]?.(node) ?? null;
}

export const Card = ({ schema }) =>
  schema?.version === "2.0" ? html`<div class="schema" lang=${schema.locale}><${Node} node=${schema.root} depth=${0} /></div>` : null;
