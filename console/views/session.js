/** Opens a session in its view, which only its history and its agent tell. */
import { html, useEffect, useState } from "../dom.js";
import { agentsByName } from "../agents.js";
import { about, sessionKind, opened } from "../kinds.js";
import { Problem } from "../problem.js";
import { t } from "../words.js";

function Session({ api, session, parts: [threadId] }) {
  const [error, setError] = useState(null);
  useEffect(() => {
    const leaving = new AbortController();
    const open = async () => {
      const [found, agents] = await Promise.all([api.history(threadId, leaving.signal), agentsByName(api)]);
      if (!leaving.signal.aborted) location.replace(opened(sessionKind(about(found), agents, session.config), threadId));
    };
    open().catch((caught) => leaving.signal.aborted || setError(caught));
    return () => leaving.abort();
  }, []);
  return error
    ? html`<${Problem} error=${error} retry=${() => location.reload()} />`
    : html`<p class="waiting">${t("loading")}</p>`;
}

export default { name: "session", title: "history.title", under: "history", component: Session };
