/** Opens a session in its view, which only its history shows. */
import { html, useEffect, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { t } from "../words.js";
import { about } from "./history.js";

function Session({ api, parts: [threadId] }) {
  const [error, setError] = useState(null);
  useEffect(() => {
    const leaving = new AbortController();
    const open = async () => {
      const { output } = about(await api.history(threadId, leaving.signal));
      if (!leaving.signal.aborted) location.replace(address(output ? "reading" : "talk", threadId));
    };
    open().catch((caught) => leaving.signal.aborted || setError(caught));
    return () => leaving.abort();
  }, []);
  return error
    ? html`<${Problem} error=${error} retry=${() => location.reload()} />`
    : html`<p class="waiting">${t("loading")}</p>`;
}

export default { name: "session", title: "history.title", under: "history", component: Session };
