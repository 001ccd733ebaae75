/**
 * The return of the browser from an authorization server of an MCP server, whose `state` begins with `mcp-`.
 *
 * It is kept in this tab while the user signs in to the console, if need be, and read once.
 */
const OURS = "mcp-";
const RETURNED = "yarrow.mcp-returned";
const WANTED = "yarrow.mcp-wanted";
const MEMBERS = { state: 200, code: 4_096, iss: 2_000, error: 200 }; // characters that the service takes; of more it refuses the rest
const ADDRESS = "#/connections";

/** Take such a return out of the address, and keep it. Whatever else is there is left to the console's own sign-in. */
export function catchReturn(page = globalThis) {
  const answer = new URLSearchParams(page.location.search);
  if (!answer.get("state")?.startsWith(OURS)) return false;
  const given = Object.entries(MEMBERS).filter(([name]) => answer.get(name));
  page.history.replaceState(null, "", page.location.pathname + ADDRESS); // first, so that it stays in no history
  const kept = Object.fromEntries(given.map(([name, most]) => [name, answer.get(name).slice(0, most)]));
  page.sessionStorage.setItem(RETURNED, JSON.stringify(kept));
  return true;
}

/** Return what was kept under a name, once; null if there is nothing. */
function taken(name, { sessionStorage }) {
  const text = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return text === null ? null : JSON.parse(text);
}

/** Return the body for `finish`, once; null if the browser has not come back from anywhere. */
export const takeReturn = (page = globalThis) => taken(RETURNED, page);

/** Remember which server this tab leaves for, so that one can try again. */
export function want({ agent, server }, page = globalThis) {
  page.sessionStorage.setItem(WANTED, JSON.stringify({ agent, server }));
}
export const takeWanted = (page = globalThis) => taken(WANTED, page);
