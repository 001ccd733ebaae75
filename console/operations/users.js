/** Lists what users used on a day, under their pseudonyms, and finds one by the id, which the service hashes. */
import { labelOf, useAgents } from "../agents.js";
import { html, useEffect, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { t } from "../words.js";
import { dayName } from "../usage/chart.js";
import { Table } from "../usage/table.js";
import { LogQuery } from "./log_query.js";
import { readUsers } from "./sums.js";

/** Return the rows of pages with the names of what they are about. */
function rowsOf(users, agents) {
  return users.map((each, index) => ({
    ...each,
    key: String(index),
    name: html`<code>${each.user}</code><span class="fine">${labelOf(agents, each.agent)} · ${each.model ?? t("usage.nomodel")}</span>`,
  }));
}

export function Users({ api, day, logGroup }) {
  const { agents } = useAgents();
  const [subject, search] = useState("");
  const [typed, type] = useState("");
  const [after, setAfter] = useState(null);
  const [tries, setTries] = useState(0);
  const [{ users, currency, next, error, isLoading }, set] = useState({ users: null });
  useEffect(() => {
    const leaving = new AbortController();
    // A page joins those before it; the answer to another question must not stand beside them.
    set((before) => ({ ...(after ? before : { users: null }), error: null, isLoading: true }));
    readUsers(api, { day, subject, after }, leaving.signal).then(
      (page) => set((before) => ({ ...page, users: [...(after ? before.users : []), ...page.users] })),
      (caught) => leaving.signal.aborted || set((before) => ({ ...before, error: caught, isLoading: false })),
    );
    return () => leaving.abort();
  }, [api, day, subject, after, tries]);
  const find = (event) => {
    event.preventDefault();
    setAfter(null);
    search(typed.trim());
    setTries((count) => count + 1);
  };
  return html`<section aria-labelledby="operations-users">
    <h2 id="operations-users">${t("operations.users", { day: dayName(day) })}</h2>
    <p class="fine">${t("operations.users.lead")}</p>
    <form class="subject" onSubmit=${find} role="search">
      <label for="operations-subject">${t("operations.subject")}</label>
      <input id="operations-subject" maxlength="128" autocomplete="off" spellcheck="false" value=${typed} onInput=${(event) => type(event.target.value)} />
      <button type="submit">${t("operations.find")}</button>
    </form>
    ${error && html`<${Problem} error=${error} retry=${() => setTries((count) => count + 1)} />`}
    ${!users && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${users?.length === 0 && html`<p class="empty">${t(subject ? "operations.users.none" : "operations.users.empty")}</p>`}
    ${users?.length > 0 && html`<${Table} caption=${t("operations.users", { day: dayName(day) })} head=${t("operations.user")} rows=${rowsOf(users, agents)} currency=${currency} />`}
    <p class="buttons">
      ${next && html`<button type="button" disabled=${isLoading} onClick=${() => setAfter(next)}>${t("operations.next")}</button>`}
      ${subject && users?.length > 0 && html`<${LogQuery} logGroup=${logGroup} member="user" value=${users[0].user}>${t(logGroup ? "operations.logs.user" : "operations.query.user")}<//>`}
    </p>
  </section>`;
}
